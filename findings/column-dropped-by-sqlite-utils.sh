#!/bin/sh
# sqlite-utils drops one column of a table, and values of the other ones are not what they were.
#
# Guess: what makes a table anew, by SQLite's twelve steps (https://www.sqlite.org/lang_altertable.html), keeps the
# types and rules of the columns that stay, or refuses; triggers may get lost, since DROP TABLE drops them.
# Found (sqlite-utils 4.2.1), without an error, of `sqlite-utils transform DB TABLE --drop COLUMN`:
# - NUMERIC, DATE and BOOLEAN become REAL: 9007199254740993 is 9007199254740992.0, and the day 20260103 is 20260103.0. A
#   column without a type becomes TEXT, and 7 a text.
# - DEFAULT (1 + 1) and DEFAULT x'00' become texts, which new rows have: "1 + 1", and "x'00'".
# - A virtual generated column is gone. So are COLLATE NOCASE, by which a row was found, and a trigger.
# - Right: CHECK, UNIQUE, indexes, references, AUTOINCREMENT, a default that is one call, and a STRICT table. One with
#   a partial index, with one on an expression, or WITHOUT ROWID was refused when it was tried.
# What follows: a column of an app's database is dropped by ALTER TABLE DROP COLUMN, or by a migration that names all.
#
#   usage: findings/column-dropped-by-sqlite-utils.sh     prints both tables; ends with 1 if they change
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check sqlite-utils==4.2.1
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import importlib.metadata, os, sqlite3, subprocess, sys

path = os.path.join(sys.argv[1], "stops.db")
connection = sqlite3.connect(path, isolation_level=None)
connection.executescript("""
CREATE TABLE stop (id INTEGER PRIMARY KEY, code NUMERIC, day DATE, isOpen BOOLEAN, zone, name TEXT COLLATE NOCASE,
  kind INTEGER DEFAULT (1 + 1), icon BLOB DEFAULT x'00', madeAt TEXT DEFAULT (date('2026-01-03')),
  label TEXT AS (name || ' ' || zone), old TEXT, CHECK (kind > 0));
CREATE TABLE log (name TEXT);
CREATE TRIGGER inserted AFTER INSERT ON stop BEGIN INSERT INTO log VALUES (new.name); END;
INSERT INTO stop (id, code, day, isOpen, zone, name) VALUES (1, 9007199254740993, '20260103', 1, 7, 'Quay')""")

def show():
    for name, kind, default in connection.execute("SELECT name, type, dflt_value FROM pragma_table_xinfo('stop')"):
        if name in ("id", "old"):
            continue
        values = [value for value, in connection.execute(f'SELECT "{name}" FROM stop ORDER BY id')]
        print(f"  {name} {kind or 'without a type'}{f' DEFAULT {default}' if default else ''}: "
              + ", ".join(map(repr, values)))
    found = connection.execute("SELECT count(*) FROM stop WHERE name = 'QUAY'").fetchone()[0]
    print(f"  found as QUAY {found}, in the log {connection.execute('SELECT count(*) FROM log').fetchone()[0]}")

def insert(key):
    connection.execute("INSERT INTO stop (id, code, day, isOpen, zone, name) VALUES (?, 9007199254740993, '20260103',"
                       " 1, 7, 'Pier')", [key])

insert(2)
print("before")
show()
version = importlib.metadata.version("sqlite-utils")
tool = os.path.join(os.path.dirname(sys.executable), "sqlite-utils")
subprocess.run([tool, "transform", path, "stop", "--drop", "old"], check=True)
insert(3)
print("behind sqlite-utils", version)
show()
END_OF_PYTHON
"$folder/python/bin/python" "$folder/ask.py" "$folder" | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
before
  code NUMERIC: 9007199254740993, 9007199254740993
  day DATE: 20260103, 20260103
  isOpen BOOLEAN: 1, 1
  zone without a type: 7, 7
  name TEXT: 'Quay', 'Pier'
  kind INTEGER DEFAULT 1 + 1: 2, 2
  icon BLOB DEFAULT x'00': b'\x00', b'\x00'
  madeAt TEXT DEFAULT date('2026-01-03'): '2026-01-03', '2026-01-03'
  label TEXT: 'Quay 7', 'Pier 7'
  found as QUAY 1, in the log 2
behind sqlite-utils 4.2.1
  code REAL: 9007199254740992.0, 9007199254740992.0, 9007199254740992.0
  day REAL: 20260103.0, 20260103.0, 20260103.0
  isOpen REAL: 1.0, 1.0, 1.0
  zone TEXT: '7', '7', '7'
  name TEXT: 'Quay', 'Pier', 'Pier'
  kind INTEGER DEFAULT '1 + 1': 2, 2, '1 + 1'
  icon BLOB DEFAULT 'x''00''': b'\x00', b'\x00', "x'00'"
  madeAt TEXT DEFAULT date('2026-01-03'): '2026-01-03', '2026-01-03', '2026-01-03'
  found as QUAY 0, in the log 2
END_OF_FOUND
