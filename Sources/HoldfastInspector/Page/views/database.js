// A database: its heading, and the way to its tables, rows, schema, search, queries and live events.

import { code, h, put, text } from '../lib/dom.js';
import { get } from '../lib/api.js';
import { bytes, count, fileName } from '../lib/format.js';
import { load } from '../lib/load.js';
import { to } from '../lib/route.js';
import { modeTag } from './overview.js';

const parts = [
  ['', 'Tables', () => import('./tables.js')],
  ['rows', 'Rows', () => import('./rows.js')],
  ['schema', 'Schema', () => import('./schema.js')],
  ['search', 'Search', () => import('./search.js')],
  ['query', 'Query', () => import('./query.js')],
  ['live', 'Live', () => import('./live.js')],
];

// The schema of the database that was shown last, so that its parts follow one another at once.
let last = null;

export function show(context) {
  const { main, item, part, signal, overview } = context;
  const body = h('div');
  const about = h('p', { class: 'why about' }, ' ');
  const modes = h('span', null, item.mode ? modeTag(item.mode) : null);
  const others = overview.items.filter((one) => one.database === item.id);
  put(main,
    h('header', { class: 'head' },
      h('div', { class: 'line' }, h('h1', { tabindex: '-1' }, text(fileName(item.path), 200)), modes),
      h('p', { class: 'path' }, code(item.path, 1000)),
      about,
      others.length ? h('p', { class: 'small' }, 'Also shown as ', others.map((one, index) => [index ? ' and ' : '',
        h('a', { href: to(one.id) }, { timetable: 'a timetable', tileset: 'a map', ledger: 'the app’s files' }[one.kind] ?? one.kind)]), '.') : null),
    h('nav', { class: 'parts', 'aria-label': 'Database' }, parts.map(([name, title]) =>
      h('a', { href: to(item.id, name), 'aria-current': name === part ? 'page' : null }, title))),
    body);
  main.querySelector('.parts [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  const view = parts.find(([name]) => name === part) ?? parts[0];
  load(body, async () => {
    const asking = last?.id === item.id && part !== '' ? last : get(`api/database/${item.id}`, {}, signal);
    const [database, module] = await Promise.all([asking, view[2]()]);
    last = database;
    return { database, module };
  }, ({ database, module }) => {
    put(modes, modeTag(database.mode));
    put(about, h('span', null, describe(database), ' '), text(database.mode_reason ?? '', 600));
    return module.show({ ...context, database });
  }, { signal, lines: 8 });
}

function describe(database) {
  const facts = [
    `${bytes(database.bytes)}${database.log_bytes ? ` + ${bytes(database.log_bytes)} log` : ''}`,
    database.journal_mode === 'wal' ? 'write-ahead log' : `journal ${database.journal_mode}`,
    `${count(database.page_count)} pages of ${count(database.page_size)} bytes`,
    database.encoding,
    `user_version ${database.user_version}`,
    database.application_id ? `application_id ${database.application_id}` : null,
    database.has_history ? 'keeps a history' : null,
    `SQLite ${database.sqlite}`,
  ];
  return `${facts.filter(Boolean).join(' · ')}.`;
}
