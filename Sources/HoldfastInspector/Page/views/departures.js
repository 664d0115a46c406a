// The departure board of a stop, which counts down and is fetched again.

import { announce, h, icon, put, text } from '../lib/dom.js';
import { get } from '../lib/api.js';
import { clock, counted, day } from '../lib/format.js';
import { badge } from '../lib/line.js';
import { empty, load } from '../lib/load.js';
import { note } from '../lib/route.js';
import { routesOf } from '../lib/routes.js';
import { stopField } from '../lib/stopfield.js';
import { orClick } from '../map/engine.js';
import { timeField, usualTime } from './timetable.js';

const ticks = 1000;
const fetches = 30000;
const most = 60;

export function show({ item, timetable, map, parameters, signal }) {
  const board = h('div');
  const chosen = { id: parameters.get('stop'), name: parameters.get('name') };
  let rows = [];
  let placed = null;
  let routes = new Map();
  const field = stopField({ item, label: 'Stop', signal, chosen: (stop) => choose(stop, true) });
  const when = timeField('boardtime', parameters.get('at') ?? usualTime(timetable), () => fetchBoard(false));
  const choose = (stop, isNear) => {
    Object.assign(chosen, { id: stop.stop_id, name: stop.stop_name });
    field.set(stop.stop_name ?? stop.stop_id);
    fetchBoard(false, isNear);
  };
  if (map) map.picked = (stop) => choose(stop, false);

  const fetchBoard = (isQuiet, isNear = true) => {
    if (!chosen.id) return;
    note(item.id, '', { stop: chosen.id, name: chosen.name, at: when.value });
    load(board, async () => {
      const [answer, known] = await Promise.all([get(`api/timetable/${item.id}/departures`, { stop: chosen.id, at: when.value, limit: most }, signal), routesOf(item)]);
      routes = known;
      return answer;
    }, (answer) => {
      if (!isQuiet) announce(`${counted(answer.departures.length, 'departure')}`);
      if (answer.stop && answer.stop.stop_id !== placed) {
        placed = answer.stop.stop_id;
        chosen.name = answer.stop.stop_name;
        field.set(answer.stop.stop_name ?? answer.stop.stop_id);
        map?.ready.then(() => { if (!signal.aborted) map.choose([answer.stop], isNear); }, () => {});
      }
      return content(answer.departures, answer.note);
    }, { signal, lines: 9, keep: isQuiet || board.querySelector('table') });
  };
  const content = (departures, note) => {
    rows = [];
    if (!departures.length) {
      if (note) return empty(text(note, 500));
      const { validity } = timetable;
      return empty('Nothing departs there within 24 hours.', h('p', null, `Services run from ${validity.first_service_date ?? '?'} to ${validity.last_service_date ?? '?'}. Choose another day, or another stop.`));
    }
    let last = null;
    return h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Departures' }, h('table', { class: 'board' },
      h('thead', null, h('tr', null, ['Line', 'To', 'Departs', ''].map((name, at) => h('th', { scope: 'col', class: at >= 2 ? 'number' : null }, name || h('span', { class: 'unseen' }, 'In'))))),
      h('tbody', null, departures.map((one) => {
        const date = day(one.departure);
        const head = date !== last && last !== null ? h('tr', null, h('th', { colspan: 4, scope: 'colgroup' }, date)) : null;
        last = date;
        return [head, row(one)];
      }))));
  };
  const row = (one) => {
    const soon = h('td', { class: 'number soon' });
    const isOff = one.status === 'canceled' || one.status === 'skipped';
    if (!isOff) rows.push([soon, Date.parse(one.departure)]);
    return h('tr', { class: isOff ? 'off' : null },
      h('td', null, badge({ ...routes.get(one.route_id), ...one })),
      h('td', { class: 'to' }, text(one.trip_headsign ?? one.route_long_name ?? '', 120),
        h('span', { class: 'sub' }, one.platform_code ? ['Platform ', text(one.platform_code, 12)] : text(one.stop_name && one.stop_name !== chosen.name ? one.stop_name : '', 60), one.headway_secs ? ` · every ${Math.round(one.headway_secs / 60)} min` : null)),
      h('td', { class: 'number clock' }, clock(one.departure), h('span', { class: 'sub' }, status(one))),
      soon);
  };
  const tick = () => {
    // With a chosen time nothing is due in minutes from now.
    const isNow = !when.value;
    for (const [cell, time] of rows) {
      const minutes = Math.floor((time - Date.now()) / 60000);
      const sentence = !isNow || minutes > 59 ? '' : minutes < 1 ? 'now' : `${minutes} min`;
      if (cell.textContent !== sentence) cell.textContent = sentence;
    }
  };
  let fetched = Date.now();
  const timer = setInterval(() => {
    tick();
    if (document.hidden || when.value || Date.now() - fetched < fetches) return;
    fetched = Date.now();
    fetchBoard(true);
  }, ticks);
  signal.addEventListener('abort', () => clearInterval(timer));
  new MutationObserver(tick).observe(board, { childList: true });

  put(board, empty(['Choose a stop: type a part of its name', orClick()]));
  if (chosen.id) {
    field.set(chosen.name ?? chosen.id);
    fetchBoard(false);
  }
  return {
    ask: h('div', { class: 'ask' }, h('div', { class: 'row' }, field.node, when.node)),
    answers: board,
  };
}

function status(one) {
  if (one.status === 'canceled') return [icon('error'), ' canceled'];
  if (one.status === 'skipped') return [icon('error'), ' does not stop'];
  if (one.status !== 'live') return null;
  const minutes = Math.round((one.delay ?? 0) / 60);
  if (!minutes) return 'on time';
  return h('span', { class: minutes > 0 ? 'late' : 'early' }, minutes > 0 ? `${minutes} min late` : `${-minutes} min early`, ` · ${clock(one.scheduled_departure)}`);
}
