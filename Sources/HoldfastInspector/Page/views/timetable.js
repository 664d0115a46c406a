// A timetable: its heading, its map, and the way to departures, journeys, lines and what it says of itself.

import { code, h, put, text } from '../lib/dom.js';
import { get } from '../lib/api.js';
import { count, counted, fileName, words } from '../lib/format.js';
import { load } from '../lib/load.js';
import { to } from '../lib/route.js';
import { noMap, reasonForNoMap } from '../map/engine.js';
import { TransitMap } from '../map/transit.js';

const parts = [
  ['', 'Departures', () => import('./departures.js')],
  ['journeys', 'Journeys', () => import('./journeys.js')],
  ['lines', 'Lines', () => import('./lines.js')],
  ['realtime', 'Realtime and validity', () => import('./realtime.js')],
];
const tags = { valid: 'ok', expired: 'error', upcoming: 'warning', unknown: 'note' };

// The map stays while a reader goes from one part to another.
let kept = null;

function mapOf(item, timetable, overview, signal) {
  if (kept?.item.id !== item.id) {
    kept?.remove();
    kept = new TransitMap(item, timetable, overview);
  }
  const map = kept;
  map.clear();
  signal.addEventListener('abort', () => setTimeout(() => {
    if (map.node.isConnected || kept !== map) return;
    map.remove();
    kept = null;
  }, 0));
  return map;
}

export function show(context) {
  const { main, item, part, signal, overview } = context;
  const view = parts.find(([name]) => name === part) ?? parts[0];
  const state = h('span', null, h('span', { class: 'tag' }, '…'));
  const facts = h('p', { class: 'why lines' }, ' ');
  const live = h('p', { class: 'small', hidden: true });
  const body = h('div');
  put(main,
    h('header', { class: 'head' },
      h('div', { class: 'line' }, h('h1', { tabindex: '-1' }, text(fileName(item.path), 200)), h('span', { class: 'tag' }, 'Timetable'), state),
      h('p', { class: 'path' }, code(item.path, 1000)), facts, live),
    h('nav', { class: 'parts', 'aria-label': 'Timetable' }, parts.map(([name, title]) =>
      h('a', { href: to(item.id, name), 'aria-current': name === view[0] ? 'page' : null }, title))),
    body);
  main.querySelector('.parts [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  const showState = (timetable) => {
    const { validity } = timetable;
    put(state, h('span', { class: `tag ${tags[validity.status] ?? 'note'}` }, words(validity.status)));
    put(facts, timetable.agencies.slice(0, 3).map((agency, at) => [at ? ', ' : '', text(agency.agency_name, 120)]),
      timetable.agencies.length > 3 ? ` and ${count(timetable.agencies.length - 3)} more` : null,
      ` · ${counted(timetable.stops, 'stop')} · ${counted(timetable.routes, 'route')} · times of ${validity.agency_timezone ?? 'the feed'}`,
      item.database ? [' · ', h('a', { href: to(item.database) }, 'its tables')] : null);
    live.hidden = !timetable.live;
    if (timetable.live) put(live, h('span', { class: 'tag accent' }, 'Realtime'), ' of ', text(timetable.live.name ?? 'a message', 120), ' is applied.');
  };
  load(body, async () => {
    const [timetable, module] = await Promise.all([get(`api/timetable/${item.id}`, {}, signal), view[2]()]);
    return { timetable, module };
  }, ({ timetable, module }) => {
    showState(timetable);
    const reason = reasonForNoMap(overview);
    const map = reason ? null : mapOf(item, timetable, overview, signal);
    const stage = h('div', { class: 'stage' }, map ? map.node : noMap(reason));
    map?.ready.catch((error) => { if (error.name !== 'AbortError') put(stage, noMap(error.message)); });
    const { ask, answers } = module.show({ ...context, timetable, map, showState });
    // Where nothing is asked for, a narrow page begins with the answer.
    return h('div', { class: 'withmap panelfirst' }, ask ? [ask, stage, answers] : [answers, stage]);
  }, { signal, lines: 10 });
}

/** The day and time with which questions begin: now, or the first morning of a timetable that is not valid now. */
export function usualTime(timetable) {
  const { validity } = timetable;
  if (validity.status === 'expired') return `${validity.last_service_date}T08:00`;
  if (validity.status === 'upcoming') return `${validity.first_service_date}T08:00`;
  return '';
}

/** The field for a day and a time, where nothing means now. */
export function timeField(id, value, changed) {
  const input = h('input', { type: 'datetime-local', id, value, onchange: () => changed(input.value) });
  return { node: h('div', { class: 'when' }, h('label', { for: id }, 'At (empty: now)'), input), get value() { return input.value; }, set: (text) => { input.value = text; } };
}
