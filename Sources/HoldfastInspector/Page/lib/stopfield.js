// A field for a stop: what a rider types, and the stops that it may mean.

import { clipped, h, put, text } from './dom.js';
import { get } from './api.js';

const pause = 120;
let number = 0;

/** The field with its list. `chosen` gets a stop with `stop_id` and `stop_name` when a reader chose it. */
export function stopField({ item, label, chosen, signal }) {
  number += 1;
  const id = `stop${number}`;
  let stops = [];
  let active = -1;
  let timer = 0;
  let turn = 0;
  const list = h('ul', { class: 'suggestions', role: 'listbox', id: `${id}list`, 'aria-label': `${label}: stops`, hidden: true });
  const input = h('input', { type: 'text', id, role: 'combobox', 'aria-expanded': 'false', 'aria-controls': `${id}list`, 'aria-autocomplete': 'list',
    autocomplete: 'off', spellcheck: 'false', placeholder: 'Name or part of it' });
  const close = () => {
    list.hidden = true;
    active = -1;
    input.setAttribute('aria-expanded', 'false');
    input.removeAttribute('aria-activedescendant');
  };
  const mark = (index) => {
    active = index;
    [...list.children].forEach((option, at) => option.setAttribute('aria-selected', String(at === active)));
    const option = list.children[active];
    if (option) {
      input.setAttribute('aria-activedescendant', option.id);
      option.scrollIntoView({ block: 'nearest' });
    }
  };
  const choose = (stop) => {
    input.value = clipped(stop.stop_name ?? stop.stop_id, 120);
    close();
    chosen(stop);
  };
  const search = async () => {
    const typed = input.value.trim();
    const mine = ++turn;
    if (!typed) {
      close();
      return;
    }
    try {
      const answer = await get(`api/timetable/${item.id}/stops`, { search: typed }, signal);
      if (mine !== turn || document.activeElement !== input) return;
      stops = answer.stops;
      put(list, stops.length ? stops.map(option) : h('li', { role: 'option', 'aria-disabled': 'true', id: `${id}o0` }, h('span', { class: 'muted' }, 'No stop has such a name.')));
      list.hidden = false;
      input.setAttribute('aria-expanded', 'true');
      mark(stops.length ? 0 : -1);
    } catch (error) {
      if (error.name === 'AbortError') return;
      put(list, h('li', { role: 'option', id: `${id}o0` }, text(error.message, 200)));
      list.hidden = false;
    }
  };
  const option = (stop, at) => h('li', { role: 'option', id: `${id}o${at}`, 'aria-selected': 'false',
    onpointerdown: (event) => event.preventDefault(), onclick: () => choose(stop) },
  h('span', null, text(stop.stop_name ?? stop.stop_id, 120), stop.location_type === 1 ? h('span', { class: 'muted' }, ' station') : null),
  h('span', { class: 'sub' }, text([stop.platform_code, stop.stop_id].filter(Boolean).join(' · '), 60)));

  input.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(search, pause);
  });
  input.addEventListener('focus', () => input.select());
  input.addEventListener('blur', () => {
    turn += 1;
    close();
  });
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') close();
    else if (list.hidden && event.key === 'ArrowDown') search();
    else if (!list.hidden && stops.length && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      event.preventDefault();
      mark((active + (event.key === 'ArrowDown' ? 1 : stops.length - 1)) % stops.length);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      if (!list.hidden && stops[active]) choose(stops[active]);
      else search();
    }
  });
  return {
    node: h('div', { class: 'chooser' }, h('label', { for: id }, label), input, list),
    set: (name) => { input.value = clipped(name, 120); },
    focus: () => input.focus(),
    get value() { return input.value; },
  };
}
