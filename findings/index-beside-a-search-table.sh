#!/bin/sh
# Turso writes to a table of a SQLite database that has a full-text table too: indexes and triggers are left out.
#
# Guess: a module that Turso does not have makes the virtual table of it unusable there, and nothing else.
# Found (pyturso 0.8.3, apsw 3.54.1), without an error, where the schema has an FTS5 or an R*Tree table:
# - An index that was made before that table is not kept: a row that Turso inserts is not found by its name in SQLite,
#   whose PRAGMA integrity_check misses it, and UNIQUE takes a duplicate.
# - A trigger that has nothing to do with that table, and was made after it, does not fire.
# - A table that was made after it does not exist for Turso.
# Without such a table all of it is right.
# What follows: a database with a search table, or a GeoPackage, whose layers have R*Trees, is not given to Turso.
#
#   usage: findings/index-beside-a-search-table.sh     prints what each engine finds; ends with 1 if it changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import os, sys

import apsw, turso

SCHEMA = [
    "CREATE TABLE stop (id INTEGER PRIMARY KEY, name TEXT)",
    "CREATE TABLE log (event TEXT)",
    "CREATE UNIQUE INDEX stop_name ON stop (name)",
    "INSERT INTO stop VALUES (1, 'Quay')",
    "VIRTUAL",
    "CREATE TRIGGER stop_inserted AFTER INSERT ON stop BEGIN INSERT INTO log VALUES ('inserted'); END",
    "CREATE TABLE route (id INTEGER PRIMARY KEY)",
]

def sqlite(path, *statements):
    connection = apsw.Connection(path)
    rows = [row for sql in statements for row in connection.execute(sql)]
    connection.close()
    return rows

def answer(connection, sql):
    try:
        rows = connection.execute(sql).fetchall()
        connection.commit()
        return rows
    except turso.Error as error:
        return type(error).__name__

for module in ["", "fts5 (body)", "rtree (id, low, high)"]:
    path = os.path.join(sys.argv[1], (module[:3] or "none") + ".db")
    virtual = f"CREATE VIRTUAL TABLE other USING {module}" if module else "SELECT 1"
    sqlite(path, *[virtual if sql == "VIRTUAL" else sql for sql in SCHEMA])
    connection = turso.connect(path)
    duplicate = answer(connection, "INSERT INTO stop VALUES (2, 'Quay')")
    answer(connection, "INSERT INTO stop VALUES (3, 'Wharf')")
    routes = answer(connection, "SELECT count(*) FROM route")
    connection.close()
    found = sqlite(path, "SELECT id FROM stop WHERE name = 'Wharf'")
    fired = sqlite(path, "SELECT count(*) FROM log")[0][0]
    check = sqlite(path, "PRAGMA integrity_check")[0][0]
    print(f"{module or 'no virtual table'}: duplicate {duplicate or 'taken'}, route {routes},",
          f"found in SQLite {len(found)}, triggers {fired}, check {check}")
END_OF_PYTHON
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-deps \
  --only-binary :all: --target "$folder/packages" apsw==3.54.1.0 pyturso==0.8.3 typing_extensions==4.15.0
PYTHONPATH=$folder/packages python3 "$folder/ask.py" "$folder" | tee "$folder/found"
diff - "$folder/found" <<'END'
no virtual table: duplicate IntegrityError, route [(0,)], found in SQLite 1, triggers 1, check ok
fts5 (body): duplicate taken, route DatabaseError, found in SQLite 0, triggers 0, check wrong # of entries in index stop_name
rtree (id, low, high): duplicate taken, route DatabaseError, found in SQLite 0, triggers 0, check wrong # of entries in index stop_name
END
