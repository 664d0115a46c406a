// The lines of a timetable, fetched once, for the map, the list of lines, and the colors of badges.

import { get } from './api.js';

let last = { id: null, lines: null };

/** The lines of a timetable as GeoJSON. */
export function linesOf(item) {
  if (last.id !== item.id) {
    const lines = get(`api/timetable/${item.id}/lines`);
    last = { id: item.id, lines };
    // A failure is tried again by the next that asks.
    lines.catch(() => { last = { id: null, lines: null }; });
  }
  return last.lines;
}

/** The routes by their ids, with their colors. An answer that has none is shown without colors. */
export async function routesOf(item) {
  const lines = await linesOf(item).catch(() => ({ features: [] }));
  return new Map(lines.features.map((feature) => [feature.properties.route_id, feature.properties]));
}
