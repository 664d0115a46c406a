// The drawing of locks, commits and the log's length over one axis of time.

import { clipped, put, s } from '../lib/dom.js';
import { bytes } from '../lib/format.js';

const laneHeight = 34;
const commitsHeight = 30;
const logHeight = 62;
const axisHeight = 22;
const mostLanes = 24;
const least = 2.5;

/** Draws into an SVG element. `now` and `span` are in milliseconds. */
export function drawTimeline(svg, lanes, { now, span, width, isShown }) {
  const start = now - span;
  const x = (time) => Math.max(0, Math.min(width, (time - start) / span * width));
  const all = [...lanes.lanes.values()].filter(isShown)
    .sort((one, other) => one.pid - other.pid || one.file.localeCompare(other.file) || one.lock.localeCompare(other.lock));
  const shown = all.filter((lane) => lane.spans.some((one) => (one.end ?? now) >= start)).slice(0, mostLanes);
  // What is below does not move when a lane goes.
  const rows = Math.max(1, shown.length, Number(svg.dataset.rows ?? 0));
  svg.dataset.rows = rows;
  const height = commitsHeight + rows * laneHeight + logHeight + axisHeight;
  const parts = [];
  const bottom = height - axisHeight;

  // The axis, with lines that stay where they are while the rest moves.
  const step = span <= 20000 ? 5000 : span > 60000 ? 60000 : width < 480 ? 20000 : 10000;
  for (let back = step; back < span; back += step) {
    const at = x(now - back);
    parts.push(s('path', { d: `M${at.toFixed(1)} 0V${bottom}`, class: 'grid' }));
    const ago = back / 1000;
    if (at > 24 && at < width - 30) parts.push(s('text', { x: at, y: height - 7, class: 'faint', 'text-anchor': 'middle' }, ago >= 60 ? `−${ago / 60} min` : `−${ago} s`));
  }
  parts.push(s('text', { x: width - 2, y: height - 7, class: 'faint', 'text-anchor': 'end' }, 'now'));

  // Commits.
  const commits = lanes.commits.filter((time) => time >= start);
  parts.push(s('text', { x: 0, y: 12, class: 'label' }, 'Commits'));
  const places = new Set(commits.map((time) => Math.round(x(time))));
  for (const at of places) parts.push(s('path', { d: `M${at} 16v9`, class: 'commit' }), s('path', { d: `M${at} 25V${bottom}`, class: 'commitline' }));

  // Locks.
  if (!shown.length) parts.push(s('text', { x: 0, y: commitsHeight + 22, class: 'faint' }, 'No process held a lock that reads or writes.'));
  shown.forEach((lane, index) => {
    const top = commitsHeight + index * laneHeight;
    const name = `${clipped(lane.process ?? 'process', 28)} ${lane.pid}${lane.own ? ' (the inspector)' : ''}`;
    parts.push(s('text', { x: 0, y: top + 13, class: 'label' }, name, s('tspan', { class: 'faint', dx: 8 }, clipped(lane.lock, 30))));
    parts.push(s('rect', { x: 0, y: top + 18, width, height: 10, rx: 2, class: 'track' }));
    for (const one of lane.spans) {
      if ((one.end ?? now) < start) continue;
      const from = x(one.start);
      const kind = one.mode.includes('waiting') ? 'waiting' : one.mode.startsWith('write') ? 'write' : 'read';
      parts.push(s('rect', { x: from.toFixed(1), y: top + 18, width: Math.max(least, x(one.end ?? now) - from).toFixed(1), height: 10, rx: 2, class: kind }));
    }
  });

  // The log.
  const top = bottom - logHeight;
  const points = lanes.log.filter((one) => one.time <= now);
  const largest = Math.max(0, ...points.map((one) => one.size));
  const most = Math.max(1, largest);
  parts.push(s('text', { x: 0, y: top + 13, class: 'label' }, 'Log', s('tspan', { class: 'faint', dx: 8 },
    points.length ? `${bytes(points.at(-1).size)}, at most ${bytes(largest)}` : 'not known')));
  if (points.length) {
    const y = (size) => bottom - 2 - size / most * (logHeight - 24);
    let path = `M${x(points[0].time).toFixed(1)} ${bottom - 1}`;
    points.forEach((point, index) => {
      const end = points[index + 1]?.time ?? now;
      if (end < start) return;
      if (path.startsWith('M') && !path.includes('H')) path = `M${x(point.time).toFixed(1)} ${bottom - 1}`;
      path += `V${y(point.size).toFixed(1)}H${x(end).toFixed(1)}`;
      if (point.isCheckpoint && point.time >= start) parts.push(s('path', { d: `M${x(point.time).toFixed(1)} ${top + 18}l4 -6h-8z`, class: 'checkpoint' }));
    });
    parts.push(s('path', { d: `${path}V${bottom - 1}z`, class: 'log' }));
  }
  parts.push(s('path', { d: `M0 ${bottom - 0.5}H${width}`, class: 'grid' }));
  svg.setAttribute('width', width);
  svg.setAttribute('height', height);
  svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
  put(svg, parts);
}
