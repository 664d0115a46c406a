// A value of a database: short in a table, whole in the form of a row.

import { clipped, h, put, text } from '../lib/dom.js';
import { address, get } from '../lib/api.js';
import { bytes } from '../lib/format.js';
import { indented } from '../lib/json.js';
import { load } from '../lib/load.js';

const images = new Set(['png', 'jpeg', 'gif', 'webp']);
const kinds = {
  png: 'PNG', jpeg: 'JPEG', gif: 'GIF', webp: 'WebP', heic: 'HEIC', pdf: 'PDF', bplist: 'property list', plist: 'property list',
  json: 'JSON', gzip: 'gzip', zlib: 'zlib', sqlite: 'SQLite', uuid: 'UUID', text: 'text', bytes: 'bytes',
};
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const mostInCell = 160;

/** Whether a value is shown at the end of its column. */
export function isNumber(value) {
  return typeof value === 'number' || typeof value?.integer === 'string' || typeof value?.real === 'string';
}

function uuidText(base64) {
  const digits = Array.from(atob(base64), (one) => one.charCodeAt(0).toString(16).padStart(2, '0')).join('').toUpperCase();
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** A value in a cell of a table. */
export function brief(value) {
  if (value === null) return h('span', { class: 'null' }, 'NULL');
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') {
    return value === '' ? h('span', { class: 'null' }, 'empty') : h('span', { class: 'string', dir: 'auto' }, clipped(value, mostInCell));
  }
  if (value.integer !== undefined) return value.integer;
  if (value.real !== undefined) return value.real;
  if (value.too_long) return h('span', { class: 'tag blob' }, tooLong(value));
  if (value.text !== undefined) return h('span', { class: 'string', dir: 'auto' }, clipped(value.text, mostInCell - 1), value.text.length < mostInCell ? '…' : '');
  if (value.kind === 'uuid') return h('span', null, uuidText(value.blob), ' ', h('span', { class: 'tag' }, 'UUID'));
  return h('span', { class: 'tag blob' }, `${kinds[value.kind] ?? value.kind} · ${bytes(value.bytes)}`);
}

function tooLong(value) {
  const kind = kinds[value.kind] ?? value.kind;
  return value.bytes === null ? `${kind} · longer than 64 MiB` : `${kind} · ${bytes(value.bytes)}`;
}

/** A value as a filter compares it; `null` where it cannot be written as a text. */
export function filterText(value) {
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  return value?.integer ?? value?.real ?? null;
}

/** The kind of a value in words. */
export function kindOf(value) {
  if (value === null) return 'NULL';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'real';
  if (value.integer !== undefined) return 'integer';
  if (value.real !== undefined) return 'real';
  if (value.too_long) return tooLong(value);
  if (value.blob !== undefined) return `blob, ${kinds[value.kind] ?? value.kind}, ${bytes(value.bytes)}`;
  if (value.text !== undefined) return `text, ${bytes(value.bytes)}`;
  if (uuid.test(value)) return 'text, UUID';
  return looksStructured(value) ? `text, ${value.startsWith('<') ? 'property list' : 'JSON'}` : 'text';
}

function looksStructured(value) {
  if (value.startsWith('<?xml') || value.startsWith('<!DOCTYPE plist')) return true;
  return /^\s*[{[]/.test(value) && indented(value) !== null;
}

/**
 * A value in the form of a row, with its other forms.
 *
 * `cell` has the parameters of the server's `cell`; without it only what is here is shown.
 */
export function full(value, database, cell, signal) {
  if (value === null || typeof value === 'number' || value.integer !== undefined || value.real !== undefined) {
    return h('div', { class: 'mono' }, brief(value));
  }
  if (value.too_long) return h('p', { class: 'muted' }, `${tooLong(value)}. The inspector reads values up to 64 MiB.`);
  const source = cell ? `api/database/${database}/cell` : null;
  if (typeof value === 'string') {
    const plain = () => h('pre', { class: 'whole', dir: 'auto' }, value === '' ? brief(value) : value);
    if (!looksStructured(value)) return plain();
    return h('pre', { class: 'whole boxed', dir: 'auto' }, indented(value) ?? value);
  }
  const place = h('div', { class: 'stack' });
  const readable = () => load(place, () => get(source, { ...cell, as: 'json' }, signal), (form) => [
    h('pre', { class: 'whole boxed', dir: 'auto', tabindex: '0' }, form.text),
    form.kind && form.kind !== value.kind ? h('p', { class: 'hint' }, `As ${kinds[form.kind] ?? form.kind}.`) : null,
  ], { signal });
  const download = source ? h('a', { href: address(source, cell), download: `${cell.column}.${extension(value.kind)}` }, 'Download') : null;
  if (value.text !== undefined) {
    return h('div', { class: 'stack' }, put(place, h('pre', { class: 'whole', dir: 'auto' }, `${value.text}…`)),
      source ? h('div', { class: 'row' }, h('button', { type: 'button', onclick: readable }, `Show all ${bytes(value.bytes)}`), download) : null);
  }
  if (value.kind === 'uuid') return h('div', null, h('code', null, uuidText(value.blob)), ' ', download);
  if (images.has(value.kind) && source) {
    put(place, h('img', { class: 'picture', src: address(source, cell), alt: `The image in this column, ${bytes(value.bytes)}`, loading: 'lazy' }));
  } else if (source) readable();
  else put(place, h('p', { class: 'mono' }, text(value.blob, 100)));
  return h('div', { class: 'stack' }, place, download);
}

function extension(kind) {
  return { jpeg: 'jpg', bplist: 'plist', gzip: 'gz', zlib: 'zz', bytes: 'bin', uuid: 'bin', text: 'txt' }[kind] ?? kind ?? 'txt';
}
