#!/bin/sh
# Turso opens a SQLite database to read it, and the file is another one: its digest differs, and a log lies beside it.
#
# Guess: who only reads does not write; a table that is renamed is renamed in the views that read it, as SQLite does.
# Found (pyturso 0.8.3, apsw 3.54.1), without an error:
# - connect() alone turns the two bytes of the header that say how the file is journaled from 1 to 2, and makes an empty
#   -wal file, which stays. Such a file cannot be opened where nothing may be written, as in the bundle of an app.
# - ALTER TABLE RENAME TO leaves views as they are: neither Turso nor SQLite can read them any more, and SQLite refuses
#   each later renaming of a column in the file. PRAGMA integrity_check says ok.
# - Right: tables, indexes, triggers and references are renamed, also by RENAME COLUMN; the rows are the same.
# What follows: Turso is given a copy, and views are read once before a database is shipped; `pack build` refuses a file
# with that header.
#
#   usage: findings/file-that-turso-opens.sh     prints what changes; ends with 1 if something else does
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-deps --only-binary :all: \
  --target "$folder/python" apsw==3.54.1.0 pyturso==0.8.3 typing_extensions==4.15.0
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import os, sys

import apsw, turso

folder = sys.argv[1]
path = os.path.join(folder, "a.db")

def read():
    with open(path, "rb") as file:
        return file.read()

def answer(connection, sql):
    try:
        return " ".join(str(value) for row in connection.execute(sql) for value in row) or "done"
    except (apsw.Error, turso.Error) as error:
        return str(error)

file = apsw.Connection(path)
for sql in ["CREATE TABLE stop (name TEXT)", "CREATE TABLE line (name TEXT)", "INSERT INTO stop VALUES ('Quay')",
            "CREATE VIEW label AS SELECT name FROM stop", "CREATE INDEX stop_name ON stop (lower(name))",
            "CREATE TRIGGER renamed AFTER UPDATE ON line BEGIN DELETE FROM stop; END"]:
    file.execute(sql)
file.close()
before = read()
connection = turso.connect(path)
connection.close()
after = read()
print("changed by connect():", *[f"byte {place} from {old} to {new}" for place, (old, new)
                                 in enumerate(zip(before, after)) if old != new])
print("files:", *sorted(name for name in os.listdir(folder) if name.startswith("a.db")))
connection = turso.connect(path)
connection.execute("ALTER TABLE stop RENAME TO place")
connection.commit()
print("Turso, the view:", answer(connection, "SELECT name FROM label"))
connection.close()
file = apsw.Connection(path)
print("SQLite, the view:", answer(file, "SELECT name FROM label"))
print("SQLite, another column:", answer(file, "ALTER TABLE line RENAME COLUMN name TO title"))
print("SQLite, the table:", answer(file, "SELECT name FROM place"), "| check:", answer(file, "PRAGMA integrity_check"))
for sql, in file.execute("SELECT sql FROM sqlite_schema WHERE type != 'table'"):
    print(" ", " ".join(sql.split()))
END_OF_PYTHON
PYTHONPATH=$folder/python python3 "$folder/ask.py" "$folder" | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
changed by connect(): byte 18 from 1 to 2 byte 19 from 1 to 2
files: a.db a.db-wal
Turso, the view: Parse error: no such table: stop
SQLite, the view: no such table: main.stop
SQLite, another column: error in view label: no such table: main.stop
SQLite, the table: Quay | check: ok
  CREATE VIEW label AS SELECT name FROM stop
  CREATE INDEX stop_name ON place (lower (name))
  CREATE TRIGGER renamed AFTER UPDATE ON line BEGIN DELETE FROM place; END
END_OF_FOUND
