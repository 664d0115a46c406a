// What is under the pointer on a map, or in its middle.

import { announce, clipped, h, icon, put, text } from '../lib/dom.js';
import { counted } from '../lib/format.js';
import { outlines } from '../map/tiles.js';

const most = 8;

/** The part of the panel that shows features. `begin` is called with the map when there is one. */
export function features() {
  const list = h('div', { class: 'stack' });
  const trouble = h('p', { class: 'small', role: 'status' });
  const hint = 'Point at the map. A click keeps what is there; with the keyboard, move the map by its arrow keys and ask for its middle.';
  let isKept = false;
  let map = null;
  put(list, h('p', { class: 'hint' }, hint));

  const showAt = (point, isAsked) => {
    const size = 4;
    const seen = new Set();
    const all = map.queryRenderedFeatures([[point.x - size, point.y - size], [point.x + size, point.y + size]])
      .filter((one) => !one.layer.id.startsWith('holdfast-'))
      .filter((one) => {
        const name = JSON.stringify([one.sourceLayer, one.id, one.properties]);
        return seen.has(name) ? false : seen.add(name);
      });
    if (!all.length && !isAsked) return;
    put(list, all.length ? all.slice(0, most).map(card) : h('p', { class: 'hint' }, 'Nothing is there.'),
      all.length > most ? h('p', { class: 'hint' }, `${all.length - most} more are not shown.`) : null);
    if (isAsked) announce(counted(all.length, 'feature'));
  };
  const release = h('button', { type: 'button', class: 'quiet', hidden: true, onclick: () => {
    isKept = false;
    release.hidden = true;
    put(list, h('p', { class: 'hint' }, hint));
    middle.focus();
  } }, 'Let go');
  const keep = (point) => {
    isKept = true;
    release.hidden = false;
    showAt(point, true);
  };
  const middle = h('button', { type: 'button', onclick: () => map && keep(map.project(map.getCenter())) }, 'At the middle');

  return {
    node: h('section', { 'aria-labelledby': 'features' }, h('div', { class: 'blockhead' }, h('h2', { id: 'features' }, 'Features'), h('span', { class: 'row' }, release, middle)),
      h('div', { class: 'card found' }, list), trouble),
    problem: (message) => put(trouble, message ? [icon('warning'), ' ', text(message, 300)] : []),
    begin: (made) => {
      map = made;
      let frame = 0;
      map.on('mousemove', (event) => {
        if (isKept) return;
        cancelAnimationFrame(frame);
        frame = requestAnimationFrame(() => showAt(event.point, false));
      });
      map.on('click', (event) => keep(event.point));
    },
  };
}

function card(feature) {
  const entries = Object.entries(feature.properties);
  return h('div', null,
    h('p', null, h('strong', null, text(feature.sourceLayer ?? feature.source, 80)), ' ', h('span', { class: 'muted small' },
      feature.geometry.type.toLowerCase(), feature.id !== undefined ? ` · id ${clipped(feature.id, 40)}` : null)),
    entries.length ? h('dl', { class: 'pairs small' }, entries.slice(0, 24).map(([name, value]) => [h('dt', null, text(name, 60)), h('dd', null, text(value, 300))])) : null);
}

/** The outlines of tiles over whatever style is shown. */
export function addOutlines(map, tiles) {
  const data = outlines(tiles);
  const source = map.getSource('holdfast-tiles');
  if (source) {
    source.setData(data);
    return;
  }
  const color = ['match', ['get', 'severity'], 'error', '#c2261d', '#b06f00'];
  map.addSource('holdfast-tiles', { type: 'geojson', data });
  map.addLayer({ id: 'holdfast-tiles-fill', type: 'fill', source: 'holdfast-tiles', paint: { 'fill-color': color, 'fill-opacity': 0.14 } });
  map.addLayer({ id: 'holdfast-tiles-line', type: 'line', source: 'holdfast-tiles', paint: { 'line-color': color, 'line-width': 2 } });
}
