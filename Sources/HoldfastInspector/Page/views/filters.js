// What a filter of rows says, as fields and as the server's `COLUMN:OP:TEXT`.

import { h, named } from '../lib/dom.js';

const operators = [
  ['eq', 'is'], ['ne', 'is not'], ['contains', 'contains'], ['begins', 'begins with'], ['lt', 'less than'], ['le', 'at most'],
  ['gt', 'greater than'], ['ge', 'at least'], ['null', 'is NULL'], ['notnull', 'is not NULL'],
];
const withoutText = new Set(['null', 'notnull']);

/** A name as the first part of a filter. */
export function escaped(name) {
  return name.replaceAll('\\', '\\\\').replaceAll(':', '\\:');
}

/** A filter's parts. */
export function parsed(where) {
  const found = /^((?:[^:\\]|\\.)*):([a-z]+):([\s\S]*)$/.exec(where ?? '');
  return found ? { column: found[1].replaceAll(/\\(.)/gs, '$1'), operator: found[2], value: found[3] } : null;
}

/** The fields of one filter. */
export function filterRow(table, where, remove) {
  const now = parsed(where) ?? { column: table.columns[0]?.name, operator: 'eq', value: '' };
  // The key of a table need not be one of its columns.
  const names = [...new Set([...table.columns.map((column) => column.name), now.column])];
  const value = h('input', { type: 'text', 'aria-label': 'Value', value: now.value, autocomplete: 'off', name: 'value' });
  const setOperator = (operator) => { value.hidden = withoutText.has(operator); };
  setOperator(now.operator);
  return h('div', { class: 'filter', role: 'group', 'aria-label': 'Filter' },
    h('select', { 'aria-label': 'Column', name: 'column' }, names.map((name) =>
      h('option', { value: name, selected: name === now.column }, named(name, 60)))),
    h('select', { 'aria-label': 'Comparison', name: 'operator', onchange: (event) => setOperator(event.target.value) },
      operators.map(([name, title]) => h('option', { value: name, selected: name === now.operator }, title))),
    value,
    h('button', { type: 'button', 'aria-label': 'Remove this filter', onclick: remove }, 'Remove'));
}

/** The text of the filter that the fields say. */
export function written(fields) {
  const [column, operator] = [...fields.querySelectorAll('select')].map((select) => select.value);
  const value = fields.querySelector('input').value;
  if (withoutText.has(operator)) return `${escaped(column)}:${operator}:`;
  return `${escaped(column)}:${operator}:${value}`;
}
