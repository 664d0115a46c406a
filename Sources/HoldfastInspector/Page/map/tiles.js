// Where a tile is on the map.

/** The ring around a tile of the XYZ scheme, as positions `[longitude, latitude]`. */
export function ring({ z, x, y }) {
  const count = 2 ** z;
  const longitude = (column) => column / count * 360 - 180;
  const latitude = (row) => Math.atan(Math.sinh(Math.PI * (1 - 2 * row / count))) * 180 / Math.PI;
  const [west, east, north, south] = [longitude(x), longitude(x + 1), latitude(y), latitude(y + 1)];
  return [[west, north], [east, north], [east, south], [west, south], [west, north]];
}

/** Tiles as GeoJSON, each with its own properties. */
export function outlines(tiles) {
  return { type: 'FeatureCollection', features: tiles.map((tile) => ({
    type: 'Feature', properties: { severity: tile.severity, number: tile.number }, geometry: { type: 'Polygon', coordinates: [ring(tile)] },
  })) };
}
