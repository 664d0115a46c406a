#!/bin/sh
# An app empties a table of libSQL and fills it anew, and searches by its vector index: what it finds are rows that were
# deleted, and none of the new ones; or the first new row is refused.
#
# Guess: DELETE without WHERE empties the index of the table, as it empties other indexes, and fires its triggers.
# Found (libsql 0.1.11), without an error from DELETE:
# - After `DELETE FROM stop` the index still has all vectors. vector_top_k finds the deleted ids, nearest first, so that
#   a join with the table has no row, also where the table has new rows that are near enough.
# - A new row with an id that was there before is an error: failed to insert shadow row.
# - It is so in the file as well, when it is opened again. integrity_check says ok.
# - Right: `DELETE FROM stop WHERE 1`; DELETE without WHERE where the table has a trigger for deletions; DROP INDEX and
#   CREATE INDEX afterwards.
# What follows: a table with a vector index is emptied by DELETE … WHERE true.
#
#   usage: findings/vectors-of-a-table-that-was-emptied.sh     prints what is found; ends with 1 if it changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --no-deps \
  --only-binary :all: --target "$folder/python" libsql==0.1.11
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import importlib.metadata, os, sys

import libsql

def near(connection):
    found = connection.execute("SELECT id FROM vector_top_k('stop_by_place', vector('[1, 1]'), 3)").fetchall()
    rows = connection.execute("SELECT stop.id FROM vector_top_k('stop_by_place', vector('[1, 1]'), 3) AS near "
                              "JOIN stop ON stop.id = near.id").fetchall()
    return f"the index has {' '.join(str(id) for (id,) in found)}, rows {' '.join(str(id) for (id,) in rows) or 'none'}"

def run(connection, *statements):
    said = ""
    for statement in statements:
        try:
            connection.execute(statement)
            connection.commit()
        except ValueError as error:
            said += f" ({error})"
    return said

def case(number, name, *statements):
    path = os.path.join(sys.argv[1], f"{number}.db")
    connection = libsql.connect(path)
    run(connection, "CREATE TABLE stop (id INTEGER PRIMARY KEY, place F32_BLOB(2))",
        "CREATE INDEX stop_by_place ON stop (libsql_vector_idx(place))",
        *(f"INSERT INTO stop VALUES ({id}, vector('[1, {id}]'))" for id in range(1, 9)))
    said = run(connection, *statements)
    run(connection, *(f"INSERT INTO stop VALUES ({id}, vector('[1, {id}]'))" for id in (101, 102, 103)))
    print(f"{name}{said}: {near(connection)}", end="; ")
    print("id 1 again" + (run(connection, "INSERT INTO stop VALUES (1, vector('[1, 1]'))") or " is right"), end="; ")
    connection.close()
    connection = libsql.connect(path)
    print("opened again", near(connection) + ";", connection.execute("PRAGMA integrity_check").fetchone()[0])

print("libsql", importlib.metadata.version("libsql"))
case(1, "DELETE", "DELETE FROM stop")
case(2, "DELETE WHERE 1", "DELETE FROM stop WHERE 1")
case(3, "DELETE with a trigger", "CREATE TRIGGER follow AFTER DELETE ON stop BEGIN SELECT 1; END", "DELETE FROM stop")
case(4, "DELETE, index made anew", "DELETE FROM stop", "DROP INDEX stop_by_place",
     "CREATE INDEX stop_by_place ON stop (libsql_vector_idx(place))")
END_OF_PYTHON
PYTHONPATH=$folder/python python3 "$folder/ask.py" "$folder" | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
libsql 0.1.11
DELETE: the index has 1 2 3, rows none; id 1 again (vector index(insert): failed to insert shadow row); opened again the index has 1 2 3, rows none; ok
DELETE WHERE 1: the index has 101 102 103, rows 101 102 103; id 1 again is right; opened again the index has 1 101 102, rows 1 101 102; ok
DELETE with a trigger: the index has 101 102 103, rows 101 102 103; id 1 again is right; opened again the index has 1 101 102, rows 1 101 102; ok
DELETE, index made anew: the index has 101 102 103, rows 101 102 103; id 1 again is right; opened again the index has 1 101 102, rows 1 101 102; ok
END_OF_FOUND
