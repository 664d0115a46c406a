// A store of packs: its generations, which is current, which process leases it, and whether its files are whole.

import { announce, code, h, icon, put, text } from '../lib/dom.js';
import { get } from '../lib/api.js';
import { bytes, counted, fileName, words } from '../lib/format.js';
import { empty, load } from '../lib/load.js';

export function show({ main, item, signal }) {
  const body = h('div');
  put(main,
    h('header', { class: 'head' },
      h('div', { class: 'line' }, h('h1', { tabindex: '-1' }, text(fileName(item.path), 200)), h('span', { class: 'tag' }, 'Pack store')),
      h('p', { class: 'path' }, code(item.path, 1000))),
    body);
  load(body, () => get(`api/packs/${item.id}`, {}, signal), (store) => content(store, item, signal), { signal, lines: 8 });
}

function content(store, item, signal) {
  const results = new Map();
  const keyOf = (one) => JSON.stringify([one.pack, one.edition, one.generation]);
  const groups = new Map();
  for (const one of store.generations) {
    const name = JSON.stringify([one.pack, one.edition]);
    groups.set(name, [...(groups.get(name) ?? []), one]);
  }
  const place = h('p', { class: 'row' });
  const begin = () => load(place, () => get(`api/packs/${item.id}/verify`, {}, signal), (answer) => {
    for (const one of answer.versions) {
      const cell = results.get(keyOf(one));
      if (!cell) continue;
      put(cell, one.ok ? h('span', { class: 'tag ok' }, icon('ok'), `${counted(one.files, 'file')} whole`)
        : [h('span', { class: 'tag error' }, icon('error'), counted(one.problems.length, 'problem')), h('ul', { class: 'small' }, one.problems.slice(0, 20).map((line) => h('li', null, text(line, 400))))]);
    }
    const bad = answer.versions.filter((one) => !one.ok).length;
    const sentence = bad ? `${counted(bad, 'version')} of ${answer.versions.length} with problems.` : 'Every file is the one of its manifest.';
    announce(sentence);
    return [icon(bad ? 'error' : 'ok'), ` ${sentence}`, h('button', { type: 'button', onclick: begin }, 'Verify again')];
  }, { signal, lines: 1 });
  put(place, h('button', { type: 'button', class: 'primary', onclick: begin }, 'Verify all files'), h('span', { class: 'hint' }, 'It reads each file and compares its digest.'));
  return [
    store.generations.length ? place : empty('This store has no packs.'),
    [...groups.values()].map((list) => group(list, results, keyOf)),
  ];
}

function group(list, results, keyOf) {
  const [{ pack, edition }] = list;
  return h('section', { class: 'block' },
    h('h2', null, text(pack, 120), edition ? h('span', { class: 'muted' }, ' · ', text(edition, 80)) : null),
    h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Versions' }, h('table', null,
      h('thead', null, h('tr', null, ['Version', 'State', 'Files', 'Size', 'Leased by', 'Verification'].map((name) =>
        h('th', { scope: 'col', class: name === 'Files' || name === 'Size' ? 'number' : null }, name)))),
      h('tbody', null, list.map((one) => {
        const cell = h('td', null, h('span', { class: 'muted' }, 'not yet'));
        results.set(keyOf(one), cell);
        return h('tr', null,
          h('th', { scope: 'row' }, text(one.version, 60), h('div', { class: 'muted small' }, code(one.generation, 80))),
          h('td', null, h('span', { class: `tag ${one.state === 'current' ? 'ok' : ''}` }, one.state === 'current' ? icon('ok') : null, words(one.state)), h('span', { class: 'muted small' }, one.origin ? ` ${one.origin}` : null)),
          h('td', { class: 'number' }, one.files), h('td', { class: 'number' }, bytes(one.bytes)),
          h('td', null, one.leases?.length ? one.leases.map((lease) => h('div', null, text(lease.process ?? 'process', 60), h('span', { class: 'muted' }, ` ${lease.pid ?? ''} ${lease.role ?? ''}${lease.held === false ? ', no longer runs' : ''}`))) : h('span', { class: 'muted' }, '–')),
          cell);
      })))));
}
