// The files that an app recorded: whether each is there, and what a repair would change.

import { announce, clipped, code, h, icon, put, text } from '../lib/dom.js';
import { get } from '../lib/api.js';
import { count, counted, fileName, words } from '../lib/format.js';
import { empty, load } from '../lib/load.js';
import { to } from '../lib/route.js';

const most = 200;
const answers = [['present', 'ok'], ['absent', 'error'], ['unknown', 'note']];

export function show({ main, item, signal }) {
  const body = h('div');
  put(main,
    h('header', { class: 'head' },
      h('div', { class: 'line' }, h('h1', { tabindex: '-1' }, 'Files recorded in ', text(fileName(item.path), 120))),
      h('p', { class: 'path' }, code(item.path, 1000)),
      item.database ? h('p', { class: 'small' }, h('a', { href: to(item.database) }, 'The database')) : null),
    body);
  load(body, () => get(`api/ledger/${item.id}`, {}, signal), content, { signal, lines: 10 });
}

function content(ledger) {
  const chosen = { answer: null, limit: most };
  const list = h('div');
  const showList = () => {
    const found = ledger.records.filter((record) => !chosen.answer || record.answer === chosen.answer);
    put(list, found.length ? records(found.slice(0, chosen.limit)) : empty('No record is so.'),
      found.length > chosen.limit ? h('p', null, h('button', { type: 'button', class: 'quiet', onclick: () => {
        chosen.limit = Infinity;
        showList();
      } }, `Show all ${count(found.length)}`)) : null);
    announce(counted(found.length, 'record'));
  };
  const choice = h('fieldset', { class: 'choice' }, h('legend', { class: 'unseen' }, 'Which records are shown'),
    [[null, 'All'], ...answers.map(([name]) => [name, words(name)])].map(([name, title]) => h('label', null,
      h('input', { type: 'radio', name: 'answer', checked: name === null, onchange: () => {
        Object.assign(chosen, { answer: name, limit: most });
        showList();
      } }), title)));
  showList();
  return [
    h('dl', { class: 'facts' }, answers.map(([name, kind]) => h('div', null, h('dt', null, icon(kind), ' ', words(name)), h('dd', null, count(ledger.counts[name] ?? 0))))),
    h('section', { class: 'block', 'aria-labelledby': 'repairs' }, h('h2', { id: 'repairs' }, 'What a repair would change'), repairs(ledger)),
    h('section', { class: 'block', 'aria-labelledby': 'records' }, h('div', { class: 'blockhead' }, h('h2', { id: 'records' }, 'Records'), choice), list,
      ledger.truncated ? h('p', { class: 'hint' }, `${count(ledger.records.length)} of ${counted(ledger.total, 'record')} are here; holdfast files status prints all.`) : null),
  ];
}

function records(list) {
  return h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Table of records' }, h('table', null,
    h('thead', null, h('tr', null, ['Record', 'Answer', 'Path', 'Stored'].map((name) => h('th', { scope: 'col' }, name)))),
    h('tbody', null, list.map((record) => {
      const kind = answers.find(([name]) => name === record.answer)?.[1] ?? 'note';
      return h('tr', null, h('th', { scope: 'row' }, text(record.id, 80)),
        h('td', null, h('span', { class: `tag ${kind}` }, icon(kind), words(record.answer)), record.state && record.state !== 'recorded' ? h('span', { class: 'muted small' }, ` ${record.state}`) : null),
        h('td', { class: 'wide' }, record.path ? code(record.path, 400) : '–'),
        h('td', { class: 'wide' }, record.stored === record.path ? h('span', { class: 'muted' }, 'the same') : record.stored ? code(record.stored, 400) : '–'));
    }))));
}

function repairs(ledger) {
  if (ledger.note) return h('p', { class: 'card' }, icon('note'), ' ', text(ledger.note, 600));
  if (!ledger.repairs.length) return h('p', { class: 'card' }, icon('ok'), ' Nothing: each record leads to its file, or is known to have none.');
  return h('ul', { class: 'items' }, ledger.repairs.slice(0, most).map((repair) => h('li', null, h('div', { class: 'entry' }, icon(repair.problem ? 'warning' : 'note'),
    h('div', { class: 'what' }, h('strong', null, text(repair.id, 80)), ' ', h('span', { class: 'tag' }, words(repair.action ?? 'none')),
      repair.found_by ? h('span', { class: 'muted small' }, ` found by ${clipped(words(repair.found_by).toLowerCase(), 40)}`) : null,
      h('dl', { class: 'change' }, h('dt', null, 'Now'), h('dd', null, repair.from === null ? h('span', { class: 'null' }, 'NULL') : code(repair.from, 600)),
        h('dt', null, 'Then'), h('dd', null, repair.to === null ? h('span', { class: 'null' }, 'NULL') : code(repair.to, 600))),
      repair.problem ? h('p', null, text(repair.problem, 600)) : null)))),
  ledger.repairs.length > most ? h('li', null, h('div', { class: 'entry' }, h('span', null), `${count(ledger.repairs.length - most)} more`)) : null);
}
