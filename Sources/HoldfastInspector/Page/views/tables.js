// The tables of a database with what they are, and how many rows they have.

import { h, icon, named, text } from '../lib/dom.js';
import { patientGet } from '../lib/api.js';
import { count, counted } from '../lib/format.js';
import { empty } from '../lib/load.js';
import { to } from '../lib/route.js';

const countsAtOnce = 3;
const kinds = { table: 'table', view: 'view', virtual: 'virtual', shadow: 'internal' };

export function show({ item, database, signal }) {
  if (!database.tables.length) return empty('This database has no tables.');
  const isInternal = (table) => table.hidden || table.type === 'shadow';
  const internal = database.tables.filter(isInternal);
  const own = database.tables.filter((table) => !isInternal(table));
  const counts = new Map();
  const body = h('tbody', null, own.map((table) => row(item, table, counts)));
  const hidden = h('tbody', { hidden: own.length > 0 }, internal.map((table) => row(item, table, counts)));
  fetchCounts(item, own.length ? own : internal, counts, signal);
  let isCounted = own.length === 0;
  return [
    internal.length && own.length ? h('div', { class: 'tools' }, h('span', { class: 'muted' }, counted(own.length, 'table')),
      h('label', { class: 'check push' }, h('input', { type: 'checkbox', onchange: (event) => {
        hidden.hidden = !event.target.checked;
        if (!isCounted) fetchCounts(item, internal, counts, signal);
        isCounted = true;
      } }), `Show ${count(internal.length)} of SQLite’s own and of search indexes`)) : null,
    h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Tables' }, h('table', null,
      h('thead', null, h('tr', null,
        h('th', { scope: 'col' }, 'Name'), h('th', { scope: 'col' }, 'Kind'), h('th', { scope: 'col', class: 'number' }, 'Rows'),
        h('th', { scope: 'col', class: 'number' }, 'Columns'), h('th', { scope: 'col', class: 'number' }, 'Indexes'),
        h('th', { scope: 'col' }, 'Refers to'))),
      body, hidden)),
  ];
}

function row(item, table, counts) {
  const cell = h('td', { class: 'number' }, table.problem ? '–' : h('span', { class: 'muted' }, '…'));
  counts.set(table.name, cell);
  const referred = [...new Set(table.foreign_keys?.map((key) => key.table) ?? [])];
  return h('tr', null,
    h('th', { scope: 'row', class: 'wide' }, h('a', { href: to(item.id, 'rows', { table: table.name }) }, text(named(table.name, 120))),
      table.problem ? h('p', { class: 'small' }, icon('error'), ' ', text(table.problem, 400)) : null),
    h('td', null, h('span', { class: 'row' }, h('span', { class: 'muted' }, kinds[table.type] ?? table.type),
      table.search ? h('a', { class: 'tag accent', href: to(item.id, 'search', { table: table.name }) }, `search, ${table.search}`) : null)),
    cell,
    h('td', { class: 'number' }, count(table.columns?.length ?? 0)),
    h('td', { class: 'number' }, table.indexes?.length ? count(table.indexes.length) : h('span', { class: 'muted' }, '–')),
    h('td', null, referred.length ? referred.slice(0, 6).map((name, index) => [index ? ', ' : '',
      h('a', { href: to(item.id, 'rows', { table: name }) }, text(named(name, 60)))]) : h('span', { class: 'muted' }, '–'),
      referred.length > 6 ? ` and ${referred.length - 6} more` : null));
}

async function fetchCounts(item, tables, cells, signal) {
  const waiting = tables.filter((table) => !table.problem).map((table) => table.name);
  const work = async () => {
    for (let name = waiting.shift(); name !== undefined && !signal.aborted; name = waiting.shift()) {
      const cell = cells.get(name);
      try {
        const answer = await patientGet(`api/database/${item.id}/count`, { table: name }, signal);
        cell.textContent = answer.exact ? count(answer.rows)
          : answer.rows === null ? 'many' : `≥ ${count(answer.rows)}`;
      } catch (error) {
        if (error.name === 'AbortError') return;
        cell.textContent = '–';
        cell.title = error.message;
      }
    }
  };
  await Promise.all(Array.from({ length: countsAtOnce }, work));
}
