// Numbers, sizes and times as people read them.

const whole = new Intl.NumberFormat('en');
const short = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

/** A count with separators; a dash where there is none. */
export function count(number) {
  return typeof number === 'number' ? whole.format(number) : '–';
}

/** "1 row", "2 rows". */
export function counted(number, one, many = `${one}s`) {
  return `${count(number)} ${number === 1 ? one : many}`;
}

/** A size in the units of file managers: 1 KB is 1,000 bytes. */
export function bytes(number) {
  if (typeof number !== 'number') return '–';
  if (number < 1000) return `${number} B`;
  let value = number;
  for (const unit of ['KB', 'MB', 'GB', 'TB']) {
    value /= 1000;
    if (value < 999.95 || unit === 'TB') return `${short.format(value)} ${unit}`;
  }
  return '';
}

/** A duration in milliseconds. */
export function milliseconds(number) {
  if (typeof number !== 'number') return '–';
  return number < 1000 ? `${short.format(number)} ms` : `${short.format(number / 1000)} s`;
}

/** A duration in seconds as hours and minutes. */
export function duration(seconds) {
  const minutes = Math.round(seconds / 60);
  const hours = Math.floor(minutes / 60);
  return hours ? `${hours} h ${String(minutes % 60).padStart(2, '0')} min` : `${minutes} min`;
}

/** The time of day in an instant as it was written, in the zone of its own offset. */
export function clock(instant) {
  const found = /T(\d\d:\d\d)/.exec(instant ?? '');
  return found ? found[1] : '–';
}

/** The day of an instant, as it was written. */
export function day(instant) {
  return (instant ?? '').slice(0, 10);
}

const wall = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3 });

/** An instant as a time of day in this browser's zone, with milliseconds. */
export function moment(instant) {
  const date = new Date(instant);
  return Number.isNaN(date.getTime()) ? String(instant ?? '–') : wall.format(date);
}

/** The last component of a path. */
export function fileName(path) {
  return path.split('/').filter(Boolean).at(-1) ?? path;
}

/** A path without its last component. */
export function folderName(path) {
  const parts = path.split('/').filter(Boolean);
  return parts.length > 1 ? parts.slice(0, -1).join('/') : '';
}

/** A name such as `dead_reference` as words. */
export function words(name) {
  const spaced = String(name).replaceAll('_', ' ');
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}
