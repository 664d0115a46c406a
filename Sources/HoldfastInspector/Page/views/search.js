// The full-text search of a table, by what a user types.

import { announce, h, named, text } from '../lib/dom.js';
import { get } from '../lib/api.js';
import { counted, milliseconds } from '../lib/format.js';
import { grid } from '../lib/grid.js';
import { empty, load } from '../lib/load.js';
import { note } from '../lib/route.js';
import { openRow } from './row.js';

const pause = 150;

export function show({ item, database, parameters, signal }) {
  const tables = database.tables.filter((table) => table.search && !table.problem);
  if (!tables.length) {
    return empty('No table of this database has a full-text index.',
      h('p', null, 'In the rows of a table, the filter “contains” finds a text without an index, row after row.'));
  }
  const place = h('div');
  const table = h('select', { id: 'searched', onchange: () => search() }, tables.map((one) =>
    h('option', { value: one.name, selected: one.name === parameters.get('table') }, `${named(one.name, 80)} (${one.search})`)));
  const field = h('input', { type: 'search', id: 'words', value: parameters.get('match') ?? '', autocomplete: 'off', spellcheck: 'false', placeholder: 'Words, or their beginnings' });
  let timer = 0;
  field.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(search, pause);
  });
  const search = () => {
    clearTimeout(timer);
    const match = field.value.trim();
    note(item.id, 'search', { table: table.value, match });
    if (!match) {
      load(place, async () => null, () => empty('Type what to search for. The best match comes first.'), { signal, keep: true });
      return;
    }
    const searched = database.tables.find((one) => one.name === table.value);
    load(place, () => get(`api/database/${item.id}/search`, { table: table.value, match, limit: 100 }, signal), (page) => {
      announce(counted(page.rows.length, 'row'));
      if (!page.rows.length) return empty(['No row matches ', text(match, 100), '.']);
      return [h('p', { class: 'hint tools' }, `${counted(page.rows.length, 'row')} in ${milliseconds(page.milliseconds)}`),
        grid({ label: 'Rows that match', columns: page.columns, rows: page.rows.map((row) => row.values),
          open: (index) => openRow({ item, database, table: searched, page, index, signal }) })];
    }, { signal, keep: place.childElementCount > 0 });
  };
  search();
  return [
    h('form', { class: 'tools', role: 'search', onsubmit: (event) => {
      event.preventDefault();
      search();
    } }, h('label', { for: 'words' }, 'Search for'), field, h('label', { for: 'searched' }, 'in'), table),
    place,
  ];
}
