// What the container has: its folders, its databases and other items, and what `doctor` says of it.

import { code, h, icon, put, s, text } from '../lib/dom.js';
import { bytes, count, counted, fileName, folderName } from '../lib/format.js';
import { empty } from '../lib/load.js';
import { to } from '../lib/route.js';
import { findings } from './findings.js';

const groups = [
  ['database', 'Databases'], ['timetable', 'Timetables'], ['tileset', 'Maps'], ['packs', 'Packs'], ['ledger', 'Files that the app recorded'],
];
const kinds = { container: 'App container', folder: 'Folder', database: 'Database', tileset: 'Map tileset', timetable: 'Timetable', packs: 'Pack store' };
const mostInGroup = 30;

/** How a database or a container is read, and why. */
export function modeTag(mode) {
  return mode === 'live'
    ? h('span', { class: 'tag ok' }, 'Live')
    : h('span', { class: 'tag note' }, 'Copied');
}

export function show({ main, overview, parameters, signal, refresh }) {
  put(main,
    h('header', { class: 'head' },
      h('div', { class: 'line' }, h('h1', { tabindex: '-1' }, text(overview.name, 200)),
        h('span', { class: 'tag' }, kinds[overview.kind] ?? overview.kind), modeTag(overview.mode)),
      h('p', { class: 'path' }, code(overview.path, 1000)),
      h('p', { class: 'why' }, text(overview.mode_reason, 1000))),
    facts(overview),
    overview.roots.length ? roots(overview) : null,
    findings(overview, signal),
    items(overview, parameters.get('all')),
    overview.unreadable.length ? unreadable(overview.unreadable) : null,
    h('div', { class: 'row small muted foot' },
      h('button', { type: 'button', onclick: (event) => { event.target.disabled = true; refresh(); } }, 'Look again'),
      overview.map_engine ? `Maps are drawn by MapLibre GL JS ${overview.map_engine_version}.`
        : text(overview.map_engine_reason ?? 'There is no map engine, so maps are not drawn.', 500),
      overview.map_engine ? h('a', { href: 'engine/LICENSE.txt', target: '_blank', rel: 'noopener' }, 'Its license') : null));
}

function facts(overview) {
  const databases = overview.items.filter((item) => item.kind === 'database');
  const logs = databases.reduce((sum, item) => sum + (item.log_bytes ?? 0), 0);
  return h('dl', { class: 'facts' },
    fact('Size', bytes(overview.bytes)),
    fact('Files', count(overview.files)),
    fact('Databases', count(databases.length)),
    fact('Write-ahead logs', bytes(logs)));
}

function fact(name, value) {
  return h('div', null, h('dt', null, name), h('dd', null, value));
}

function roots(overview) {
  const all = [...overview.roots].sort((one, other) => other.bytes - one.bytes);
  const total = all.reduce((sum, root) => sum + root.bytes, 0) || 1;
  let left = 0;
  const hue = (index) => `hue${Math.min(index, 5)}`;
  const bar = s('svg', { class: 'share', viewBox: '0 0 1000 14', preserveAspectRatio: 'none', 'aria-hidden': 'true' },
    all.map((root, index) => {
      const width = 1000 * root.bytes / total;
      const part = s('rect', { x: left, y: 0, width, height: 14, class: hue(index) });
      left += width;
      return part;
    }));
  return h('section', { class: 'block', 'aria-labelledby': 'roots' },
    h('h2', { id: 'roots' }, 'Folders'),
    h('div', { class: 'card' }, bar,
      h('table', null,
        h('thead', { class: 'unseen' }, h('tr', null, ['Folder', 'Files', 'Size'].map((name) => h('th', { scope: 'col' }, name)))),
        h('tbody', null, all.map((root, index) => h('tr', null,
          h('th', { scope: 'row' }, h('span', { class: `huespot ${hue(index)}`, 'aria-hidden': 'true' }), text(root.path || root.name, 200),
            root.path && root.path !== root.name ? h('span', { class: 'muted small' }, ' ', text(root.name, 120)) : null),
          h('td', { class: 'number muted' }, counted(root.files, 'file')),
          h('td', { class: 'number' }, bytes(root.bytes))))))));
}

function items(overview, all) {
  const parts = groups.flatMap(([kind, title]) => {
    const found = overview.items.filter((item) => item.kind === kind);
    if (!found.length) return [];
    const list = h('ul', { class: 'items' });
    const showAll = () => put(list, found.map(entry));
    put(list, found.slice(0, mostInGroup).map(entry));
    const section = h('section', { class: 'block', 'aria-labelledby': `group-${kind}` },
      h('h2', { id: `group-${kind}` }, title, ' ', h('span', { class: 'muted' }, count(found.length))), list);
    if (found.length > mostInGroup) {
      if (all === kind) showAll();
      else {
        section.append(h('p', null, h('button', { type: 'button', class: 'quiet', onclick: (event) => {
          showAll();
          event.target.closest('p').remove();
          list.children[mostInGroup]?.querySelector('a')?.focus();
        } }, `Show all ${count(found.length)}`)));
      }
    }
    return [section];
  });
  if (parts.length) return parts;
  return h('section', { class: 'block' }, empty('There is no database, map, timetable or pack here.',
    h('p', null, 'The inspector recognizes them by their first bytes, whatever their names are.')));
}

function entry(item) {
  const folder = folderName(item.path);
  return h('li', null, h('a', { href: to(item.id) }, icon(item.kind),
    h('span', { class: 'what' }, h('strong', null, text(fileName(item.path), 200)),
      h('span', { class: 'sub' }, folder ? text(folder, 300) : null,
        item.note ? h('span', null, folder ? ' · ' : '', icon('note'), ' ', text(item.note, 300)) : null)),
    h('span', { class: 'size' }, bytes(item.bytes),
      item.log_bytes ? h('span', { class: 'sub' }, `+ ${bytes(item.log_bytes)} log`) : null,
      item.mode === 'live' ? h('span', null, ' ', modeTag('live')) : null)));
}

function unreadable(list) {
  return h('section', { class: 'block', 'aria-labelledby': 'unreadable' },
    h('h2', { id: 'unreadable' }, 'Not readable'),
    h('ul', { class: 'items' }, list.map((one) => h('li', null, h('div', { class: 'entry' }, icon('warning'),
      h('span', { class: 'what' }, text(one, 600)))))));
}
