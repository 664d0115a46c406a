// A table of values from a database, and the choice of its order.

import { h, icon, named, text } from './dom.js';
import { brief, isNumber } from '../views/values.js';

/**
 * A table of rows that scrolls within its own box.
 *
 * `open` is called with the index of the row that a reader opens; without it rows are not opened. `sorting` has
 * the column and the order of the rows, and what to do when a reader chooses others.
 */
export function grid({ label, columns, rows, open, sorting, linked = new Set(), tall = true }) {
  const numeric = columns.map((_, at) => rows.length > 0 && rows.every((row) => row[at] === null || isNumber(row[at])) && rows.some((row) => row[at] !== null));
  const heading = (name, at) => {
    const isSorted = sorting?.column === name;
    const sort = isSorted ? (sorting.order === 'desc' ? 'descending' : 'ascending') : null;
    return h('th', { scope: 'col', class: numeric[at] ? 'number' : null, 'aria-sort': sort },
      sorting ? h('button', { type: 'button', class: 'sort', onclick: () => sorting.choose(name, isSorted && sorting.order !== 'desc' ? 'desc' : 'asc') },
        h('span', { class: 'label' }, text(named(name, 60))), isSorted ? icon(sorting.order === 'desc' ? 'down' : 'up') : null)
        : h('span', null, text(named(name, 60))));
  };
  return h('div', { class: `scroll${tall ? ' tall' : ''}`, tabindex: '0', role: 'region', 'aria-label': label },
    h('table', { class: open ? 'rows opens' : 'rows' },
      h('thead', null, h('tr', null, open ? h('th', { scope: 'col' }, h('span', { class: 'unseen' }, 'Row')) : null, columns.map(heading))),
      h('tbody', null, rows.map((row, index) => h('tr', null,
        open ? h('td', null, h('button', { type: 'button', class: 'open', 'data-row': index, 'aria-label': `Open row ${index + 1} of this page`, onclick: () => open(index) }, 'Open')) : null,
        row.map((value, at) => h('td', { class: [isNumber(value) ? 'number' : '', linked.has(columns[at]) ? 'linked' : ''].join(' ').trim() || null }, brief(value))))))));
}
