// The map of a timetable: its lines, its stops, and what is chosen of them.

import { clipped, h, text } from '../lib/dom.js';
import { get } from '../lib/api.js';
import { colorsOf } from '../lib/line.js';
import { plain } from '../lib/plain.js';
import { linesOf } from '../lib/routes.js';
import { above, baseStyle, tilesetFor } from './base.js';
import { followTheme, makeMap, mapBeingMade, preferredTheme } from './engine.js';
import { around, unwrapped, wrapped } from './positions.js';

const palettes = {
  light: { ground: '#eef0ee', line: '#6c7672', casing: '#ffffff', stop: '#ffffff', edge: '#3b4340', chosen: '#c2571a', journey: '#0a6664', walk: '#50565a' },
  dark: { ground: '#161b1a', line: '#8b9893', casing: '#5b6661', stop: '#161b1a', edge: '#b9c4c0', chosen: '#ffa566', journey: '#74d2c8', walk: '#c3cac7' },
};
const nothing = { type: 'FeatureCollection', features: [] };
const mostStops = 4000;

function styleOf(theme, data, hasFewStops) {
  const color = palettes[theme];
  const opacity = ['case', ['boolean', ['get', 'faint'], false], 0.2, 1];
  const width = ['interpolate', ['linear'], ['zoom'], 8, 1.2, 14, 4];
  return {
    version: 8,
    sources: Object.fromEntries(['lines', 'stops', 'journey', 'chosen'].map((name) => [name, { type: 'geojson', data: data[name] }])),
    layers: [
      { id: 'ground', type: 'background', paint: { 'background-color': color.ground } },
      { id: 'casing', type: 'line', source: 'lines', layout: { 'line-cap': 'round', 'line-join': 'round' }, paint: { 'line-color': color.casing, 'line-width': ['interpolate', ['linear'], ['zoom'], 8, 2.4, 14, 7], 'line-opacity': opacity } },
      { id: 'lines', type: 'line', source: 'lines', layout: { 'line-cap': 'round', 'line-join': 'round' },
        paint: { 'line-color': ['coalesce', ['get', 'color'], color.line], 'line-width': width, 'line-opacity': opacity } },
      { id: 'stops', type: 'circle', source: 'stops', minzoom: hasFewStops ? 0 : 8, paint: {
        'circle-radius': ['interpolate', ['linear'], ['zoom'], 8, hasFewStops ? 3 : 1.5, 12, 3, 16, 6], 'circle-color': color.stop, 'circle-stroke-color': color.edge, 'circle-stroke-width': ['interpolate', ['linear'], ['zoom'], 8, 0.5, 14, 1.5] } },
      { id: 'journeycasing', type: 'line', source: 'journey', filter: ['==', ['get', 'type'], 'ride'], layout: { 'line-cap': 'round', 'line-join': 'round' }, paint: { 'line-color': color.casing, 'line-width': 10 } },
      { id: 'journey', type: 'line', source: 'journey', filter: ['==', ['get', 'type'], 'ride'], layout: { 'line-cap': 'round', 'line-join': 'round' }, paint: { 'line-color': ['coalesce', ['get', 'color'], color.journey], 'line-width': 6 } },
      { id: 'walk', type: 'line', source: 'journey', filter: ['==', ['get', 'type'], 'walk'], paint: { 'line-color': color.walk, 'line-width': 4, 'line-dasharray': [1, 1.2] } },
      { id: 'chosen', type: 'circle', source: 'chosen', paint: { 'circle-radius': 8, 'circle-color': color.chosen, 'circle-stroke-color': color.stop, 'circle-stroke-width': 3 } },
    ],
  };
}

function pointOf(stop) {
  return { type: 'Feature', properties: { stop_id: stop.stop_id, stop_name: stop.stop_name }, geometry: { type: 'Point', coordinates: [stop.stop_lon, stop.stop_lat] } };
}

const hasPlace = (stop) => typeof stop?.stop_lat === 'number' && typeof stop?.stop_lon === 'number';

/** The map of a timetable. `picked` gets a stop that a reader clicks on; it is replaced by each view that shows the map. */
export class TransitMap {
  picked = () => {};
  #made = null;
  #data = { lines: nothing, stops: nothing, journey: nothing, chosen: nothing };
  #label = h('div', { class: 'floating', hidden: true, dir: 'auto' });
  #labelled = null;
  #leaving = new AbortController();

