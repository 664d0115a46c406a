// Elements made without HTML text: what comes from data becomes a text node, and can never become an element.

const svgNames = 'http://www.w3.org/2000/svg';

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'value' || name === 'checked' || name === 'selected' || name === 'disabled') element[name] = value;
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** An element of HTML. An attribute that begins with `on` is a listener; children are nodes and texts. */
export function h(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** An element of SVG. */
export function s(tag, attributes, ...children) {
  return fill(document.createElementNS(svgNames, tag), attributes, children);
}

/** A text from data: isolated from the direction of the text around it, and cut after `limit` characters. */
export function text(value, limit = 300) {
  return h('bdi', null, clipped(value, limit));
}

/** A name from data in the font of code. */
export function code(value, limit = 300) {
  return h('code', { dir: 'auto' }, clipped(value, limit));
}

// Characters that cannot be seen, and those that turn the direction of what follows: a name would look like another.
const unseenCharacters = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/**
 * The first characters of a text, with an ellipsis where it was cut; never half of a character.
 *
 * Characters that cannot be seen are written as in Swift, such as `\u{202E}`.
 */
export function clipped(value, limit) {
  const whole = String(value).replaceAll(unseenCharacters, (one) => `\\u{${one.charCodeAt(0).toString(16).toUpperCase()}}`);
  if (whole.length <= limit) return whole;
  let end = limit;
  const unit = whole.charCodeAt(end - 1);
  if (unit >= 0xd800 && unit <= 0xdbff) end -= 1;
  return `${whole.slice(0, end)}…`;
}

/** A name of a table or a column, cut as by `clipped`; words in place of one that cannot be seen. */
export function named(name, limit) {
  if (name.trim() !== '') return clipped(name, limit);
  return name === '' ? '(no name)' : '(a name of spaces)';
}

/** A text that only assistive technology presents. */
export function unseen(value) {
  return h('span', { class: 'unseen' }, value);
}

/** Tells assistive technology what changed. */
export function announce(sentence) {
  document.getElementById('announcer').textContent = sentence;
}

const paths = {
  database: 'M3 4c0-1.1 2.2-2 5-2s5 .9 5 2-2.2 2-5 2-5-.9-5-2zM3 4v8c0 1.1 2.2 2 5 2s5-.9 5-2V4M3 8c0 1.1 2.2 2 5 2s5-.9 5-2',
  table: 'M2 3h12v10H2zM2 6.5h12M6 6.5V13',
  timetable: 'M4 2h8a1 1 0 0 1 1 1v8a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V3a1 1 0 0 1 1-1zM3 7h10M5.5 9.5h.01M10.5 9.5h.01M5 12l-1.5 2M11 12l1.5 2',
  tileset: 'M2 4l4-1.5 4 1.5 4-1.5v10L10 14l-4-1.5L2 14zM6 2.5v10M10 4v10',
  packs: 'M8 1.5l5.5 3v7l-5.5 3-5.5-3v-7zM2.5 4.5L8 7.5l5.5-3M8 7.5v7',
  ledger: 'M4 1.5h5L12.5 5v9.5H4zM9 1.5V5h3.5M6 8.5h4.5M6 11h4.5',
  overview: 'M2 7.5L8 2.5l6 5M4 6.5V13.5h8V6.5',
  error: 'M8 1.8a6.2 6.2 0 1 0 .01 0zM8 4.8v4M8 11.2h.01',
  warning: 'M8 2l6.5 11.5h-13zM8 6.5v3.5M8 11.8h.01',
  note: 'M8 1.8a6.2 6.2 0 1 0 .01 0zM8 7.3v4M8 4.8h.01',
  ok: 'M3 8.5l3.2 3.2L13 4.8',
  up: 'M8 13V3M4 7l4-4 4 4',
  down: 'M8 3v10M4 9l4 4 4-4',
};

/** A small drawing that repeats what a text next to it says. */
export function icon(name) {
  return s('svg', { viewBox: '0 0 16 16', width: 16, height: 16, class: `icon ${name}`, 'aria-hidden': 'true' },
    s('path', { d: paths[name] ?? paths.table }));
}

/** Replaces the content of an element. */
export function put(element, ...children) {
  element.replaceChildren(...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}
