// A route's badge in the feed's colors, where these can be read.

import { clipped, h } from './dom.js';

function channels(color) {
  const found = /^#?([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(color ?? '');
  return found ? found.slice(1).map((one) => parseInt(one, 16)) : null;
}

function luminance(rgb) {
  const [red, green, blue] = rgb.map((one) => (one <= 10 ? one / 3294 : ((one / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one, other) {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

/** A route's color for the map, and for a text on it; the feed's text color only if it can be read. */
export function colorsOf(route) {
  const ground = channels(route.route_color);
  if (!ground) return null;
  const wish = channels(route.route_text_color);
  const ink = wish && contrast(ground, wish) >= 4.5 ? wish : [[255, 255, 255], [0, 0, 0]].sort((one, other) => contrast(ground, other) - contrast(ground, one))[0];
  return { ground: `rgb(${ground.join(' ')})`, ink: `rgb(${ink.join(' ')})` };
}

/** The name of a route, as short as the feed has it. */
export function lineName(route) {
  return route.route_short_name || route.route_long_name || route.route_id || '?';
}

/** The badge of a line. */
export function badge(route) {
  const node = h('span', { class: 'badge', dir: 'auto' }, clipped(lineName(route), 24));
  const colors = colorsOf(route);
  if (colors) {
    node.style.backgroundColor = colors.ground;
    node.style.color = colors.ink;
  }
  return node;
}
