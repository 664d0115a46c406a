#!/bin/sh
# An app moves a trip from one table to another, and its database has the same hash for dbhash as before; and it has so
# after each change of a table whose name begins with sqlite.
#
# Guess: a hash of the schema and the content (https://www.sqlite.org/dbhash.html) differs if a row is in another table,
# and is the same for the same rows, however they came in.
# Found (dbhash in apsw 3.54.1):
# - The rows of all tables are one sequence of values, in the order of the tables' names, and no table's name or end is
#   in it. The last trip of the one table may be the first one of the next: the hash is the same, with the schema too.
# - Whatever begins with sqlite and has a character more is passed over, in any letter case: a table SQLiteNotes has
#   whatever rows it likes. user_version, application_id and what AUTOINCREMENT remembers are not in it either.
# - It differs for the same rows that were inserted in another order, where rowids are not the key, also with a TEXT
#   PRIMARY KEY; for a full-text table once its index is merged; and after ANALYZE.
# - Right: 1 and 1.0, text and blob, values that were moved to the column beside, and DEFAULT of an added column.
# What follows: two databases are compared table by table, with each one's name; a hash of the rows is ordered by a key.
#
#   usage: findings/trip-moved-to-another-table.sh     prints each pair; ends with 1 if one of them changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import os, subprocess, sys

import apsw

PROGRAM = os.path.join(os.path.dirname(apsw.__file__), "sqlite_extra_binaries", "sqlite3_dbhash")

def digest(name, statements, *options):
    path = os.path.join(sys.argv[1], name)
    if os.path.exists(path):
        os.remove(path)
    database = apsw.Connection(path)
    database.execute(statements)
    database.close()
    return subprocess.run([PROGRAM, *options, path], check=True, capture_output=True, text=True).stdout.split()[0]

def compare(what, made, first, second):
    with_schema, without = (
        digest("first.db", made + first, *options) == digest("second.db", made + second, *options)
        for options in ([], ["--without-schema"]))
    print(f"{what}: {'the same' if with_schema else 'another'}, without the schema"
          f" {'the same' if without else 'another'}")

print("SQLite", apsw.sqlitelibversion())
TRIPS = ("CREATE TABLE trip_now (id INTEGER PRIMARY KEY, name TEXT);"
         "CREATE TABLE trip_past (id INTEGER PRIMARY KEY, name TEXT);"
         "INSERT INTO trip_now VALUES (1, 'to the quay'), (2, 'to the mill');")
compare("trip 2 is moved to the past", TRIPS, "",
        "INSERT INTO trip_past SELECT * FROM trip_now WHERE id = 2; DELETE FROM trip_now WHERE id = 2")
compare("all trips are moved to the past", TRIPS, "",
        "INSERT INTO trip_past SELECT * FROM trip_now; DELETE FROM trip_now")
NOTES = "CREATE TABLE SQLiteNotes (text TEXT);"
compare("a note is added to SQLiteNotes", NOTES, "", "INSERT INTO SQLiteNotes VALUES ('new')")
compare("a note is added to SQLNotes", NOTES.replace("SQLite", "SQL"), "", "INSERT INTO SQLNotes VALUES ('new')")
ID = "CREATE TABLE stop (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT);"
compare("user_version", ID, "", "PRAGMA user_version = 7")
compare("the last id of a deleted row", ID, "", "INSERT INTO stop VALUES (9, 'Quay'); DELETE FROM stop")
compare("the order of rows without a key", "CREATE TABLE stop (name TEXT);", "INSERT INTO stop VALUES ('a'), ('b')",
        "INSERT INTO stop VALUES ('b'), ('a')")
compare("the order of rows with a text key", "CREATE TABLE stop (name TEXT PRIMARY KEY);",
        "INSERT INTO stop VALUES ('a'), ('b')", "INSERT INTO stop VALUES ('b'), ('a')")
compare("the order of rows WITHOUT ROWID", "CREATE TABLE stop (name TEXT PRIMARY KEY) WITHOUT ROWID;",
        "INSERT INTO stop VALUES ('a'), ('b')", "INSERT INTO stop VALUES ('b'), ('a')")
compare("an index that is merged",
        "CREATE VIRTUAL TABLE f USING fts5(name); INSERT INTO f VALUES ('a'); INSERT INTO f VALUES ('b');", "",
        "INSERT INTO f(f) VALUES ('optimize')")
compare("ANALYZE", ID + "CREATE INDEX names ON stop (name); INSERT INTO stop VALUES (1, 'Quay');", "", "ANALYZE")
ANY = "CREATE TABLE stop (a, b);"
compare("1 and 1.0", ANY, "INSERT INTO stop VALUES (1, NULL)", "INSERT INTO stop VALUES (1.0, NULL)")
compare("text and blob", ANY, "INSERT INTO stop VALUES ('1', NULL)", "INSERT INTO stop VALUES (x'31', NULL)")
compare("the column beside", ANY, "INSERT INTO stop VALUES ('x', NULL)", "INSERT INTO stop VALUES (NULL, 'x')")
compare("page size", "", ANY + "INSERT INTO stop VALUES (1, 2)",
        "PRAGMA page_size = 8192;" + ANY + "INSERT INTO stop VALUES (1, 2)")
compare("DEFAULT of an added column", "", "CREATE TABLE t (a, b DEFAULT 5); INSERT INTO t VALUES (1, 5)",
        "CREATE TABLE t (a); INSERT INTO t VALUES (1); ALTER TABLE t ADD COLUMN b DEFAULT 5")
END_OF_PYTHON
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --no-deps \
  --only-binary :all: --target "$folder/packages" apsw==3.54.1.0
PYTHONPATH=$folder/packages python3 "$folder/ask.py" "$folder" | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
SQLite 3.54.1
trip 2 is moved to the past: the same, without the schema the same
all trips are moved to the past: the same, without the schema the same
a note is added to SQLiteNotes: the same, without the schema the same
a note is added to SQLNotes: another, without the schema another
user_version: the same, without the schema the same
the last id of a deleted row: the same, without the schema the same
the order of rows without a key: another, without the schema another
the order of rows with a text key: another, without the schema another
the order of rows WITHOUT ROWID: the same, without the schema the same
an index that is merged: another, without the schema another
ANALYZE: another, without the schema the same
1 and 1.0: another, without the schema another
text and blob: another, without the schema another
the column beside: another, without the schema another
page size: the same, without the schema the same
DEFAULT of an added column: the same, without the schema the same
END_OF_FOUND
