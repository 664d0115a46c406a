#!/bin/sh
# An app's tables are kept in doltlite, which takes SQLite's place and has branches and merges: stops have texts for
# ids, as GTFS has them, and a search among them reads all stops for each that it finds.
#
# Guess: a row is found by its rowid in a few steps, as in SQLite (https://www.sqlite.org/rowidtable.html), whatever the
# primary key is, since a search index with content= has nothing but rowids; the latest row has the highest rowid.
# Found (doltlite 0.51.3, as SQLite 3.54.0), in steps of its virtual machine, for 50 of n stops:
# - With INTEGER PRIMARY KEY the search takes as many steps for 4,000 stops as for 1,000, and with TEXT PRIMARY KEY
#   four times as many, over 400 times those of the integer key. For rowid = 1 the plan says SCAN.
# - The rowid of a text key is made from the key: it has 19 digits, is another one when the key is changed, and ORDER BY
#   rowid is no order of insertion. No INSERT may give it.
# - A text key may not be NULL, as it may in SQLite.
# What follows: a table that is searched gets an INTEGER PRIMARY KEY, and its text id a unique index.
#
#   usage: findings/search-by-text-keys-in-doltlite.sh     prints the steps; ends with 1 if one of them changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import importlib.metadata, os, sys

import doltlite  # Before sqlite3, whose library it replaces.
import sqlite3

def open_database(name):
    return sqlite3.connect(os.path.join(sys.argv[1], name), isolation_level=None)

def steps(database, question):
    count = 0
    def step():
        nonlocal count
        count += 1
        return 0
    database.set_progress_handler(step, 1)
    rows = database.execute(question).fetchall()
    database.set_progress_handler(None, 1)
    return len(rows), count

print("doltlite", importlib.metadata.version("doltlite"), "| SQLite", sqlite3.sqlite_version)
for key in ("id INTEGER PRIMARY KEY, code TEXT UNIQUE", "id INTEGER, code TEXT PRIMARY KEY"):
    print(key)
    counts = []
    for n in (1000, 4000):
        app = open_database(f"{n}, {key}.db")
        app.execute(f"CREATE TABLE stop ({key}, name TEXT)")
        app.execute("CREATE VIRTUAL TABLE found USING fts5(name, content='stop')")
        app.executemany("INSERT INTO stop VALUES (?, ?, ?)", [
            (i, f"s{i:04}", f"{'Mill' if i % (n // 50) else 'Quay'} {i}") for i in range(n)])
        app.execute("INSERT INTO found(found) VALUES ('rebuild')")
        counts.append(steps(app, "SELECT name FROM found WHERE found MATCH 'quay'"))
        [plan] = app.execute("EXPLAIN QUERY PLAN SELECT name FROM stop WHERE rowid = 1").fetchall()
        [rowid, last] = app.execute("SELECT rowid, code FROM stop ORDER BY rowid DESC LIMIT 1").fetchone()
        print(f"  {n} stops: {counts[-1][0]} found in {counts[-1][1]} steps; rowid = 1: {plan[-1]}")
        print(f"    the highest rowid has {len(str(rowid))} digits and is that of {last}")
    print(f"  four times the stops, {counts[1][1] / counts[0][1]:.1f} times the steps")

def change(*statements):
    app = open_database("changed.db")
    app.execute("CREATE TABLE stop (code TEXT PRIMARY KEY, name TEXT)")
    app.execute("INSERT INTO stop VALUES ('q', 'Quay'), ('m', 'Mill')")
    before = app.execute("SELECT rowid FROM stop WHERE name = 'Mill'").fetchone()
    for statement in statements:
        try:
            app.execute(statement)
        except sqlite3.Error as error:
            print(f"{statement}: {error}")
            break
    else:
        after = app.execute("SELECT rowid FROM stop WHERE name = 'Mill'").fetchone()
        print(f"{'; '.join(statements)}: {'the same' if after == before else 'another'} rowid")
    app.execute("DROP TABLE stop")

change("UPDATE stop SET name = 'Mill' WHERE code = 'm'")
change("UPDATE stop SET code = 'mm' WHERE code = 'm'")
change("INSERT INTO stop (rowid, code) VALUES (7, 'f')")
change("INSERT INTO stop VALUES (NULL, 'Farm')")
END_OF_PYTHON
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --no-deps \
  --only-binary :all: --target "$folder/packages" doltlite==0.51.3
PYTHONPATH=$folder/packages python3 "$folder/ask.py" "$folder" | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
doltlite 0.51.3 | SQLite 3.54.0
id INTEGER PRIMARY KEY, code TEXT UNIQUE
  1000 stops: 50 found in 651 steps; rowid = 1: SEARCH stop USING INTEGER PRIMARY KEY (rowid=?)
    the highest rowid has 3 digits and is that of s0999
  4000 stops: 50 found in 651 steps; rowid = 1: SEARCH stop USING INTEGER PRIMARY KEY (rowid=?)
    the highest rowid has 4 digits and is that of s3999
  four times the stops, 1.0 times the steps
id INTEGER, code TEXT PRIMARY KEY
  1000 stops: 50 found in 74491 steps; rowid = 1: SCAN stop
    the highest rowid has 19 digits and is that of s0763
  4000 stops: 50 found in 295011 steps; rowid = 1: SCAN stop
    the highest rowid has 19 digits and is that of s0763
  four times the stops, 4.0 times the steps
UPDATE stop SET name = 'Mill' WHERE code = 'm': the same rowid
UPDATE stop SET code = 'mm' WHERE code = 'm': another rowid
INSERT INTO stop (rowid, code) VALUES (7, 'f'): table stop has no column named rowid
INSERT INTO stop VALUES (NULL, 'Farm'): NOT NULL constraint failed: stop.code
END_OF_FOUND
