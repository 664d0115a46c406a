// Positions `[longitude, latitude]`: rectangles around them, and lines that cross the 180th meridian.

function range(numbers) {
  let [least, most] = [Infinity, -Infinity];
  for (const one of numbers) {
    least = Math.min(least, one);
    most = Math.max(most, one);
  }
  return [least, most];
}

/** The narrower rectangle around positions, which may cross the 180th meridian; `null` without any. */
export function around(positions) {
  if (!positions.length) return null;
  const [south, north] = range(positions.map((one) => one[1]));
  const [west, east] = range(positions.map((one) => one[0]));
  const [eastward, wrapped] = range(positions.map((one) => (one[0] < 0 ? one[0] + 360 : one[0])));
  return wrapped - eastward < east - west ? [[eastward, south], [wrapped, north]] : [[west, south], [east, north]];
}

/** A line that goes the short way across the 180th meridian. */
export function unwrapped(line) {
  let last = null;
  return line.map(([longitude, latitude]) => {
    const turns = last === null ? 0 : Math.round((last - longitude) / 360);
    last = longitude + turns * 360;
    return [last, latitude];
  });
}

/** A longitude from −180 to 180. */
export function wrapped(longitude) {
  return longitude - 360 * Math.round(longitude / 360);
}
