// One row with all of its values whole, where its keys lead, and what leads to it.

import { code, h, named, put, text } from '../lib/dom.js';
import { get } from '../lib/api.js';
import { load } from '../lib/load.js';
import { to } from '../lib/route.js';
import { escaped } from './filters.js';
import { filterText, full, kindOf } from './values.js';

/** The filter for rows whose columns have these values; `null` where a value cannot be written as a text. */
function matching(columns, values) {
  const texts = values.map(filterText);
  return texts.includes(null) ? null : columns.map((column, at) => `${escaped(column)}:eq:${texts[at]}`);
}

/** Opens a page's row in a dialog, from where a reader goes on to the next. */
export function openRow({ item, database, table, page, index, signal }) {
  const title = h('h2', { id: 'rowtitle', tabindex: '-1' });
  const body = h('div', { class: 'dialogbody' });
  const closing = new AbortController();
  signal.addEventListener('abort', () => dialog.close());
  let at = index;
  const previous = h('button', { type: 'button', onclick: () => move(-1) }, 'Previous');
  const next = h('button', { type: 'button', onclick: () => move(1) }, 'Next');
  const dialog = h('dialog', { 'aria-labelledby': 'rowtitle' },
    h('div', { class: 'dialoghead' }, title,
      h('div', { class: 'row' }, previous, next, h('button', { type: 'button', onclick: () => dialog.close() }, 'Close'))), body);
  dialog.addEventListener('close', () => {
    closing.abort();
    dialog.remove();
    document.querySelector(`button.open[data-row="${at}"]`)?.focus();
  });
  dialog.addEventListener('click', (event) => {
    // The link leads to another view, in which this row is not open.
    if (event.target === dialog || event.target.closest('a[href^="#"]')) dialog.close();
  });
  const move = (step) => {
    at += step;
    showRow();
    (document.activeElement?.disabled || document.activeElement === document.body ? title : document.activeElement).focus();
  };
  const showRow = () => {
    previous.disabled = at === 0;
    next.disabled = at === page.rows.length - 1;
    const row = page.rows[at];
    put(title, text(named(table.name, 80)), row.key ? [' ', code(row.key.map((value) => filterText(value) ?? '…').join(', '), 80)] : null);
    const references = h('div');
    const types = new Map(table.columns.map((column) => [column.name, column]));
    put(body, h('dl', { class: 'fields' }, page.columns.map((name, column) => field(name, row.values[column], types.get(name), row, page))), references);
    if (row.key) {
      load(references, () => get(`api/database/${item.id}/row`, { table: table.name, key: JSON.stringify(row.key) }, closing.signal),
        (answer) => incoming(answer.references ?? []), { signal: closing.signal, lines: 1 });
    }
    dialog.scrollTop = 0;
  };
  const field = (name, value, column, row, of) => {
    const keys = table.foreign_keys.filter((key) => key.columns.includes(name));
    const cell = row.key ? { table: table.name, column: name, key: JSON.stringify(row.key) } : null;
    return h('div', null,
      h('dt', null, code(named(name, 120)), column?.type ? h('span', null, text(column.type, 60)) : null, h('span', null, kindOf(value))),
      h('dd', null, full(value, item.id, cell, closing.signal)),
      value === null ? null : keys.map((key) => {
        const values = key.columns.map((one) => row.values[of.columns.indexOf(one)] ?? null);
        const other = database.tables.find((one) => one.name.toLowerCase() === key.table.toLowerCase());
        const where = values.includes(null) ? null : matching(key.to?.length ? key.to : other?.key ?? [], values);
        return where?.length ? h('dd', null, h('a', { href: to(item.id, 'rows', { table: other?.name ?? key.table, where }) }, 'Follow to ', text(key.table, 60))) : null;
      }));
  };
  const incoming = (references) => references.length ? [h('h3', null, 'Rows that refer to this one'),
    h('ul', null, references.map((one) => {
      const where = matching(one.columns, one.values);
      return where ? h('li', null, h('a', { href: to(item.id, 'rows', { table: one.table, where }) }, text(one.table, 60), ', by ', text(one.columns.join(', '), 60))) : null;
    }))] : [];
  showRow();
  document.body.append(dialog);
  dialog.showModal();
  title.focus();
}
