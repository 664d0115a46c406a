// What `doctor` finds: what, where, why, what to do, and the way to the row.

import { announce, clipped, code, h, icon, put, text } from '../lib/dom.js';
import { get } from '../lib/api.js';
import { count, counted, words } from '../lib/format.js';
import { empty, failure, skeleton } from '../lib/load.js';
import { to } from '../lib/route.js';
import { escaped } from './filters.js';

const severities = [['error', 'error'], ['warning', 'warning'], ['note', 'note']];
const pause = 500;
const mostAtOnce = 60;

// Whether a reader asked for the examination since the page was loaded.
let isAsked = false;

/** The section with the findings. The examination starts when a reader asks for it, and is kept for the next visit. */
export function findings(overview, signal) {
  const place = h('div', { id: 'found' });
  const section = h('section', { class: 'block', 'aria-labelledby': 'findings' },
    h('div', { class: 'blockhead' }, h('h2', { id: 'findings' }, 'Findings')), place);
  const begin = () => examine(place, section, signal, false);
  if (isAsked) begin();
  else {
    put(place, h('div', { class: 'card stack' },
      h('p', null, 'The examination reads every database, property list and JSON document, as ', h('code', null, 'holdfast doctor'),
        ' does. It takes some seconds for a large container, and changes nothing.'),
      h('p', null, h('button', { type: 'button', class: 'primary', onclick: begin }, 'Examine'))));
  }
  return section;
}

async function examine(place, section, signal, again) {
  isAsked = true;
  put(place, skeleton(4), h('p', { class: 'muted', id: 'progress' }, 'Examining…'));
  announce('Examining');
  let query = again ? { again: 1 } : {};
  for (;;) {
    let report;
    try {
      report = await get('api/findings', query, signal);
    } catch (error) {
      if (error.name !== 'AbortError') put(place, failure(error, () => examine(place, section, signal, false)));
      return;
    }
    query = {};
    if (signal.aborted) return;
    if (report.state === 'failed') {
      put(place, failure(report.error ?? { message: 'The examination failed.' }, () => examine(place, section, signal, true)));
      return;
    }
    if (report.state === 'none') {
      put(place, h('div', { class: 'card' }, report.summary.map((line) => h('p', { class: 'muted' }, text(line, 500)))));
      return;
    }
    if (report.state === 'done') {
      showReport(place, section, signal, report);
      return;
    }
    const progress = place.querySelector('#progress');
    if (progress && report.findings.length) progress.textContent = `Examining… ${counted(report.findings.length, 'finding')} so far`;
    await new Promise((resume) => setTimeout(resume, pause));
    if (signal.aborted) return;
  }
}

function showReport(place, section, signal, report) {
  const head = section.querySelector('.blockhead');
  head.querySelector('.row')?.remove();
  const numbers = severities.map(([severity]) => report.findings.filter((one) => one.severity === severity).length);
  announce(report.findings.length ? `${counted(report.findings.length, 'finding')}` : 'No findings');
  const list = h('div', { class: 'findings' });
  const chosen = new Set(severities.map(([severity]) => severity));
  const shown = () => report.findings.filter((one) => chosen.has(one.severity));
  const showList = (limit = mostAtOnce) => {
    const all = shown();
    put(list, all.slice(0, limit).map(finding));
    more.hidden = all.length <= limit;
    more.textContent = `Show all ${count(all.length)}`;
  };
  const more = h('button', { type: 'button', class: 'quiet', onclick: () => showList(Infinity) });
  head.append(h('div', { class: 'row' },
    report.findings.length > 1 ? severities.map(([severity, name], index) => numbers[index] ? h('label', { class: 'check' },
      h('input', { type: 'checkbox', checked: true, onchange: (event) => {
        if (event.target.checked) chosen.add(severity);
        else chosen.delete(severity);
        showList();
      } }), h('span', { class: `tag ${severity}` }, icon(severity), counted(numbers[index], name))) : null) : null,
    h('button', { type: 'button', onclick: () => examine(place, section, signal, true) }, 'Examine again')));
  if (!report.findings.length) {
    put(place, h('div', { class: 'card' }, h('p', { class: 'lead' }, icon('ok'), ' Nothing that will hurt was found.'),
      report.summary.map((line) => h('p', { class: 'muted' }, text(line, 500)))));
    return;
  }
  put(place, list, h('p', null, more), report.summary.length
    ? h('p', { class: 'muted small' }, report.summary.map((line) => [text(line, 500), ' '])) : null);
  showList();
}

function target(link) {
  if (!link?.item) return null;
  if (!link.table) return to(link.item);
  // What is wrong in a column is seen best where the column has a value.
  const where = link.column ? `${escaped(link.column)}:notnull:` : null;
  return to(link.item, 'rows', { table: link.table, where: link.where ?? where });
}

function finding(one) {
  const place = [one.table, one.column].filter(Boolean).map((name) => clipped(name, 120)).join('.');
  const address = target(one.link);
  return h('article', { class: 'finding' }, icon(one.severity),
    h('div', { class: 'body' },
      h('h3', null, text(one.message, 1000)),
      h('p', { class: 'where' }, h('span', { class: `tag ${one.severity}` }, words(one.severity)), ' ', words(one.kind),
        ' · ', code(one.file, 400), place ? [' · ', code(place)] : null, one.key ? [' · ', code(one.key, 120)] : null,
        one.count > 1 ? ` · ${count(one.count)} times` : null),
      one.reason ? h('p', null, text(one.reason, 2000)) : null,
      one.advice ? h('p', null, h('strong', null, 'What to do: '), text(one.advice, 2000)) : null,
      one.example ? h('dl', { class: 'change' }, h('dt', null, one.becomes ? 'Stored' : 'For example'), h('dd', null, code(one.example, 1000)),
        one.becomes ? [h('dt', null, 'Store instead'), h('dd', null, code(one.becomes, 1000))] : null) : null,
      address ? h('p', null, h('a', { href: address }, !one.link.table ? 'Show it'
        : [one.link.where ? 'Show the row in ' : 'Show the rows of ', text(one.link.table, 80)])) : null));
}
