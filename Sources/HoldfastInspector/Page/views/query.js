// One statement that reads, its rows, and how SQLite finds them.

import { announce, code, h, icon, put, text } from '../lib/dom.js';
import { post } from '../lib/api.js';
import { exportLinks } from '../lib/exports.js';
import { counted, milliseconds } from '../lib/format.js';
import { grid } from '../lib/grid.js';
import { empty, load } from '../lib/load.js';
import { note } from '../lib/route.js';

// The statement of each database, until the page is closed.
const statements = new Map();

function quoted(name) {
  return /^[A-Za-z_]\w*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
}

export function show({ item, database, parameters, signal }) {
  const first = database.tables.find((table) => table.type === 'table' && !table.hidden && !table.problem);
  const suggestion = first ? `SELECT * FROM ${quoted(first.name)} LIMIT 100` : 'SELECT sqlite_version()';
  const place = h('div', { class: 'stack' });
  const exports = h('span', { class: 'row' });
  const problem = h('div');
  const field = h('textarea', { class: 'statement', id: 'statement', spellcheck: 'false', autocapitalize: 'off', autocomplete: 'off', dir: 'ltr', 'aria-describedby': 'statementhint' });
  field.value = parameters.get('sql') ?? statements.get(item.id) ?? suggestion;
  let asking = null;
  const run = () => {
    const statement = field.value.trim();
    if (!statement) {
      field.focus();
      return;
    }
    statements.set(item.id, statement);
    note(item.id, 'query', { sql: statement.length <= 2000 ? statement : null });
    asking?.abort();
    asking = new AbortController();
    signal.addEventListener('abort', () => asking.abort(), { once: true });
    put(exports);
    put(problem);
    load(place, () => post(`api/database/${item.id}/query`, { sql: statement, limit: 1000 }, asking.signal), (result) => {
      announce(`${counted(result.rows.length, 'row')} in ${milliseconds(result.milliseconds)}`);
      put(exports, h('span', { class: 'muted' }, 'Export'), exportLinks(`api/database/${item.id}/export`, { sql: statement }, 'the result', problem));
      return answer(result);
    }, { signal, lines: 6 });
  };
  field.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      run();
    }
  });
  if (parameters.get('sql')) run();
  return [
    h('form', { onsubmit: (event) => {
      event.preventDefault();
      run();
    } },
    h('label', { for: 'statement', class: 'unseen' }, 'A statement that reads'),
    field,
    h('div', { class: 'tools' }, h('button', { type: 'submit', class: 'primary' }, 'Run'),
      h('span', { class: 'hint', id: 'statementhint' }, h('kbd', null, 'Ctrl'), ' or ', h('kbd', null, '⌘'), ' with ', h('kbd', null, 'Enter'),
        '. A statement that would write is refused.'), h('span', { class: 'push' }, exports))),
    problem, place,
  ];
}

function answer(result) {
  return [
    h('p', { class: 'hint' }, `${counted(result.rows.length, 'row')} in ${milliseconds(result.milliseconds)}.`,
      result.truncated ? [' ', icon('warning'), ' ', text(result.truncated_reason ?? 'There are more rows.', 300)] : null),
    result.columns.length === 0 ? empty('The statement has no result.')
      : result.rows.length ? grid({ label: 'Result', columns: result.columns, rows: result.rows }) : empty('No row is as the statement says.',
        h('p', null, 'Its columns: ', result.columns.map((name, at) => [at ? ', ' : '', code(name, 60)]))),
    result.plan.length ? h('section', { 'aria-labelledby': 'plan' }, h('h2', { id: 'plan' }, 'Plan'), h('div', { class: 'card plan' }, tree(result.plan)),
      h('p', { class: 'hint' }, 'SCAN reads a whole table or index; SEARCH goes to the rows by an index.')) : null,
  ];
}

/** The steps of a plan, each within the one that it belongs to. */
function tree(plan) {
  const ids = new Set(plan.map((step) => step.id));
  const within = (parent) => {
    const steps = plan.filter((step) => (ids.has(step.parent) ? step.parent : 0) === parent && step.id !== parent);
    return steps.length ? h('ul', null, steps.map((step) => {
      const isCostly = /^SCAN (?!CONSTANT)/.test(step.detail) || /TEMP B-TREE/.test(step.detail);
      return h('li', { class: isCostly ? 'costly' : null }, h('span', { dir: 'auto' }, step.detail), within(step.id));
    })) : null;
  };
  return within(0);
}