  constructor(item, timetable, overview) {
    this.item = item;
    this.overview = overview;
    this.area = timetable.bounds;
    this.withBase = true;
    this.hasFewStops = timetable.stops < 500;
    this.bounds = timetable.bounds ? [timetable.bounds.slice(0, 2), timetable.bounds.slice(2)] : null;
    this.node = h('div', null, mapBeingMade());
    this.ready = this.#make();
  }

  /** The style, above the app's own map where there is one. */
  async #style(theme) {
    const own = styleOf(theme, this.#data, this.hasFewStops);
    if (!this.base || !this.withBase) return own;
    try {
      return above(await baseStyle(this.base, theme, this.#leaving.signal), own, palettes[theme].ground);
    } catch (error) {
      if (error.name !== 'AbortError') this.#problem(error.message);
      return own;
    }
  }

  async #draw(theme) {
    this.theme = theme;
    const style = await this.#style(theme);
    if (!this.#leaving.signal.aborted && this.theme === theme) this.#made.map.setStyle(style, { diff: false });
  }

  #problem(message) {
    this.remark.textContent = clipped(`The map of the app: ${message ?? 'it cannot be drawn.'}`, 200);
    this.remark.hidden = false;
  }

  /** The choice whether the app's own map is shown, and what is wrong with it. */
  #baseChoice() {
    return h('div', { class: 'under' }, h('label', { class: 'check' }, h('input', { type: 'checkbox', checked: this.withBase, onchange: (event) => {
      this.withBase = event.target.checked;
      this.remark.hidden = true;
      this.#draw(this.theme);
    } }), 'Map of the app'),
    this.base.tileset.attribution ? h('p', { class: 'small muted' }, text(plain(this.base.tileset.attribution), 120)) : null, this.remark);
  }

