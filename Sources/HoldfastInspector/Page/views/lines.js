// The lines of a timetable; the chosen one stands out on the map.

import { announce, h, put, text } from '../lib/dom.js';
import { count, counted } from '../lib/format.js';
import { badge, lineName } from '../lib/line.js';
import { empty, load } from '../lib/load.js';
import { linesOf } from '../lib/routes.js';

const most = 300;
const kinds = { 0: 'Tram', 1: 'Subway', 2: 'Rail', 3: 'Bus', 4: 'Ferry', 5: 'Cable tram', 6: 'Aerial lift', 7: 'Funicular', 11: 'Trolleybus', 12: 'Monorail' };

export function show({ item, map, signal }) {
  const place = h('div');
  let routes = [];
  let chosen = null;
  const filter = h('input', { type: 'text', id: 'linefilter', autocomplete: 'off', oninput: () => showList() });
  const showList = () => {
    const typed = filter.value.trim().toLowerCase();
    const found = routes.filter((route) => `${route.route_short_name ?? ''} ${route.route_long_name ?? ''} ${route.route_id}`.toLowerCase().includes(typed));
    if (typed) announce(counted(found.length, 'line'));
    put(place, found.length ? h('ul', { class: 'items routes' }, found.slice(0, most).map(entry)) : empty('No line has such a name.'),
      found.length > most ? h('p', { class: 'hint' }, `${count(found.length - most)} more; type a part of a name.`) : null);
  };
  const entry = (route) => h('li', null, h('button', { type: 'button', 'aria-pressed': String(chosen === route.route_id), onclick: (event) => {
    chosen = chosen === route.route_id ? null : route.route_id;
    map?.ready.then(() => map.showLine(chosen), () => {});
    for (const button of place.querySelectorAll('button')) button.setAttribute('aria-pressed', String(button === event.currentTarget && chosen !== null));
  } }, badge(route), h('span', null, text(route.route_long_name && route.route_long_name !== lineName(route) ? route.route_long_name : route.route_desc ?? '', 140),
    h('span', { class: 'sub muted small' }, ` ${kinds[route.route_type] ?? `type ${route.route_type}`}`))));
  load(place, () => linesOf(item), (answer) => {
    routes = [...new Map(answer.features.map((feature) => [feature.properties.route_id, feature.properties])).values()];
    queueMicrotask(showList);
    return [];
  }, { signal, lines: 8 });
  return {
    ask: h('div', { class: 'ask' }, h('div', { class: 'chooser' }, h('label', { for: 'linefilter' }, 'Lines'), filter)),
    answers: place,
  };
}
