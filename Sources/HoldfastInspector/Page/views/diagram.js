// The drawing of foreign keys: tables in columns, each right of those that it refers to.

import { h, named, s } from '../lib/dom.js';

const line = 18;
const headHeight = 26;
const character = 7.3;
const gap = { across: 72, down: 20 };
const margin = 16;
// How far a line may go around the right side of a box.
const loop = 34;
const most = { columns: 30, letters: 26 };

/** The level of each table: 0 for those that refer to no other, then one more than the highest that they refer to. */
export function levels(tables) {
  const byName = new Map(tables.map((table) => [table.name.toLowerCase(), table]));
  const found = new Map();
  const visit = (table, path) => {
    if (found.has(table)) return found.get(table);
    // A cycle has no first table; where it closes counts as nothing.
    if (path.has(table)) return -1;
    path.add(table);
    let level = 0;
    for (const key of table.foreign_keys) {
      const other = byName.get(key.table.toLowerCase());
      if (other && other !== table) level = Math.max(level, visit(other, path) + 1);
    }
    path.delete(table);
    found.set(table, level);
    return level;
  };
  tables.forEach((table) => visit(table, new Set()));
  return found;
}

function boxOf(table, isWhole, referred) {
  const inKeys = new Set(table.foreign_keys.flatMap((key) => key.columns));
  const isShown = (column) => isWhole || column.key || inKeys.has(column.name) || referred.get(table.name.toLowerCase())?.has(column.name);
  const shown = table.columns.filter(isShown).slice(0, most.columns);
  const left = table.columns.length - shown.length;
  const longest = Math.max(named(table.name, most.letters).length * 1.1, ...shown.map((column) => named(column.name, most.letters).length + 2), left ? 12 : 0);
  return { table, shown, left, inKeys, width: Math.max(110, Math.ceil(longest * character) + 24), height: headHeight + line * (shown.length + (left ? 1 : 0)) + 8 };
}

/** Gives each box a place: its column by level, its row near the tables that it refers to. */
function place(tables, isWhole) {
  const referred = new Map();
  for (const key of tables.flatMap((table) => table.foreign_keys)) {
    const name = key.table.toLowerCase();
    if (!referred.has(name)) referred.set(name, new Set());
    (key.to ?? []).forEach((column) => referred.get(name).add(column));
  }
  const level = levels(tables);
  const columns = [];
  for (const table of tables) (columns[level.get(table)] ??= []).push(boxOf(table, isWhole, referred));
  const middle = new Map();
  let x = margin;
  let height = 0;
  for (const boxes of columns.filter(Boolean)) {
    const wish = (box) => {
      const others = box.table.foreign_keys.map((key) => middle.get(key.table.toLowerCase())).filter((one) => one !== undefined);
      return others.length ? others.reduce((sum, one) => sum + one, 0) / others.length : 0;
    };
    boxes.sort((one, other) => wish(one) - wish(other) || one.table.name.localeCompare(other.table.name));
    const width = Math.max(...boxes.map((box) => box.width));
    let y = margin;
    for (const box of boxes) {
      box.x = x;
      box.y = Math.max(y, wish(box) - box.height / 2);
      box.width = width;
      y = box.y + box.height + gap.down;
      middle.set(box.table.name.toLowerCase(), box.y + box.height / 2);
    }
    height = Math.max(height, y - gap.down);
    x += width + gap.across;
  }
  return { boxes: columns.flat().filter(Boolean), width: x - gap.across + loop, height: height + margin };
}

function rowOf(box, column) {
  const at = box.shown.findIndex((one) => one.name.toLowerCase() === column?.toLowerCase());
  return box.y + (at < 0 ? headHeight / 2 : headHeight + line * at + line / 2 + 3);
}

function edge(from, key, target) {
  const y1 = rowOf(from, key.columns[0]);
  const y2 = rowOf(target, key.to?.[0] ?? target.table.key?.[0]);
  const x2 = target.x + target.width;
  if (target === from || target.x >= from.x) {
    // Within one column the line goes around the right side.
    const x1 = from.x + from.width;
    const out = Math.max(x1, x2) + loop;
    return `M${x1} ${y1}C${out} ${y1} ${out} ${y2} ${x2 + 3} ${y2}`;
  }
  const bend = (from.x - x2) / 2;
  return `M${from.x} ${y1}C${from.x - bend} ${y1} ${x2 + bend} ${y2} ${x2 + 3} ${y2}`;
}

function draw(box, link) {
  const texts = box.shown.map((column, at) => {
    const kind = column.key ? 'key' : box.inKeys.has(column.name) ? '' : 'faint';
    return s('text', { x: box.x + 12, y: box.y + headHeight + line * at + line - 2, class: kind }, named(column.name, most.letters));
  });
  if (box.left) {
    texts.push(s('text', { x: box.x + 12, y: box.y + headHeight + line * box.shown.length + line - 2, class: 'faint' },
      `${box.left} more`));
  }
  return s('a', { href: link(box.table.name), 'aria-label': `Rows of ${named(box.table.name, 80)}` }, s('g', { class: 'box' },
    s('rect', { x: box.x, y: box.y, width: box.width, height: box.height, rx: 6, class: 'frame' }),
    s('path', { d: `M${box.x} ${box.y + headHeight}h${box.width}`, stroke: 'currentColor', 'stroke-opacity': 0.2 }),
    s('text', { x: box.x + 12, y: box.y + 17, class: 'title' }, named(box.table.name, most.letters)), texts));
}

/** The diagram of tables that refer to one another. `link` makes the address that a table leads to. */
export function diagram(tables, isWhole, link) {
  const { boxes, width, height } = place(tables, isWhole);
  const byName = new Map(boxes.map((box) => [box.table.name.toLowerCase(), box]));
  const edges = boxes.flatMap((box) => box.table.foreign_keys.map((key) => {
    const target = byName.get(key.table.toLowerCase());
    return target ? s('path', { d: edge(box, key, target), class: 'edge', 'marker-end': 'url(#arrow)' }) : null;
  }));
  return h('div', { class: 'scroll diagram', tabindex: '0', role: 'region', 'aria-label': 'Diagram of foreign keys' },
    s('svg', { width, height, viewBox: `0 0 ${width} ${height}` },
      s('defs', null, s('marker', { id: 'arrow', viewBox: '0 0 8 8', refX: 6, refY: 4, markerWidth: 8, markerHeight: 8, orient: 'auto' }, s('path', { d: 'M1 1l5 3-5 3' }))),
      boxes.map((box) => draw(box, link)), edges));
}
