// Where the page is, in the part of its URL that is never sent: `#/d-1/rows?table=books`.

/** The item, the part of it, and the parameters that the URL names. */
export function current() {
  const [path, query = ''] = location.hash.replace(/^#\/?/, '').split('?');
  const [item = '', part = ''] = path.split('/');
  return { item, part, parameters: new URLSearchParams(query) };
}

// Names of the database, which may be empty; elsewhere an empty text is no value.
const names = new Set(['table', 'column', 'sort']);

/** Whether a parameter is a part of an address. */
export function isGiven(name, value) {
  return value !== null && value !== undefined && (value !== '' || names.has(name));
}

/** A link's target. */
export function to(item, part = '', parameters = {}) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (isGiven(name, one)) query.append(name, one);
    }
  }
  const tail = query.toString();
  return `#/${item}${part ? `/${part}` : ''}${tail ? `?${tail}` : ''}`;
}

/** Writes parameters into the URL without a new entry of the history, for what a view changes itself. */
export function note(item, part, parameters) {
  history.replaceState(null, '', to(item, part, parameters));
}
