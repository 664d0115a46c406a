#!/bin/sh
# A script adds a stop to an app's SQLite database by mpedb, which takes the place of Python's sqlite3: where a unique
# index knows upper and lower case as one, the stop that was there is gone, and so are its calls.
#
# Guess: what writes to a file of SQLite's keeps its unique indexes, or refuses a table whose index it does not know, as
# it refuses full-text tables and generated columns; a row that is in the way is an error for INSERT.
# Found (mpedb 0.3.1, apsw 3.54.1), without an error:
# - INSERT of quay beside Quay, in a UNIQUE column with NOCASE, is taken, and once it is committed, the new row is there
#   alone. The calls of the old one are deleted by their foreign key, and no trigger AFTER DELETE fires.
# - So it is for UPDATE, for a TEXT PRIMARY KEY with NOCASE, for RTRIM, for a unique index of lower(name), and for one
#   with a WHERE. A plain unique column is an IntegrityError, as in SQLite.
# - A search for QUAY in a NOCASE column finds nothing, DELETE deletes nothing, and ORDER BY has Quay before mill.
# - After row 7 of an AUTOINCREMENT table was deleted, the next one is 1, and not 8.
# What follows: an app's file is written by SQLite; another engine gets a copy, whose rows are compared afterwards.
#
#   usage: findings/stop-replaced-by-mpedb.sh     prints the rows; ends with 1 if one of them changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import importlib.metadata, os, sys

import apsw, mpedb

QUAY = "INSERT INTO stop VALUES (1, 'Quay', 1)"

def table(column):
    return f"CREATE TABLE stop (id INTEGER PRIMARY KEY, {column}, kind INTEGER)"

def change(name, made, changes, asked=("SELECT * FROM stop",)):
    path = os.path.join(sys.argv[1], name.replace(" ", "-") + ".db")
    app = apsw.Connection(path)
    for statement in made:
        app.execute(statement)
    app.close()
    script = mpedb.connect(path)
    said = []
    for statement in changes:
        try:
            said += script.execute(statement).fetchall()
        except mpedb.Error as error:
            said.append(type(error).__name__)
    script.commit()
    said.append(script.execute("SELECT count(*) FROM stop").fetchall()[0])
    script.close()
    app = apsw.Connection(path)
    rows = [app.execute(question).fetchall() for question in asked]
    checks = [check for check, in app.execute("PRAGMA integrity_check")]
    print(f"{name}: mpedb {said}, SQLite {' and '.join(map(str, rows))}, {', '.join(checks)}")

print("mpedb", importlib.metadata.version("mpedb"), "| SQLite", apsw.sqlitelibversion())
ADD = "INSERT INTO stop (id, name, kind) VALUES (2, 'quay', 1)"
CALLS = [
    "CREATE TABLE call (id INTEGER PRIMARY KEY, stop INTEGER REFERENCES stop ON DELETE CASCADE)",
    "INSERT INTO call VALUES (1, 1)", "CREATE TABLE log (name TEXT)",
    "CREATE TRIGGER gone AFTER DELETE ON stop BEGIN INSERT INTO log VALUES (old.name); END",
]
change("plain", [table("name TEXT UNIQUE"), QUAY], [ADD.replace("quay", "Quay")])
change("NOCASE", [table("name TEXT COLLATE NOCASE UNIQUE"), QUAY, *CALLS], [ADD],
       ["SELECT * FROM stop", "SELECT * FROM call", "SELECT * FROM log"])
change("UPDATE", [table("name TEXT COLLATE NOCASE UNIQUE"), QUAY, "INSERT INTO stop VALUES (2, 'Mill', 1)"],
       ["UPDATE stop SET name = 'quay' WHERE id = 2"])
change("primary key", ["CREATE TABLE stop (name TEXT PRIMARY KEY COLLATE NOCASE, kind INTEGER)",
                       "INSERT INTO stop VALUES ('Quay', 1)"], ["INSERT INTO stop VALUES ('quay', 2)"])
change("RTRIM", [table("name TEXT COLLATE RTRIM UNIQUE"), QUAY], [ADD.replace("quay", "Quay ")])
change("lower()", [table("name TEXT"), "CREATE UNIQUE INDEX names ON stop (lower(name))", QUAY], [ADD])
change("index with WHERE", [table("name TEXT"), "CREATE UNIQUE INDEX names ON stop (name) WHERE kind = 1", QUAY],
       [ADD.replace("quay", "Quay")])
change("search", [table("name TEXT COLLATE NOCASE"), QUAY, "INSERT INTO stop VALUES (2, 'mill', 1)"],
       ["SELECT id FROM stop WHERE name = 'QUAY'", "SELECT name FROM stop ORDER BY name",
        "DELETE FROM stop WHERE name = 'MILL'"],
       ["SELECT id FROM stop WHERE name = 'QUAY'", "SELECT name FROM stop ORDER BY name"])
change("AUTOINCREMENT", ["CREATE TABLE stop (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT)",
                         "INSERT INTO stop VALUES (7, 'Quay')", "DELETE FROM stop"],
       ["INSERT INTO stop (name) VALUES ('Mill')"])
END_OF_PYTHON
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --no-deps \
  --only-binary :all: --target "$folder/packages" mpedb==0.3.1 apsw==3.54.1.0
PYTHONPATH=$folder/packages python3 "$folder/ask.py" "$folder" | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
mpedb 0.3.1 | SQLite 3.54.1
plain: mpedb ['IntegrityError', (1,)], SQLite [(1, 'Quay', 1)], ok
NOCASE: mpedb [(1,)], SQLite [(2, 'quay', 1)] and [] and [], ok
UPDATE: mpedb [(1,)], SQLite [(2, 'quay', 1)], ok
primary key: mpedb [(1,)], SQLite [('quay', 2)], ok
RTRIM: mpedb [(1,)], SQLite [(2, 'Quay ', 1)], ok
lower(): mpedb [(1,)], SQLite [(2, 'quay', 1)], ok
index with WHERE: mpedb [(1,)], SQLite [(2, 'Quay', 1)], ok
search: mpedb [('Quay',), ('mill',), (2,)], SQLite [(1,)] and [('mill',), ('Quay',)], ok
AUTOINCREMENT: mpedb [(1,)], SQLite [(1, 'Mill')], ok
END_OF_FOUND
