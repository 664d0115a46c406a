#!/bin/sh
# A newer copy of a database is sent as the statements that sqldiff writes: once they are applied, places are moved by a
# bit, and sqldiff writes the same statements again, however often.
#
# Guess: the statements lead to a copy with the same values: quote() and the shell's dump have as many digits as a real
# number needs.
# Found (sqlite3-sqldiff 3.54.0, apsw 3.54.1), without an error from sqldiff:
# - Real numbers have 15 digits: a coordinate of a float is another one afterwards, and it is in each later patch.
# - An infinite number is written as Inf, which SQLite takes for a column, and the whole patch fails.
# - A text is cut at a NUL, and that is a difference again, too.
# - A table that a trigger fills has its new rows twice: by the patch and by the trigger.
# - Right: the changeset that sqldiff writes in place of statements.
# What follows: a patch is applied as a changeset, or to a copy that is compared with the newer one before it counts.
#
#   usage: findings/patch-of-coordinates-by-sqldiff.sh     prints the values; ends with 1 if one of them changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import importlib.metadata, os, shutil, struct, sys

import apsw, sqldiff

TABLES = ("CREATE TABLE stop (id INTEGER PRIMARY KEY, name TEXT, place)",
          "INSERT INTO stop VALUES (1, 'Quay', 1)")
KEEP = ("CREATE TABLE log (entry)",
        "CREATE TRIGGER kept AFTER UPDATE ON stop BEGIN INSERT INTO log VALUES (new.place); END")

def path(name):
    return os.path.join(sys.argv[1], name + ".db")

def make(name, *statements):
    connection = apsw.Connection(path(name))
    for table in ("stop", "log"):
        connection.execute(f"DROP TABLE IF EXISTS {table}")
    for statement in statements:
        connection.execute(statement)
    connection.close()

def values(name):
    connection = apsw.Connection(path(name))
    tables = [table for table, in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY 1")]
    return [row for table in tables for row in connection.execute(f"SELECT * FROM {table}")]

def shown(rows):
    return "; ".join(", ".join(map(repr, row)) for row in rows)

def statements():
    shutil.copy(path("old"), path("copy"))
    patch = sqldiff.diff(path("old"), path("new"))
    connection = apsw.Connection(path("copy"))
    try:
        connection.execute(patch)
    except apsw.SQLError as error:
        return f"{patch.strip()} fails: {error}"
    again = "again" if sqldiff.diff(path("copy"), path("new")) else "no more"
    return f"{shown(values('copy'))} ({again})"

def changeset():
    shutil.copy(path("old"), path("copy"))
    apsw.Changeset.apply(sqldiff.changeset(path("old"), path("new")), apsw.Connection(path("copy")))
    return shown(values("copy"))

print("sqlite3-sqldiff", importlib.metadata.version("sqlite3-sqldiff"), "| SQLite", apsw.sqlitelibversion())
for name, old, change in [
    ("15 digits", TABLES, "UPDATE stop SET place = 13.4050239"),
    ("17 digits", TABLES, "UPDATE stop SET place = 13.405023900000001"),
    ("float of 32 bits", TABLES, f"UPDATE stop SET place = {struct.unpack('f', struct.pack('f', 13.4050239))[0]!r}"),
    ("infinite", TABLES, "UPDATE stop SET place = 9e999"),
    ("NUL", TABLES, "UPDATE stop SET name = CAST(x'517561790031' AS TEXT)"),
    ("trigger", TABLES + KEEP, "UPDATE stop SET place = 2"),
]:
    make("old", *old)
    make("new", *old, change)
    print(f"{name}: {shown(values('new'))} | by statements: {statements()} | by a changeset: {changeset()}")
END_OF_PYTHON
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --no-deps \
  --only-binary :all: --target "$folder/packages" sqlite3-sqldiff==3.54.0 apsw==3.54.1.0
PYTHONPATH=$folder/packages python3 "$folder/ask.py" "$folder" | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
sqlite3-sqldiff 3.54.0 | SQLite 3.54.1
15 digits: 1, 'Quay', 13.4050239 | by statements: 1, 'Quay', 13.4050239 (no more) | by a changeset: 1, 'Quay', 13.4050239
17 digits: 1, 'Quay', 13.405023900000002 | by statements: 1, 'Quay', 13.4050239 (again) | by a changeset: 1, 'Quay', 13.405023900000002
float of 32 bits: 1, 'Quay', 13.405023574829102 | by statements: 1, 'Quay', 13.4050235748291 (again) | by a changeset: 1, 'Quay', 13.405023574829102
infinite: 1, 'Quay', inf | by statements: UPDATE stop SET place=Inf WHERE id=1; fails: no such column: Inf | by a changeset: 1, 'Quay', inf
NUL: 1, 'Quay\x001', 1 | by statements: 1, 'Quay', 1 (again) | by a changeset: 1, 'Quay\x001', 1
trigger: 2; 1, 'Quay', 2 | by statements: 2; 2; 1, 'Quay', 2 (again) | by a changeset: 2; 1, 'Quay', 2
END_OF_FOUND
