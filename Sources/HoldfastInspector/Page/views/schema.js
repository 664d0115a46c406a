// The schema: a diagram of what refers to what, and the statements that made it.

import { h, named, put, text } from '../lib/dom.js';
import { counted } from '../lib/format.js';
import { empty } from '../lib/load.js';
import { sql } from '../lib/sql.js';
import { to } from '../lib/route.js';
import { diagram } from './diagram.js';

export function show({ item, database }) {
  const tables = database.tables.filter((table) => !table.hidden && table.type !== 'shadow');
  if (!tables.length) return empty('This database has no tables.');
  const related = tables.filter((table) => table.columns?.length && (table.foreign_keys.length
    || tables.some((other) => other.foreign_keys?.some((key) => key.table.toLowerCase() === table.name.toLowerCase()))));
  const picture = h('div');
  const showDiagram = (isWhole) => put(picture, diagram(related, isWhole, (table) => to(item.id, 'rows', { table })));
  if (related.length) showDiagram(false);
  return [
    h('section', { 'aria-labelledby': 'diagram' },
      h('div', { class: 'blockhead' }, h('h2', { id: 'diagram' }, 'Foreign keys'),
        related.length ? h('label', { class: 'check' }, h('input', { type: 'checkbox', onchange: (event) => showDiagram(event.target.checked) }), 'All columns') : null),
      related.length ? [picture, keys(related)] : empty('No table of this database has a foreign key.')),
    h('section', { class: 'block', 'aria-labelledby': 'statements' },
      h('h2', { id: 'statements' }, 'Statements'),
      tables.map((table) => h('details', { class: 'definition', open: tables.length <= 3 },
        h('summary', null, h('strong', null, text(named(table.name, 120))), h('span', { class: 'muted small' }, summary(table))),
        h('div', null, table.sql ? sql(table.sql) : h('p', { class: 'muted' }, 'SQLite made this table itself.'),
          (table.indexes ?? []).filter((index) => index.sql).map((index) => sql(index.sql)),
          (table.triggers ?? []).filter((trigger) => trigger.sql).map((trigger) => sql(trigger.sql)))))),
  ];
}

function summary(table) {
  return [table.type, counted(table.columns?.length ?? 0, 'column'),
    table.indexes?.length ? counted(table.indexes.length, 'index', 'indexes') : null,
    table.triggers?.length ? counted(table.triggers.length, 'trigger') : null].filter(Boolean).join(' · ');
}

/** The same as the diagram, for those who cannot see it, and to be copied. */
function keys(tables) {
  const all = tables.flatMap((table) => table.foreign_keys.map((key) => [table, key]));
  return h('details', { class: 'definition' }, h('summary', null, 'As a list'), h('div', null, h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Table of foreign keys' }, h('table', null,
    h('thead', null, h('tr', null, ['Table', 'Columns', 'Refers to', 'When deleted'].map((name) => h('th', { scope: 'col' }, name)))),
    h('tbody', null, all.map(([table, key]) => h('tr', null,
      h('th', { scope: 'row' }, text(named(table.name, 80))), h('td', null, text(key.columns.join(', '), 120)),
      h('td', null, text(key.to?.length ? `${key.table} (${key.to.join(', ')})` : key.table, 160)),
      h('td', { class: 'muted' }, key.on_delete.toLowerCase()))))))));
}
