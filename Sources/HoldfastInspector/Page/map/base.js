// The app's own map below what a timetable shows, where the container has one of the same area.

import { get } from '../lib/api.js';

const mostTilesets = 8;
// The least part of the timetable's area that a tileset must cover.
const leastShare = 0.25;
// The most areas of the timetable's size that are drawn from one tile: a map of the world says nothing of a town.
const mostAreas = 16;

function overlap([west, south, east, north], [otherWest, otherSouth, otherEast, otherNorth]) {
  const width = Math.min(east, otherEast) - Math.max(west, otherWest);
  const height = Math.min(north, otherNorth) - Math.max(south, otherSouth);
  return width > 0 && height > 0 ? width * height : 0;
}

/** The tileset that covers most of an area, and of those the one with the most detail; `null` if none does. */
export async function tilesetFor(bounds, overview, signal) {
  if (!bounds) return null;
  // A line of stops has no area.
  const area = [bounds[0] - 1e-4, bounds[1] - 1e-4, bounds[2] + 1e-4, bounds[3] + 1e-4];
  const items = overview.items.filter((item) => item.kind === 'tileset').slice(0, mostTilesets);
  const found = await Promise.all(items.map(async (item) => {
    try {
      const tileset = await get(`api/tileset/${item.id}`, {}, signal);
      const tile = 360 / 2 ** (tileset.maxzoom ?? 22);
      if (tile > mostAreas * Math.max(area[2] - area[0], area[3] - area[1])) return null;
      const share = tileset.bounds?.length === 4 ? overlap(area, tileset.bounds) / overlap(area, area) : 0;
      return { item, tileset, share };
    } catch {
      // Its own page says what is wrong with it.
      return null;
    }
  }));
  const able = found.filter((one) => one && one.share >= leastShare);
  able.sort((one, other) => other.share - one.share || (other.tileset.maxzoom ?? 0) - (one.tileset.maxzoom ?? 0));
  return able[0] ?? null;
}

/** The app's style for a theme, or the one that draws each layer. */
export async function baseStyle({ item, tileset }, theme, signal) {
  const names = (tileset.styles ?? []).map((style) => style.id);
  const other = theme === 'dark' ? 'light' : 'dark';
  const style = names.find((name) => name.includes(theme)) ?? (theme === 'light' ? names.find((name) => !name.includes(other)) : null) ?? '';
  return get(`api/tileset/${item.id}/style`, { theme, style }, signal);
}

/** A style with the layers of another one below its own, which are above a veil. */
export function above(base, own, ground) {
  if (!base) return own;
  return {
    ...own,
    sources: { ...base.sources, ...own.sources },
    layers: [
      ...base.layers.map((layer) => ({ ...layer, id: `base ${layer.id}` })),
      { id: 'veil', type: 'background', paint: { 'background-color': ground, 'background-opacity': 0.4 } },
      ...own.layers.filter((layer) => layer.id !== 'ground'),
    ],
  };
}
