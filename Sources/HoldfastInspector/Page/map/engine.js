// A map that MapLibre GL JS draws, or the reason why there is none.

import { h, put, text } from '../lib/dom.js';

let engine = null;

async function library() {
  engine ??= import('../engine/maplibre-gl.js').then((module) => {
    const maplibre = module.m.default;
    // Its own worker is made of a blob, which the page's policy forbids.
    maplibre.setWorkerUrl(new URL('engine/maplibre-gl-worker.js', document.baseURI).href);
    return maplibre;
  });
  return engine;
}

let drawing = null;

/** Whether this browser can draw maps. It is tried once, because browsers keep few contexts and end the oldest for a new one. */
function canDraw() {
  const canvas = document.createElement('canvas');
  drawing ??= Boolean(canvas.getContext('webgl2') ?? canvas.getContext('webgl'));
  return drawing;
}

const noDrawing = 'This browser draws no maps, because WebGL is switched off or not available. Everything else here works without a map.';

/** Why maps are not drawn; `null` if they are. */
export function reasonForNoMap(overview) {
  if (!overview.map_engine) return overview.map_engine_reason ?? 'The map engine is not installed.';
  return canDraw() ? null : noDrawing;
}

/** What stands where a map will be. */
export function mapBeingMade() {
  return h('div', { class: 'map coming', 'aria-busy': 'true' }, h('p', { class: 'muted' }, 'The map is being made…'));
}

/** What stands where a map would be. Elements beside it that make sense only with a map have the class `onmap`. */
export function noMap(reason) {
  return h('div', { class: 'map without' }, h('p', null, h('strong', null, 'No map')), h('p', null, text(reason, 500)));
}

/** The end of a sentence that says where a stop is chosen. */
export function orClick() {
  return [h('span', { class: 'onmap' }, ', or click on the map'), '.'];
}

const darkness = matchMedia('(prefers-color-scheme: dark)');

/** The theme that the reader's system prefers. */
export function preferredTheme() {
  return darkness.matches ? 'dark' : 'light';
}

/** Calls `changed` with the theme whenever the system's changes, until `signal` is aborted. */
export function followTheme(changed, signal) {
  darkness.addEventListener('change', () => changed(preferredTheme()), { signal });
}

// One stop alone, or all at one place, is shown with what is around it.
const fitting = { padding: 32, maxZoom: 16 };

/**
 * Makes a map in a box with buttons for its zoom, as the content of the element `into`.
 *
 * Nothing of the data reaches MapLibre's own texts, which are HTML: its attribution and its popups are not used.
 */
export async function makeMap({ into, style, bounds, label, maxZoom = 20 }) {
  const maplibre = await library();
  const canvas = h('div', { class: 'canvas' });
  const place = h('output', { class: 'place mono', 'aria-label': 'Position' });
  const box = h('div', { class: 'map' }, canvas, place);
  put(into, box);
  let map = null;
  try {
    map = new maplibre.Map({
      container: canvas, style, bounds, maxZoom, fitBoundsOptions: fitting, attributionControl: false, fadeDuration: 0,
      dragRotate: false, pitchWithRotate: false, touchPitch: false, validateStyle: true, locale: { 'Map.Title': label },
    });
  } catch (error) {
    // It says so in JSON.
    throw /WebGL/.test(error.message) ? new Error(noDrawing) : error;
  }
  map.touchZoomRotate.disableRotation();
  map.keyboard.disableRotation();
  const whole = () => map.fitBounds(bounds, { ...fitting, animate: false });
  const zoom = (step) => map.easeTo({ zoom: map.getZoom() + step, duration: 120 });
  box.append(h('div', { class: 'zoom' },
    h('button', { type: 'button', 'aria-label': 'Zoom in', onclick: () => zoom(1) }, '+'),
    h('button', { type: 'button', 'aria-label': 'Zoom out', onclick: () => zoom(-1) }, '−'),
    bounds ? h('button', { type: 'button', 'aria-label': 'Show all of it', onclick: whole }, '⤢') : null));
  const moved = () => {
    const { lng, lat } = map.getCenter();
    put(place, `${lat.toFixed(5)}, ${lng.toFixed(5)} · zoom ${map.getZoom().toFixed(1)}`);
  };
  map.on('move', moved);
  moved();
  const sized = new ResizeObserver(() => map.resize());
  sized.observe(canvas);
  return { map, box, whole, remove: () => {
    sized.disconnect();
    map.remove();
    box.remove();
  } };
}

