// A tileset: its map in the app's styles and in one of its own, what is under the pointer, and what a check says.

import { code, h, put, text } from '../lib/dom.js';
import { get } from '../lib/api.js';
import { bytes, count, fileName } from '../lib/format.js';
import { plain } from '../lib/plain.js';
import { load } from '../lib/load.js';
import { to } from '../lib/route.js';
import { followTheme, makeMap, mapBeingMade, noMap, preferredTheme, reasonForNoMap } from '../map/engine.js';
import { features } from './features.js';
import { tileCheck } from './tilecheck.js';

const world = [[-180, -60], [180, 75]];

export function show(context) {
  const { main, item, signal, overview } = context;
  const body = h('div');
  put(main,
    h('header', { class: 'head' },
      h('div', { class: 'line' }, h('h1', { tabindex: '-1' }, text(fileName(item.path), 200)), h('span', { class: 'tag' }, 'Map tileset')),
      h('p', { class: 'path' }, code(item.path, 1000)),
      item.database ? h('p', { class: 'small' }, h('a', { href: to(item.database) }, 'Its tables')) : null),
    body);
  load(body, () => get(`api/tileset/${item.id}`, {}, signal), (tileset) => content(tileset, item, overview, signal), { signal, lines: 10 });
}

function content(tileset, item, overview, signal) {
  const stage = h('div', { class: 'stage' });
  const panel = h('div', { class: 'panel stack' });
  const reason = reasonForNoMap(overview);
  const shared = { map: null, onStyle: [] };
  if (reason) put(stage, noMap(reason));
  else panel.append(controls(tileset, item, stage, shared, signal));
  panel.append(tileCheck(item, shared, signal), metadata(tileset, item));
  return h('div', { class: 'withmap' }, stage, panel);
}

/** The choice of the style, and all that belongs to the drawn map. */
function controls(tileset, item, stage, shared, signal) {
  const chosen = { theme: preferredTheme(), style: '', themeIsChosen: false };
  const layers = h('div');
  const remark = h('p', { class: 'hint', role: 'status' });
  const found = features(shared);
  put(stage, mapBeingMade());

  const draw = async () => {
    try {
      const style = await get(`api/tileset/${item.id}/style`, { theme: chosen.theme, style: chosen.style }, signal);
      if (signal.aborted) return;
      if (shared.map) shared.map.map.setStyle(style, { diff: false });
      else {
        const bounds = tileset.bounds?.length === 4 ? [tileset.bounds.slice(0, 2), tileset.bounds.slice(2)] : world;
        const made = await makeMap({ into: stage, style, bounds, label: `Map of ${fileName(item.path)}` });
        if (signal.aborted) {
          made.remove();
          return;
        }
        signal.addEventListener('abort', made.remove);
        shared.map = made;
        if (tileset.attribution) stage.append(h('p', { class: 'hint attribution' }, text(plain(tileset.attribution), 300)));
        made.map.on('style.load', () => shared.onStyle.forEach((one) => one(made.map)));
        made.map.on('error', (event) => found.problem(event.error?.message));
        found.begin(made.map);
        shared.onStyle.forEach((one) => made.map.isStyleLoaded() && one(made.map));
      }
      showLayers(style);
    } catch (error) {
      if (error.name === 'AbortError') return;
      if (shared.map) found.problem(error.message);
      else put(stage, noMap(error.message));
    }
  };
  const showLayers = (style) => {
    const groups = new Map();
    for (const layer of style.layers) {
      const name = layer['source-layer'] ?? (layer.source ? layer.type : 'background');
      groups.set(name, [...(groups.get(name) ?? []), layer.id]);
    }
    put(layers, h('ul', { class: 'layers' }, [...groups].map(([name, ids]) => h('li', null, h('label', { class: 'check' },
      h('input', { type: 'checkbox', checked: true, onchange: (event) => ids.forEach((id) => {
        if (shared.map?.map.getLayer(id)) shared.map.map.setLayoutProperty(id, 'visibility', event.target.checked ? 'visible' : 'none');
      }) }), text(name, 80), h('span', { class: 'muted small' }, ids.length > 1 ? `${ids.length} layers` : ''))))));
  };
  const themes = h('fieldset', { class: 'choice' }, h('legend', { class: 'unseen' }, 'Theme'), ['light', 'dark'].map((theme) => h('label', null,
    h('input', { type: 'radio', name: 'theme', value: theme, checked: theme === chosen.theme, onchange: () => {
      Object.assign(chosen, { theme, themeIsChosen: true });
      draw();
    } }), theme === 'light' ? 'Light' : 'Dark')));
  const styles = tileset.styles ?? [];
  followTheme((theme) => {
    if (chosen.themeIsChosen) return;
    chosen.theme = theme;
    themes.querySelector(`[value="${theme}"]`).checked = true;
    draw();
  }, signal);
  draw();
  return h('section', { class: 'stack onmap', 'aria-label': 'The map' },
    h('div', { class: 'row' },
      h('label', { for: 'style', class: 'unseen' }, 'Style'),
      h('select', { id: 'style', onchange: (event) => {
        chosen.style = event.target.value;
        put(remark, text(styles.find((one) => one.id === chosen.style)?.note ?? '', 400));
        themes.disabled = chosen.style !== '';
        draw();
      } }, h('option', { value: '' }, 'Each layer of the tileset'), styles.map((one) => h('option', { value: one.id }, one.name.slice(0, 80)))),
      themes),
    remark,
    h('label', { class: 'check' }, h('input', { type: 'checkbox', onchange: (event) => {
      if (shared.map) shared.map.map.showTileBoundaries = event.target.checked;
    } }), 'Borders of tiles'),
    found.node,
    h('details', { class: 'definition' }, h('summary', null, 'Layers'), h('div', null, layers)));
}

function metadata(tileset, item) {
  const rows = [
    ['Name', tileset.name], ['Description', tileset.description], ['Attribution', tileset.attribution && plain(tileset.attribution)],
    ['Version', tileset.version], ['Type', tileset.type],
    ['Format', [tileset.format, tileset.compression].filter(Boolean).join(', ')], ['Schema', tileset.schema],
    ['Zoom levels', tileset.minzoom === null ? null : `${tileset.minzoom} to ${tileset.maxzoom}`],
    ['Area', tileset.bounds?.map((one) => one.toFixed(4)).join(', ')], ['Center', tileset.center?.join(', ')],
    ['Size', bytes(item.bytes)],
  ].filter(([, value]) => value !== null && value !== undefined && value !== '');
  const layers = tileset.vector_layers ?? [];
  return h('section', { 'aria-labelledby': 'meta' }, h('h2', { id: 'meta' }, 'What the tileset says'), h('div', { class: 'card' },
    h('dl', { class: 'pairs' }, rows.map(([name, value]) => [h('dt', null, name), h('dd', null, text(value, 600))]),
      layers.length ? [h('dt', null, `Layers, ${count(layers.length)}`), h('dd', null, layers.map((layer, at) => [at ? ', ' : '', code(typeof layer === 'string' ? layer : layer.id, 60)]))] : null)));
}
