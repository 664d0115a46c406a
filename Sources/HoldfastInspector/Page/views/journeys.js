// Journeys between two stops, each with its legs, and drawn on the map.

import { announce, h, put, text } from '../lib/dom.js';
import { get } from '../lib/api.js';
import { clock, counted, duration } from '../lib/format.js';
import { badge } from '../lib/line.js';
import { empty, load } from '../lib/load.js';
import { note } from '../lib/route.js';
import { routesOf } from '../lib/routes.js';
import { stopField } from '../lib/stopfield.js';
import { orClick } from '../map/engine.js';
import { timeField, usualTime } from './timetable.js';

export function show({ item, timetable, map, parameters, signal }) {
  const place = h('div');
  const ends = { from: parameters.get('from'), to: parameters.get('to'), fromName: parameters.get('fromName'), toName: parameters.get('toName') };
  const from = stopField({ item, label: 'From', signal, chosen: (stop) => choose('from', stop) });
  const to = stopField({ item, label: 'To', signal, chosen: (stop) => choose('to', stop) });
  const when = timeField('journeytime', parameters.get('at') ?? usualTime(timetable), () => search());
  let routes = new Map();
  const choose = (end, stop) => {
    ends[end] = stop.stop_id;
    ends[`${end}Name`] = stop.stop_name ?? stop.stop_id;
    (end === 'from' ? from : to).set(ends[`${end}Name`]);
    search();
  };
  const showFields = () => {
    from.set(ends.fromName ?? ends.from ?? '');
    to.set(ends.toName ?? ends.to ?? '');
  };
  // A click on the map fills what is empty, and then the end of the journey.
  if (map) map.picked = (stop) => choose(ends.from ? 'to' : 'from', stop);

  const search = () => {
    note(item.id, 'journeys', { ...ends, at: when.value });
    if (!ends.from || !ends.to) return;
    load(place, async () => {
      const [answer, known] = await Promise.all([get(`api/timetable/${item.id}/journeys`, { from: ends.from, to: ends.to, at: when.value }, signal), routesOf(item)]);
      routes = known;
      return answer;
    }, (answer) => {
      announce(counted(answer.journeys.length, 'journey'));
      if (!answer.journeys.length) {
        map?.showJourney(null);
        if (answer.note) return empty(text(answer.note, 500));
        return empty('No journey leads there.', h('p', null, 'Choose another time, or stops that services of that day connect.'));
      }
      return list(answer.journeys);
    }, { signal, lines: 6 });
  };
  const list = (journeys) => {
    const entries = journeys.map((journey, at) => entry(journey, at, routes, () => open(at)));
    const open = (chosen) => {
      const isClosing = entries[chosen].button.getAttribute('aria-expanded') === 'true';
      entries.forEach(({ button, legs }, at) => {
        const isOpen = at === chosen && !isClosing;
        button.setAttribute('aria-expanded', String(isOpen));
        legs.hidden = !isOpen;
      });
      map?.ready.then(() => { if (!signal.aborted) map.showJourney(isClosing ? null : journeys[chosen]); }, () => {});
    };
    open(0);
    return h('ol', { class: 'journeys' }, entries.map(({ node }) => node));
  };

  showFields();
  put(place, empty(['Choose where a journey begins and ends: type a part of a name', orClick()]));
  search();
  return {
    ask: h('div', { class: 'ask' }, h('div', { class: 'row' }, from.node, to.node),
      h('div', { class: 'row' }, when.node, h('button', { type: 'button', onclick: () => {
        [ends.from, ends.to, ends.fromName, ends.toName] = [ends.to, ends.from, ends.toName, ends.fromName];
        showFields();
        search();
      } }, 'The other way'))),
    answers: place,
  };
}

function entry(journey, at, routes, open) {
  const badgeOf = (ride) => badge({ ...routes.get(ride.route_id), ...ride });
  const rides = journey.legs.filter((leg) => leg.type === 'ride');
  const strip = journey.legs.flatMap((leg, index) => [index ? h('span', { class: 'muted', 'aria-hidden': 'true' }, '›') : null,
    leg.type === 'ride' ? badgeOf(leg) : h('span', { class: 'muted small' }, `walk ${duration(leg.duration ?? 0)}`)]);
  const button = h('button', { type: 'button', class: 'journey', 'aria-expanded': 'false', 'aria-controls': `legs${at}`, onclick: open },
    h('span', { class: 'times' }, `${clock(journey.departure)} – ${clock(journey.arrival)}`), ' ',
    h('span', { class: 'muted' }, `${duration(journey.duration)} · ${journey.changes ? counted(journey.changes, 'change') : rides.length ? 'direct' : 'on foot'}`,
      journey.walking_distance >= 1 ? ` · ${Math.round(journey.walking_distance)} m on foot` : null),
    h('span', { class: 'strip' }, strip));
  const legs = h('ol', { class: 'legs', id: `legs${at}`, hidden: true }, journey.legs.map((one) => leg(one, badgeOf)));
  return { node: h('li', null, button, legs), button, legs };
}

function leg(one, badgeOf) {
  if (one.type !== 'ride') {
    return h('li', null, h('p', { class: 'muted' }, `Walk ${duration(one.duration ?? 0)}`, one.distance >= 1 ? `, ${Math.round(one.distance)} m` : null,
      one.to_stop_name || one.to_stop_id ? [', to ', text(one.to_stop_name ?? one.to_stop_id, 80)] : null));
  }
  const calls = one.calls ?? [];
  const between = calls.slice(1, -1);
  return h('li', null,
    h('p', { class: 'row' }, badgeOf(one), text(one.trip_headsign ?? one.route_long_name ?? '', 100), one.is_continuation ? h('span', { class: 'tag' }, 'stay aboard') : null),
    h('ul', { class: 'calls' }, calls.length ? call(calls[0], 'departure') : null),
    between.length ? h('details', null, h('summary', { class: 'small muted' }, counted(between.length, 'stop'), ' between'), h('ul', { class: 'calls' }, between.map((stop) => call(stop, 'departure')))) : null,
    h('ul', { class: 'calls' }, calls.length > 1 ? call(calls.at(-1), 'arrival') : null));
}

function call(stop, end) {
  const time = stop[end] ?? stop.arrival ?? stop.departure;
  const scheduled = stop[`scheduled_${end}`];
  const isOff = stop.status === 'skipped';
  return h('li', null, h('time', { datetime: time }, clock(time)),
    h('span', null, text(stop.stop_name ?? stop.stop_id, 100)),
    h('span', { class: 'muted' }, isOff ? 'does not stop' : stop.status === 'live' && clock(scheduled) !== clock(time) ? `planned ${clock(scheduled)}` : stop.platform_code ? text(`Pl. ${stop.platform_code}`, 16) : ''));
}
