// What a timetable says of its time, and the realtime message that is applied to it.

import { announce, h, icon, put, text } from '../lib/dom.js';
import { address, get, send } from '../lib/api.js';
import { counted } from '../lib/format.js';
import { failure, skeleton } from '../lib/load.js';

const largest = 16 * 1024 * 1024;

export function show({ item, timetable, showState, signal }) {
  const place = h('div');
  const file = h('input', { type: 'file', id: 'message', onchange: () => { if (file.files[0]) apply(file.files[0]); } });
  const apply = async (chosen) => {
    put(place, skeleton(2));
    try {
      if (chosen && chosen.size > largest) throw new RangeError('The file is larger than 16 MiB, which no realtime message is.');
      const body = chosen ? await chosen.arrayBuffer() : new ArrayBuffer(0);
      await send(address(`api/timetable/${item.id}/realtime`, { name: chosen?.name }), body, signal);
      const now = await get(`api/timetable/${item.id}`, {}, signal);
      showState(now);
      showLive(now.live);
      announce(chosen ? 'The message is applied' : 'The message is removed');
      file.value = '';
    } catch (error) {
      if (error.name !== 'AbortError') put(place, failure(error));
    }
  };
  const showLive = (live) => put(place, live
    ? h('div', { class: 'card stack' }, h('p', { class: 'lead' }, icon('ok'), ' ', text(live.name ?? 'A message', 200), ' is applied'),
      h('dl', { class: 'pairs' }, h('dt', null, 'Trip updates'), h('dd', null, counted(live.trip_updates, 'trip')), h('dt', null, 'Of'), h('dd', null, text(live.timestamp ?? 'no time is given', 40))),
      h('p', null, h('button', { type: 'button', onclick: () => apply(null) }, 'Remove it')))
    : h('p', { class: 'hint' }, 'No message is applied: departures and journeys are those of the timetable.'));
  showLive(timetable.live);
  const { validity } = timetable;
  const rows = [['Today', validity.date], ['Feed is valid from', validity.feed_start_date], ['Feed is valid until', validity.feed_end_date],
    ['First service', validity.first_service_date], ['Last service', validity.last_service_date], ['Time zone', validity.agency_timezone]];
  return {
    ask: null,
    answers: h('div', { class: 'panel' },
      h('section', { 'aria-labelledby': 'live', class: 'stack' }, h('h2', { id: 'live' }, 'Realtime'),
        h('p', null, 'A file with a GTFS-Realtime message. It stays in this inspector, and is gone when it ends.'),
        h('p', { class: 'row' }, h('label', { for: 'message' }, 'Message'), file), place),
      h('section', { 'aria-labelledby': 'validity', class: 'stack' }, h('h2', { id: 'validity' }, 'Validity'),
        timetable.validity_sentence ? h('p', null, text(timetable.validity_sentence, 400)) : null,
        h('div', { class: 'card' }, h('dl', { class: 'pairs' }, rows.map(([name, value]) => [h('dt', null, name), h('dd', null, text(value ?? '–', 60))]))),
        h('ul', { class: 'items' }, timetable.agencies.map((agency) => h('li', null, h('div', { class: 'entry' }, icon('timetable'),
          h('span', { class: 'what' }, text(agency.agency_name, 200), h('span', { class: 'sub' }, text([agency.agency_timezone, agency.agency_url].filter(Boolean).join(' · '), 300))))))))),
  };
}