  async #make() {
    const { signal } = this.#leaving;
    const source = `api/timetable/${this.item.id}`;
    this.remark = h('p', { class: 'small', role: 'status', hidden: true });
    const [lines, base] = await Promise.all([linesOf(this.item), tilesetFor(this.area, this.overview, signal)]);
    this.base = base;
    this.theme = preferredTheme();
    for (const feature of lines.features) feature.geometry.coordinates = unwrapped(feature.geometry.coordinates);
    // The narrowest rectangle may cross the 180th meridian.
    if (this.bounds && this.bounds[1][0] - this.bounds[0][0] > 180) this.bounds = around(lines.features.flatMap((feature) => feature.geometry.coordinates)) ?? this.bounds;
    const made = await makeMap({ into: this.node, style: await this.#style(this.theme), bounds: this.bounds ?? [[-180, -60], [180, 75]], label: 'Map of lines and stops' });
    if (signal.aborted) {
      made.remove();
      return;
    }
    this.#made = made;
    made.box.append(this.#label);
    if (base) made.box.append(this.#baseChoice());
    made.map.on('error', (event) => this.#problem(event.error?.message));
    for (const feature of lines.features) feature.properties.color = colorsOf(feature.properties)?.ground.replaceAll(' ', ',') ?? null;
    this.lines = lines;
    this.#set('lines', lines);
    // What came before the style was ready is in none of its sources.
    made.map.on('style.load', () => { for (const [name, data] of Object.entries(this.#data)) this.#set(name, data); });
    followTheme((theme) => this.#draw(theme), signal);
    made.map.on('move', () => this.#moveLabel());
    made.map.on('mousemove', 'stops', (event) => this.#hover(event.features[0]));
    made.map.on('mouseleave', 'stops', () => this.#hover(null));
    made.map.on('click', 'stops', (event) => this.picked(event.features[0].properties));
    const fetchStops = async () => {
      const area = made.map.getBounds();
      const isWhole = area.getEast() - area.getWest() >= 360;
      const [west, east] = isWhole ? [-180, 180] : [wrapped(area.getWest()), wrapped(area.getEast())];
      const bounds = [west, area.getSouth(), east, area.getNorth()].map((one) => one.toFixed(6)).join(',');
      try {
        const answer = await get(`${source}/stops`, { bounds }, signal);
        this.#set('stops', { type: 'FeatureCollection', features: answer.stops.filter(hasPlace).slice(0, mostStops).map(pointOf) });
      } catch (error) {
        // The lines are shown nevertheless; a search says what is wrong.
        if (error.name !== 'AbortError') this.#set('stops', nothing);
      }
    };
    made.map.on('moveend', fetchStops);
    await fetchStops();
  }

  #set(name, data) {
    this.#data[name] = data;
    this.#made?.map.getSource(name)?.setData(data);
  }

  #hover(feature) {
    this.#made.map.getCanvas().style.cursor = feature ? 'pointer' : '';
    this.#showLabel(feature ? { name: feature.properties.stop_name, at: feature.geometry.coordinates } : this.chosenLabel ?? null);
  }

  #showLabel(label) {
    this.#labelled = label;
    this.#label.hidden = !label;
    if (!label) return;
    this.#label.textContent = clipped(label.name, 80);
    this.#moveLabel();
  }

  #moveLabel() {
    if (!this.#labelled || !this.#made) return;
    const point = this.#made.map.project(this.#labelled.at);
    const { clientWidth, clientHeight } = this.#made.box;
    this.#label.hidden = point.x < 0 || point.y < 0 || point.x > clientWidth || point.y > clientHeight;
    this.#label.style.left = `${point.x}px`;
    this.#label.style.top = `${point.y}px`;
  }

  /** Shows where stops are; goes there if one is. */
  choose(stops, isNear = true) {
    const placed = stops.filter(hasPlace);
    this.#set('chosen', { type: 'FeatureCollection', features: placed.map(pointOf) });
    this.chosenLabel = placed.length === 1 ? { name: placed[0].stop_name ?? placed[0].stop_id, at: [placed[0].stop_lon, placed[0].stop_lat] } : null;
    this.#showLabel(this.chosenLabel);
    if (placed.length === 1 && isNear && this.#made) {
      this.#made.map.jumpTo({ center: this.chosenLabel.at, zoom: Math.max(14, this.#made.map.getZoom()) });
    }
  }

  /** Draws a journey's legs, and goes there. */
  showJourney(journey) {
    const features = [];
    const stops = [];
    let last = null;
    for (const [index, leg] of (journey?.legs ?? []).entries()) {
      const calls = (leg.calls ?? []).filter(hasPlace);
      if (leg.type === 'ride') {
        const color = colorsOf(leg)?.ground.replaceAll(' ', ',') ?? this.#colorOf(leg.route_id);
        features.push({ type: 'Feature', properties: { type: 'ride', color }, geometry: { type: 'LineString', coordinates: unwrapped(calls.map((call) => [call.stop_lon, call.stop_lat])) } });
        if (calls.length) stops.push(calls[0], calls.at(-1));
        last = calls.at(-1) ?? last;
      } else {
        const next = journey.legs[index + 1]?.calls?.find(hasPlace);
        const [from, to] = ['from', 'to'].map((end) => ({ stop_lat: leg[`${end}_stop_lat`], stop_lon: leg[`${end}_stop_lon`] }));
        const ends = [hasPlace(from) ? from : last, hasPlace(to) ? to : next].filter(Boolean);
        if (ends.length === 2) {
          features.push({ type: 'Feature', properties: { type: 'walk' }, geometry: { type: 'LineString', coordinates: unwrapped(ends.map((one) => [one.stop_lon, one.stop_lat])) } });
        }
      }
    }
    this.#set('journey', { type: 'FeatureCollection', features });
    this.choose(stops, false);
    const bounds = around(features.flatMap((feature) => feature.geometry.coordinates));
    if (bounds && this.#made) this.#made.map.fitBounds(bounds, { padding: 70, maxZoom: 15, animate: false });
  }

  #colorOf(routeId) {
    return this.lines?.features.find((feature) => feature.properties.route_id === routeId)?.properties.color ?? null;
  }

  /** Shows one line among the others; all of them without an id. */
  showLine(routeId) {
    if (!this.lines) return;
    const own = this.lines.features.filter((feature) => feature.properties.route_id === routeId);
    for (const feature of this.lines.features) feature.properties.faint = own.length > 0 && !own.includes(feature);
    this.#set('lines', this.lines);
    const bounds = around(own.flatMap((feature) => feature.geometry.coordinates));
    if (bounds) this.#made?.map.fitBounds(bounds, { padding: 50, maxZoom: 15, animate: false });
    else if (this.bounds) this.#made?.whole();
  }

  /** Takes away what a view showed. */
  clear() {
    this.picked = () => {};
    this.chosenLabel = null;
    this.#showLabel(null);
    this.#set('journey', nothing);
    this.#set('chosen', nothing);
    if (this.lines?.features.some((feature) => feature.properties.faint)) {
      for (const feature of this.lines.features) feature.properties.faint = false;
      this.#set('lines', this.lines);
    }
  }

  remove() {
    this.#leaving.abort();
    this.#made?.remove();
  }
}
