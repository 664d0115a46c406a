// The rows of a table: filtered, in the order of a column, page after page.

import { announce, h, named, put, text } from '../lib/dom.js';
import { get, patientGet } from '../lib/api.js';
import { exportLinks } from '../lib/exports.js';
import { count, counted, milliseconds } from '../lib/format.js';
import { grid } from '../lib/grid.js';
import { empty, load } from '../lib/load.js';
import { note, to } from '../lib/route.js';
import { filterRow, written } from './filters.js';
import { openRow } from './row.js';

const sizes = [50, 100, 500];

export function show({ item, database, parameters, signal }) {
  const tables = database.tables.filter((table) => !table.problem);
  if (!tables.length) return empty('This database has no tables that can be read.');
  const listed = tables.filter((table) => !table.hidden && table.type !== 'shadow');
  const name = parameters.get('table') ?? (listed[0] ?? tables[0]).name;
  const table = tables.find((one) => one.name === name);
  const broken = database.tables.find((one) => one.name === name && one.problem);
  if (broken) {
    return empty(h('span', null, 'SQLite cannot read ', text(named(name, 80)), ': ', text(broken.problem, 400), '.'),
      h('p', null, h('a', { href: to(item.id, 'schema') }, 'Its statement')));
  }
  if (!table) return empty('This database has no such table.', h('p', null, h('a', { href: to(item.id) }, 'All tables')));

  const state = {
    where: parameters.getAll('where'), sort: parameters.get('sort'), order: parameters.get('order'),
    limit: Number(parameters.get('limit')) || sizes[0], at: parameters.get('at'), after: null, before: null,
  };
  const source = `api/database/${item.id}`;
  const place = h('div');
  const total = h('span', { class: 'muted' }, '…');
  const exports = h('span', { class: 'row' });
  const problem = h('div');
  const wanted = () => ({ table: name, where: state.where, sort: state.sort, order: state.order });

  const fetchRows = (focus) => {
    note(item.id, 'rows', { ...wanted(), limit: state.limit === sizes[0] ? null : state.limit, at: state.at });
    put(exports, exportLinks(`${source}/export`, wanted(), 'these rows', problem));
    put(problem);
    load(place, () => get(`${source}/rows`, { ...wanted(), limit: state.limit, at: state.at, after: state.after, before: state.before }, signal),
      (page) => showPage(page, focus), { signal, lines: 12, keep: place.childElementCount > 0 });
  };
  const turn = (change, focus = null) => {
    Object.assign(state, { after: null, before: null, at: null }, change);
    fetchRows(focus);
  };
  const fetchTotal = async () => {
    total.textContent = '…';
    try {
      const answer = await patientGet(`${source}/count`, { table: name, where: state.where }, signal);
      total.textContent = answer.exact ? counted(answer.rows, 'row') : answer.rows === null ? 'many rows' : `at least ${counted(answer.rows, 'row')}`;
    } catch (error) {
      if (error.name !== 'AbortError') total.textContent = '';
    }
  };

  const showPage = (page, focus) => {
    const rows = page.rows.map((row) => row.values);
    const linked = new Set(table.foreign_keys.flatMap((key) => key.columns));
    announce(`${counted(rows.length, 'row')} shown`);
    const pager = h('nav', { class: 'pager', 'aria-label': 'Pages' },
      h('button', { type: 'button', disabled: !page.previous, 'data-focus': 'first', onclick: () => turn({}, 'next') }, 'First'),
      h('button', { type: 'button', disabled: !page.previous, 'data-focus': 'previous', onclick: () => turn({ before: page.previous }, 'previous') }, 'Previous'),
      h('button', { type: 'button', disabled: !page.next, 'data-focus': 'next', onclick: () => turn({ after: page.next }, 'next') }, 'Next'),
      h('span', { class: 'state' }, `${counted(rows.length, 'row')} in ${milliseconds(page.milliseconds)}`));
    if (focus) {
      queueMicrotask(() => {
        const wished = pager.querySelector(`[data-focus="${focus}"]`);
        (wished?.disabled ? pager.querySelector('button:not(:disabled)') : wished)?.focus({ preventScroll: true });
      });
    }
    if (!rows.length) {
      return [empty(state.where.length ? 'No row is as the filters say.' : state.at ? 'No row is there.' : 'This table has no rows.',
        state.where.length ? h('p', null, h('button', { type: 'button', onclick: () => setFilters([]) }, 'Remove the filters')) : null), page.previous ? pager : null];
    }
    return [grid({
      label: 'Rows', columns: page.columns, rows, linked,
      open: (index) => openRow({ item, database, table, page, index, signal }),
      sorting: { column: state.sort ?? (state.at === null && page.keys?.length === 1 ? page.keys[0] : null), order: state.order ?? 'asc',
        choose: (column, order) => {
          turn({ sort: column, order });
          queueMicrotask(() => place.querySelector('[aria-sort] button')?.focus());
        } },
    }), pager];
  };

  const list = h('div', { class: 'filters' });
  const setFilters = (where) => {
    state.where = where;
    showFilters();
    turn({});
    fetchTotal();
  };
  const form = h('form', { onsubmit: (event) => {
    event.preventDefault();
    setFilters([...list.querySelectorAll('.filter')].map(written).filter(Boolean));
  } }, list);
  const addFilter = (column, isFocused) => {
    const one = filterRow(table, column, () => {
      one.remove();
      form.requestSubmit();
    });
    list.append(one);
    if (isFocused) one.querySelector('select').focus();
    apply.hidden = false;
  };
  const apply = h('button', { type: 'submit', class: 'primary' }, 'Apply');
  const showFilters = () => {
    put(list, []);
    state.where.forEach((one) => addFilter(one, false));
    apply.hidden = !state.where.length;
  };
  form.append(h('div', { class: 'tools' },
    h('button', { type: 'button', onclick: () => addFilter(null, true) }, 'Add a filter'), apply,
    h('span', { class: 'row push' }, h('span', { class: 'muted' }, 'Export'), exports)));

  const jump = h('input', { type: 'text', size: 12, id: 'jump', value: state.at ?? '', autocomplete: 'off' });
  const tools = h('div', { class: 'tools' },
    h('label', { class: 'unseen', for: 'table' }, 'Table'),
    h('select', { id: 'table', onchange: (event) => { location.hash = to(item.id, 'rows', { table: event.target.value }); } },
      tables.map((one) => h('option', { value: one.name, selected: one.name === name, dir: 'auto' }, named(one.name, 80)))),
    total,
    table.key ? h('form', { class: 'row push', onsubmit: (event) => {
      event.preventDefault();
      turn({ at: jump.value.trim() || null });
    } }, h('label', { for: 'jump', class: 'muted' }, 'Begin at ', text(named(state.sort ?? table.key[0], 30))), jump, h('button', { type: 'submit' }, 'Go')) : null,
    h('label', { class: 'unseen', for: 'size' }, 'Rows on a page'),
    h('select', { id: 'size', class: table.key ? null : 'push', onchange: (event) => turn({ limit: Number(event.target.value) }) },
      sizes.map((size) => h('option', { value: size, selected: size === state.limit }, `${count(size)} a page`))));
  showFilters();
  fetchRows(null);
  fetchTotal();
  return [tools, form, problem, place];
}
