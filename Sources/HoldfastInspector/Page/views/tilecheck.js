// What `map check` says of a tileset, as a list and on the map.

import { announce, h, icon, put, text } from '../lib/dom.js';
import { get } from '../lib/api.js';
import { count, counted } from '../lib/format.js';
import { load } from '../lib/load.js';
import { around } from '../map/positions.js';
import { ring } from '../map/tiles.js';
import { addOutlines } from './features.js';

const most = 100;

/** The section with the check, which starts when a reader asks for it, because it reads every tile. */
export function tileCheck(item, shared, signal) {
  const place = h('div');
  const begin = () => load(place, () => get(`api/tileset/${item.id}/check`, {}, signal), (answer) => {
    const all = [...answer.problems.map((one) => ({ ...one, severity: 'error' })), ...answer.warnings.map((one) => ({ ...one, severity: 'warning' }))];
    announce(all.length ? `${counted(answer.problems.length, 'problem')}, ${counted(answer.warnings.length, 'warning')}` : 'No problems');
    const placed = all.filter((one) => typeof one.z === 'number');
    if (placed.length) {
      const draw = (map) => addOutlines(map, placed.slice(0, 2000));
      shared.onStyle.push(draw);
      if (shared.map?.map.isStyleLoaded()) draw(shared.map.map);
    }
    if (answer.note) return h('p', { class: 'card' }, icon('note'), ' ', text(answer.note, 600));
    if (!all.length) return h('p', { class: 'card' }, icon('ok'), ` ${counted(answer.tiles, 'tile')} read, nothing is wrong.`);
    return [h('p', { class: 'hint' }, `${counted(answer.tiles, 'tile')} read: ${counted(answer.problems.length, 'problem')}, ${counted(answer.warnings.length, 'warning')}.`),
      h('ul', { class: 'items checks' }, all.slice(0, most).map((one) => h('li', null, h('div', { class: 'entry' }, icon(one.severity),
        h('span', { class: 'what' }, h('span', { class: 'unseen' }, `${one.severity}: `), text(one.message, 600), one.count > 1 ? h('span', { class: 'muted' }, ` ${count(one.count)} times`) : null),
        typeof one.z === 'number' && shared.map ? h('button', { type: 'button', 'aria-label': `Show tile ${one.z}/${one.x}/${one.y} on the map`, onclick: () => {
          shared.map.map.fitBounds(around(ring(one)), { padding: 60, maxZoom: one.z + 1.5, animate: false });
          shared.map.box.scrollIntoView({ block: 'nearest' });
        } }, `${one.z}/${one.x}/${one.y}`) : null)))),
      all.length > most ? h('p', { class: 'hint' }, `${count(all.length - most)} more; holdfast map check prints all.`) : null];
  }, { signal });
  put(place, h('p', { class: 'row' }, h('button', { type: 'button', onclick: begin }, 'Check every tile'),
    h('span', { class: 'hint' }, 'As holdfast map check does.')));
  return h('section', { 'aria-labelledby': 'checkhead', class: 'stack' }, h('h2', { id: 'checkhead' }, 'Check'), place);
}
