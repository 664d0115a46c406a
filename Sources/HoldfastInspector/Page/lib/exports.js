// Links that save rows as a file.

import { checkFile, address } from './api.js';
import { h, put } from './dom.js';
import { failure } from './load.js';

/** Links for both formats. A click shows in `problem` why there is no file, or saves it. */
export function exportLinks(path, parameters, what, problem) {
  const save = async (event) => {
    event.preventDefault();
    const { href } = event.currentTarget;
    put(problem);
    try {
      await checkFile(href);
      h('a', { href, download: '' }).click();
    } catch (error) {
      put(problem, failure(error));
    }
  };
  return ['csv', 'json'].map((format) => h('a', { class: 'button', download: '', href: address(path, { ...parameters, format }), onclick: save,
    'aria-label': `Export ${what} as ${format.toUpperCase()}` }, format.toUpperCase()));
}
