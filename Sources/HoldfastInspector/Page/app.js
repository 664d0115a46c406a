// The frame of the page: what the container has, at the side, and the view of what is chosen.

import { announce, clipped, h, icon, put, text } from './lib/dom.js';
import { get } from './lib/api.js';
import { failure, skeleton } from './lib/load.js';
import { current, to } from './lib/route.js';
import { fileName, folderName } from './lib/format.js';

const views = {
  overview: () => import('./views/overview.js'),
  database: () => import('./views/database.js'),
  timetable: () => import('./views/timetable.js'),
  tileset: () => import('./views/tileset.js'),
  ledger: () => import('./views/ledger.js'),
  packs: () => import('./views/packs.js'),
};

const groups = [
  ['database', 'Databases'], ['timetable', 'Timetables'], ['tileset', 'Maps'], ['packs', 'Packs'], ['ledger', 'Files'],
];
const mostInGroup = 12;

const main = document.getElementById('main');
const side = document.getElementById('side');
const menu = document.getElementById('menu');

let overview = null;
let leaving = new AbortController();
let isFirst = true;

function sideLink(item, repeated) {
  const name = fileName(item.path) || item.path;
  const folder = repeated.has(name) ? fileName(folderName(item.path)) : '';
  return h('li', null, h('a', { href: to(item.id), 'data-item': item.id },
    icon(item.kind), h('span', { class: 'name' }, text(name, 60), folder ? h('span', { class: 'muted' }, ' ', text(folder, 40)) : null)));
}

function showSide() {
  const parts = [h('ul', { class: 'links' }, h('li', null,
    h('a', { href: '#/', 'data-item': '' }, icon('overview'), h('span', { class: 'name' }, 'Overview'))))];
  for (const [kind, title] of groups) {
    const items = overview.items.filter((item) => item.kind === kind);
    if (!items.length) continue;
    const names = items.map((item) => fileName(item.path));
    const repeated = new Set(names.filter((name, index) => names.indexOf(name) !== index));
    const shown = items.slice(0, items.length <= mostInGroup + 3 ? items.length : mostInGroup);
    parts.push(h('h2', { id: `side-${kind}` }, title),
      h('ul', { class: 'links', 'aria-labelledby': `side-${kind}` }, shown.map((item) => sideLink(item, repeated)),
        items.length > shown.length
          ? h('li', null, h('a', { href: to('', '', { all: kind }), class: 'more' }, `All ${items.length}`)) : null));
  }
  parts.push(h('p', { class: 'version' }, `holdfast ${overview.version}`));
  put(side, parts);
}

function markSide(id) {
  for (const link of side.querySelectorAll('a[data-item]')) {
    if (link.dataset.item === id) {
      link.setAttribute('aria-current', 'page');
      link.scrollIntoView({ block: 'nearest' });
    } else link.removeAttribute('aria-current');
  }
}

function setMenu(isOpen) {
  menu.setAttribute('aria-expanded', String(isOpen));
  document.body.classList.toggle('with-menu', isOpen);
}

function title(...parts) {
  document.title = [...parts.filter(Boolean).map((part) => clipped(part, 80)), 'Holdfast'].join(' · ');
}

async function show() {
  leaving.abort();
  leaving = new AbortController();
  const { signal } = leaving;
  const place = current();
  const address = location.hash;
  setMenu(false);
  if (!overview) return;
  const item = place.item ? overview.items.find((one) => one.id === place.item) : null;
  markSide(item?.id ?? '');
  try {
    if (place.item && !item) {
      put(main, h('h1', { tabindex: '-1' }, 'Not here'), h('div', { class: 'card nothing' },
        h('p', null, 'What this address names is not in the container, or was not when the inspector looked.'),
        h('p', null, h('a', { href: '#/' }, 'Overview'))));
      title('Not here');
      return;
    }
    const view = await views[item?.kind ?? 'overview']();
    if (signal.aborted) return;
    title(item ? fileName(item.path) : overview.name);
    view.show({ main, item, overview, part: place.part, parameters: place.parameters, signal, refresh });
    if (!isFirst) {
      scrollTo(0, 0);
      main.querySelector('h1')?.focus({ preventScroll: true });
      announce(document.title);
    }
    isFirst = false;
    // What follows the page from outside waits for this.
    main.dataset.shown = address;
  } catch (error) {
    if (!signal.aborted) put(main, failure(error, show));
  }
}

/** Looks again at what the container has. */
async function refresh() {
  overview = await get('api/overview', { refresh: 1 });
  showSide();
  await show();
}

async function start() {
  put(main, skeleton(8));
  try {
    overview = await get('api/overview');
  } catch (error) {
    put(main, failure(error, start));
    return;
  }
  showSide();
  // A database, a tileset or a timetable that was named is what a reader wants to see first.
  const named = overview.items.find((item) => item.kind === overview.kind);
  if (!location.hash && named) history.replaceState(null, '', to(named.id));
  await show();
}

addEventListener('hashchange', show);
menu.addEventListener('click', () => setMenu(menu.getAttribute('aria-expanded') !== 'true'));
document.getElementById('skip').addEventListener('click', () => main.focus());
addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && document.body.classList.contains('with-menu')) {
    setMenu(false);
    menu.focus();
  }
});
start();
