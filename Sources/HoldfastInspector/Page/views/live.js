// What happens in a database now: commits, locks, and the length of its log.

import { clipped, code, h, icon, put, s, text, announce } from '../lib/dom.js';
import { bytes, count, counted, moment } from '../lib/format.js';
import { failure } from '../lib/load.js';
import { Lanes } from '../lib/lanes.js';
import { follow } from '../lib/stream.js';
import { drawTimeline } from './timeline.js';

const redraws = 250;
const mostCommits = 200;
const spans = [[15000, '15 s'], [60000, '1 min'], [300000, '5 min']];
const sentences = {
  connecting: ['note', 'Connecting'], open: ['ok', 'Live'], broken: ['warning', 'The connection is lost, and tried again'],
  hidden: ['note', 'Paused while the page is hidden'], ended: ['error', 'Ended'], refused: ['error', 'The server refused the connection'],
  full: ['warning', 'Other pages follow four databases already; close one of them'],
};

export function show({ item, signal }) {
  const lanes = new Lanes();
  const view = { span: spans[1][0], isPaused: false, withOwn: false, withIdle: false, isWAL: false, skew: 0, commits: 0, unheard: 0, state: null };
  // With a write-ahead log every open connection holds these two, whatever it does.
  const isIdle = (lock) => view.isWAL && lock.mode === 'read' && (lock.lock === 'SHARED' || lock.lock === 'DMS');
  const isShown = (lock) => (view.withOwn || !lock.own) && (view.withIdle || !isIdle(lock));
  const status = h('span', { class: 'tag note', id: 'livestate' }, 'Connecting');
  const remark = h('span', { class: 'muted small' });
  const svg = s('svg', { role: 'img', 'aria-label': 'Commits, locks and the length of the log over time; the tables below say the same', class: 'timeline' });
  const frame = h('div', { class: 'card lanes' }, svg);
  const locks = h('div', { class: 'locksnow' });
  const log = h('div');
  const commits = h('tbody');
  const noCommits = h('p', { class: 'muted' }, 'None since the page was opened. Each commit of another process appears here when it happens.');
  const trouble = h('div');
  const commitTable = h('div', { class: 'scroll', hidden: true, tabindex: '0', role: 'region', 'aria-label': 'Commits' }, h('table', null, h('thead', null, h('tr', null,
    ['Time', 'Tables', 'Rows'].map((name) => h('th', { scope: 'col' }, name)))), commits));

  const now = () => Date.now() + view.skew;
  const draw = () => drawTimeline(svg, lanes, { now: now(), span: view.span, width: Math.max(240, Math.floor(frame.clientWidth - 32)), isShown });
  const setState = (name) => {
    const [kind, sentence] = sentences[name];
    status.className = `tag ${kind}`;
    put(status, icon(kind), sentence);
    if (name !== 'open' && name !== 'connecting') {
      lanes.interrupt(now());
      put(locks, h('p', { class: 'muted' }, 'Not known while nothing is heard of the database.'));
    }
    if (name === 'ended' || name === 'refused' || name === 'full') {
      put(remark, h('button', { type: 'button', onclick: () => {
        put(trouble, []);
        put(remark, []);
        again();
      } }, 'Connect again'));
    }
  };

  const showLocks = (list, isComplete, reason) => {
    const shown = list.filter(isShown);
    put(locks, shown.length ? h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Locks that are held now' }, h('table', null, h('thead', null, h('tr', null,
      ['Process', 'Lock', 'Mode', 'File'].map((name) => h('th', { scope: 'col' }, name)))),
    h('tbody', null, shown.map((lock) => h('tr', null,
      h('th', { scope: 'row' }, text(lock.process ?? 'process', 60), ' ', h('span', { class: 'muted' }, lock.pid), lock.stopped ? [' ', h('span', { class: 'tag warning' }, 'stopped')] : null),
      h('td', null, text(lock.lock, 60)),
      h('td', null, h('span', { class: `tag ${lock.mode.startsWith('write') ? 'warning' : 'note'}` }, lock.mode)),
      h('td', { class: 'muted' }, text(lock.file.split('/').at(-1), 80)))))))
      : h('p', { class: 'muted' }, list.some((lock) => !lock.own) ? 'No process reads or writes; idle connections hold their locks.' : 'No other process holds a lock.'),
    isComplete === false ? h('p', { class: 'small' }, icon('note'), ' ', text(reason ?? 'Locks of other users’ processes are not seen.', 400)) : null);
  };

  const showLog = (data) => {
    const { log_bytes: size, log_frames: frames, checkpointed_frames: done, oldest_reader: reader } = data;
    const share = frames ? Math.min(1, (done ?? 0) / frames) : 1;
    put(log, h('dl', { class: 'pairs' },
      h('dt', null, 'Length'), h('dd', null, bytes(size)),
      h('dt', null, 'Frames'), h('dd', null, typeof frames === 'number' ? `${count(frames)}, of which ${count(done ?? 0)} are in the database` : '–'),
      h('dt', null, 'Held back by'), h('dd', null, reader ? [text(reader.process ?? 'process', 60), ` ${reader.pid}, which reads frame ${count(reader.frame)} (READ mark ${reader.mark})`] : 'no reader')),
    typeof frames === 'number' ? s('svg', { class: 'share', viewBox: '0 0 1000 14', preserveAspectRatio: 'none', 'aria-hidden': 'true' },
      s('rect', { class: 'hue0', x: 0, y: 0, width: 1000 * share, height: 14 })) : null);
  };

  const commitRow = (data) => {
    const changes = data.changes ?? [];
    const tables = data.tables ?? [...new Set(changes.map((change) => change.table))];
    return h('tr', null,
      h('td', { class: 'mono' }, moment(data.time)),
      h('td', null, h('span', { class: 'row' }, data.tables === null && !changes.length ? h('span', { class: 'muted' }, 'not known which')
        : tables.slice(0, 12).map((name) => h('span', { class: 'tag' }, text(name, 60))))),
      h('td', { class: 'wide' }, changes.length ? h('details', null,
        h('summary', null, counted(changes.length, 'row'), changes[0].author ? [', by ', text(changes[0].author, 60)] : null),
        h('ul', null, changes.map((change) => h('li', { class: 'small' }, change.kind, ' ', text(change.table, 60), ' ', code(keyText(change.key), 120),
          change.author ? h('span', { class: 'muted' }, ' by ', text(change.author, 60)) : null)))) : h('span', { class: 'muted' }, 'no history')));
  };

  let current = [];
  let completeness = [true, null];
  const heard = (name, data) => {
    const time = Date.parse(data.time) || Date.now();
    view.skew = time - Date.now();
    if (name === 'error') {
      put(trouble, failure(data));
    } else if (name === 'commit') {
      lanes.noteCommit(time);
      view.commits += 1;
      view.unheard += 1;
      noCommits.hidden = true;
      commitTable.hidden = false;
      commits.prepend(commitRow(data));
      while (commits.childElementCount > mostCommits) commits.lastElementChild.remove();
      number.textContent = count(view.commits);
    } else if (name === 'log') {
      lanes.noteLog(data.log_bytes ?? 0, time, data.checkpoint);
      showLog(data);
    } else {
      if (name === 'state') {
        completeness = [data.locks_complete, data.locks_reason];
        view.isWAL = data.journal_mode === 'wal';
        lanes.noteLog(data.log_bytes ?? 0, time, false);
        showLog(data);
      }
      current = data.locks ?? [];
      lanes.note(current, time);
      showLocks(current, ...completeness);
    }
    if (!view.isPaused) draw();
  };

  const number = h('span', { class: 'muted' }, '0');
  const pause = h('button', { type: 'button', 'aria-pressed': 'false', onclick: () => {
    view.isPaused = !view.isPaused;
    pause.setAttribute('aria-pressed', String(view.isPaused));
    pause.textContent = view.isPaused ? 'Continue' : 'Hold the picture';
  } }, 'Hold the picture');
  const timers = [setInterval(() => { if (!view.isPaused && !document.hidden) draw(); }, redraws),
    setInterval(() => {
      if (view.unheard) announce(`${counted(view.unheard, 'commit')} seen`);
      view.unheard = 0;
    }, 10000)];
  const resized = new ResizeObserver(draw);
  resized.observe(frame);
  signal.addEventListener('abort', () => {
    timers.forEach(clearInterval);
    resized.disconnect();
  });
  showLocks([], true, null);
  const again = follow(item.id, { heard, changed: setState, signal });

  return [
    h('div', { class: 'tools' }, status, remark,
      h('span', { class: 'row push' },
        h('fieldset', { class: 'choice' }, h('legend', { class: 'unseen' }, 'How much time is shown'), spans.map(([span, name]) => h('label', null,
          h('input', { type: 'radio', name: 'span', checked: span === view.span, onchange: () => {
            view.span = span;
            draw();
          } }), name))), pause)),
    trouble,
    h('section', { 'aria-label': 'Time line' }, frame,
      h('div', { class: 'legend' }, [['read', 'read lock'], ['write', 'write lock'], ['waiting', 'waits for a lock'], ['commit', 'commit'], ['checkpoint', 'checkpoint']].map(([kind, name]) =>
        h('span', null, h('span', { class: `swatch ${kind}`, 'aria-hidden': 'true' }), name)),
      h('span', { class: 'row' }, [['withIdle', 'Idle connections'], ['withOwn', 'The inspector’s own locks']].map(([name, title]) => h('label', { class: 'check' },
        h('input', { type: 'checkbox', onchange: (event) => {
          view[name] = event.target.checked;
          delete svg.dataset.rows;
          showLocks(current, ...completeness);
          draw();
        } }), title))))),
    h('div', { class: 'pairof' },
      h('section', { class: 'block', 'aria-labelledby': 'locksnow' }, h('h2', { id: 'locksnow' }, 'Locks now'), locks),
      h('section', { class: 'block', 'aria-labelledby': 'lognow' }, h('h2', { id: 'lognow' }, 'Write-ahead log'), h('div', { class: 'card stack' }, log))),
    h('section', { class: 'block', 'aria-labelledby': 'commitsseen' }, h('h2', { id: 'commitsseen' }, 'Commits ', number), noCommits, commitTable),
  ];
}

function keyText(key) {
  return Object.entries(key ?? {}).map(([name, value]) => `${clipped(name, 40)}=${clipped(value === null ? 'NULL' : typeof value === 'object' ? JSON.stringify(value) : value, 80)}`).join(', ');
}
