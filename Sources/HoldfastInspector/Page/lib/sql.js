// SQL with its words, literals and remarks told apart.

import { h } from './dom.js';

const words = new Set(`ABORT ACTION ADD AFTER ALL ALTER ALWAYS AND AS ASC AUTOINCREMENT BEFORE BEGIN BETWEEN BY CASCADE CASE CAST CHECK COLLATE
COLUMN CONFLICT CONSTRAINT CREATE CROSS DEFAULT DEFERRABLE DEFERRED DELETE DESC DISTINCT DO DROP EACH ELSE END ESCAPE EXCEPT EXISTS FAIL FOR
FOREIGN FROM FULL GENERATED GLOB GROUP HAVING IF IGNORE IMMEDIATE IN INDEX INITIALLY INNER INSERT INSTEAD INTERSECT INTO IS ISNULL JOIN KEY
LEFT LIKE LIMIT MATCH NATURAL NO NOT NOTNULL NULL OF OFFSET ON OR ORDER OUTER OVER PARTITION PRIMARY RAISE RECURSIVE REFERENCES REPLACE
RESTRICT RETURNING RIGHT ROLLBACK ROW ROWID SELECT SET STORED STRICT TABLE TEMP THEN TO TRIGGER UNION UNIQUE UPDATE USING VALUES VIEW VIRTUAL
WHEN WHERE WINDOW WITH WITHOUT`.split(/\s+/));

/** A block of SQL. */
export function sql(source) {
  const parts = [];
  const tokens = /(--[^\n]*|\/\*[\s\S]*?(?:\*\/|$))|('(?:[^']|'')*'|\b\d[\w.]*)|("(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\])|([A-Za-z_][\w$]*)/g;
  let end = 0;
  for (const found of source.matchAll(tokens)) {
    const [whole, remark, literal, , word] = found;
    const kind = remark ? 'remark' : literal ? 'literal' : word && words.has(word.toUpperCase()) ? 'keyword' : null;
    if (!kind) continue;
    parts.push(source.slice(end, found.index), h('span', { class: kind }, whole));
    end = found.index + whole.length;
  }
  return h('pre', { class: 'sql', dir: 'ltr' }, parts, source.slice(end));
}
