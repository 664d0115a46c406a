// The states of a part of the page that is fetched: loading, content, or why there is none.

import { h, icon, put, text } from './dom.js';

/** A box that says what failed, why, and what to do, with a button where it can be tried again. */
export function failure(error, retry) {
  return h('div', { class: 'card failure', role: 'alert' },
    h('p', { class: 'lead' }, icon('error'), ' ', text(error.message, 2000)),
    error.file ? h('p', { class: 'muted' }, text(error.file, 500)) : null,
    error.advice ? h('p', null, text(error.advice, 2000)) : null,
    retry ? h('p', null, h('button', { type: 'button', onclick: retry }, 'Try again')) : null);
}

/** A box for what is empty, with what a reader may do now. */
export function empty(sentence, ...more) {
  return h('div', { class: 'card nothing' }, h('p', null, sentence), ...more);
}

/** Lines that keep the room of what is being fetched. */
export function skeleton(lines = 4) {
  return h('div', { class: 'skeleton', role: 'status' }, h('span', { class: 'unseen' }, 'Loading…'),
    Array.from({ length: lines }, () => h('span', { class: 'bone', 'aria-hidden': 'true' })));
}

/**
 * Fetches and shows, in `place`.
 *
 * `fetching` gets nothing and returns a promise; `showing` makes nodes of its value. What a newer call
 * of the same place fetches replaces what an older one does, in whatever order they come.
 */
export async function load(place, fetching, showing, { lines = 4, signal, keep = false } = {}) {
  const turn = {};
  place.turn = turn;
  place.setAttribute('aria-busy', 'true');
  if (!keep) put(place, skeleton(lines));
  const isCurrent = () => place.turn === turn && !signal?.aborted;
  try {
    const value = await fetching();
    if (isCurrent()) put(place, showing(value));
    return value;
  } catch (error) {
    if (isCurrent() && error.name !== 'AbortError') {
      put(place, failure(error, () => load(place, fetching, showing, { lines, signal })));
    }
    return null;
  } finally {
    if (place.turn === turn) place.removeAttribute('aria-busy');
  }
}
