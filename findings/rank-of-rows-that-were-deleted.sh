#!/bin/sh
# An index without copies of its texts is kept up to date for years: SQLite counts each row that was ever in it, and the
# order of what a search finds depends on rows that are gone.
#
# Guess: rank is bm25 of the rows that there are; content='' with contentless_delete=1, which SQLite has since 3.43,
# ranks like an FTS5 table with its own content.
# Found (apsw's wheels, 100 notes, each of which was written again 20 times, by UPDATE, REPLACE, or DELETE and INSERT):
# - Up to 3.53 the totals that rank is computed from have grown with each new text, and never shrunk: the search is
#   for words among 2,100 rows. A word that is in nearly all of the rows, and is worth nothing, seems to be a rare one.
# - Another row is the first one of `harbor OR ferry`: not the only note about the harbor, but any short one with ferry.
# - From 3.54 the totals shrink. What an older SQLite has counted stays in the file, and 3.54 ranks by it: such a table
#   has no text to rebuild its index from, and integrity-check says nothing.
# - Right: an ordinary FTS5 table, and one without texts whose rows are never changed.
# What follows: an index that changes has content, or is made anew now and then; ranks are not compared with a limit.
#
#   usage: findings/rank-of-rows-that-were-deleted.sh     prints totals and order; ends with 1 if they change
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import os, sys

import apsw

folder, *older = sys.argv[1:]

def run(connection, sql, values=()):
    return connection.cursor().execute(sql, values).fetchall()

def note(id):
    if id == 1:
        return "harbor " + "and much else " * 30
    return "ferry " * (1 + id % 3) + "bus tram " * (id % 4)

def total(connection):
    """The first number of the record that holds the totals: that of rows."""
    [(block,)] = run(connection, "SELECT block FROM search_data WHERE id = 1")
    number = 0
    for byte in block:
        number = number << 7 | byte & 127
        if byte < 128:
            return number

def order(connection):
    rows = run(connection, "SELECT rowid, round(rank, 2) FROM search WHERE search MATCH 'harbor OR ferry' "
               "ORDER BY rank, rowid LIMIT 3")
    run(connection, "INSERT INTO search (search) VALUES ('integrity-check')")
    return f"{total(connection)} rows, first " + ", ".join(f"{id} ({rank})" for id, rank in rows)

def fill(connection, options, change):
    run(connection, f"CREATE VIRTUAL TABLE search USING fts5 (body{options})")
    with connection:
        for id in range(1, 101):
            run(connection, "INSERT INTO search (rowid, body) VALUES (?, ?)", (id, note(id)))
        for _ in range(20 if change else 0):
            for id in range(1, 101):
                if change == "DELETE":
                    run(connection, "DELETE FROM search WHERE rowid = ?", (id,))
                if change == "UPDATE":
                    run(connection, "UPDATE search SET body = ? WHERE rowid = ?", (note(id), id))
                else:
                    verb = "INSERT" if change == "DELETE" else "REPLACE"
                    run(connection, f"{verb} INTO search (rowid, body) VALUES (?, ?)", (id, note(id)))

version = apsw.sqlitelibversion()
BARE = ", content = '', contentless_delete = 1"
for name, options, change in (("with content, REPLACE", "", "REPLACE"), ("without, never changed", BARE, ""),
                              ("without, UPDATE", BARE, "UPDATE"), ("without, DELETE", BARE, "DELETE"),
                              ("without, REPLACE", BARE, "REPLACE")):
    path = os.path.join(folder, f"{version} {name}.db")
    connection = apsw.Connection(path)
    fill(connection, options, change)
    print(f"{version} {name}: {order(connection)}")
for other in older:
    connection = apsw.Connection(os.path.join(folder, f"{other} without, REPLACE.db"))
    print(f"{version} the table of {other}: {order(connection)}")
END_OF_PYTHON
for version in 3.43.0.0 3.50.4.0 3.53.0.0 3.54.1.0; do
  python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --no-deps \
    --only-binary :all: --target "$folder/$version" "apsw==$version"
  case $version in 3.54*) set -- 3.53.0 ;; *) set -- ;; esac
  PYTHONPATH=$folder/$version python3 "$folder/ask.py" "$folder" "$@"
done | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
3.43.0 with content, REPLACE: 100 rows, first 1 (-0.61), 8 (-0.0), 20 (-0.0)
3.43.0 without, never changed: 100 rows, first 1 (-0.61), 8 (-0.0), 20 (-0.0)
3.43.0 without, UPDATE: 2100 rows, first 8 (-5.27), 20 (-5.27), 32 (-5.27)
3.43.0 without, DELETE: 2100 rows, first 8 (-5.27), 20 (-5.27), 32 (-5.27)
3.43.0 without, REPLACE: 2100 rows, first 8 (-5.27), 20 (-5.27), 32 (-5.27)
3.50.4 with content, REPLACE: 100 rows, first 1 (-0.61), 8 (-0.0), 20 (-0.0)
3.50.4 without, never changed: 100 rows, first 1 (-0.61), 8 (-0.0), 20 (-0.0)
3.50.4 without, UPDATE: 2100 rows, first 8 (-5.27), 20 (-5.27), 32 (-5.27)
3.50.4 without, DELETE: 2100 rows, first 8 (-5.27), 20 (-5.27), 32 (-5.27)
3.50.4 without, REPLACE: 2100 rows, first 8 (-5.27), 20 (-5.27), 32 (-5.27)
3.53.0 with content, REPLACE: 100 rows, first 1 (-0.61), 8 (-0.0), 20 (-0.0)
3.53.0 without, never changed: 100 rows, first 1 (-0.61), 8 (-0.0), 20 (-0.0)
3.53.0 without, UPDATE: 2100 rows, first 8 (-5.27), 20 (-5.27), 32 (-5.27)
3.53.0 without, DELETE: 2100 rows, first 8 (-5.27), 20 (-5.27), 32 (-5.27)
3.53.0 without, REPLACE: 2100 rows, first 8 (-5.27), 20 (-5.27), 32 (-5.27)
3.54.1 with content, REPLACE: 100 rows, first 1 (-0.61), 8 (-0.0), 20 (-0.0)
3.54.1 without, never changed: 100 rows, first 1 (-0.61), 8 (-0.0), 20 (-0.0)
3.54.1 without, UPDATE: 100 rows, first 1 (-0.61), 8 (-0.0), 20 (-0.0)
3.54.1 without, DELETE: 100 rows, first 1 (-0.61), 8 (-0.0), 20 (-0.0)
3.54.1 without, REPLACE: 100 rows, first 1 (-0.61), 8 (-0.0), 20 (-0.0)
3.54.1 the table of 3.53.0: 2100 rows, first 8 (-5.27), 20 (-5.27), 32 (-5.27)
END_OF_FOUND
