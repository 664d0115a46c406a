// Texts of tilesets that are often HTML, and are shown as text only.

const entities = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', copy: '©', '#39': "'", '#169': '©' };

/** A text without its tags. */
export function plain(html) {
  return html.replaceAll(/<[^>]*>/g, '').replaceAll(/&(#?\w+);/g, (whole, name) => entities[name] ?? whole);
}
