#!/bin/sh
# A row of a table of vectors is changed after another one was deleted: vectorlite finds it twice, also by its old one.
#
# Guess: UPDATE replaces the vector, as in any table; what two connections have inserted is there afterwards. ROLLBACK
# does not reach an index in memory, which is what was found.
# Found (vectorlite 0.2.0 in apsw 3.54.1), without an error, of rows with vectors at 1, 2 and 3:
# - After DELETE of the first row and UPDATE of the second one the nearest row to 0 is the second one, at its old place;
#   at its new one it is found a second time. It is so after the file is closed and opened, too. Deleted once more,
#   the row is still found.
# - Without the DELETE, and with an INSERT between both, which takes the free place, UPDATE replaces.
# - Each connection has its own index in memory, and writes it as a whole when it closes: of two that have inserted a
#   row each, the one that closes last has removed the other's row.
# What follows: a changed vector is deleted and inserted under its number, by one connection.
#
#   usage: findings/row-found-twice-by-vectorlite.sh     prints the neighbors; ends with 1 if they change
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-deps --only-binary :all: \
  --target "$folder/python" vectorlite_py==0.2.0 apsw==3.54.1.0 numpy==2.4.6
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import os, struct, sys

import apsw, vectorlite_py

def vector(place):
    return struct.pack("<4f", place, 0, 0, 0)

def connect(path):
    connection = apsw.Connection(path)
    connection.enable_load_extension(True)
    connection.load_extension(vectorlite_py.vectorlite_path())
    return connection

def table(name):
    path = os.path.join(sys.argv[1], name + ".db")
    connection = connect(path)
    connection.execute("CREATE VIRTUAL TABLE place USING vectorlite"
                       f"(spot float32[4], hnsw(max_elements=100), '{path}.index')")
    for number in (1, 2, 3):
        insert(connection, number, number)
    return path, connection

def insert(connection, number, place):
    connection.execute("INSERT INTO place (rowid, spot) VALUES (?, ?)", (number, vector(place)))

def near(connection):
    rows = connection.execute("SELECT rowid, distance FROM place WHERE knn_search(spot, knn_param(?, 9))", (vector(0),))
    return ", ".join(f"row {number} at {distance ** 0.5:g}" for number, distance in rows)

print("SQLite", apsw.sqlite_lib_version() + ",", table("info")[1].execute("SELECT vectorlite_info()").get)
CASES = {
    "updated": ["UPDATE place SET spot = :to WHERE rowid = 2"],
    "deleted, updated": ["DELETE FROM place WHERE rowid = 1", "UPDATE place SET spot = :to WHERE rowid = 2"],
    "deleted, updated, it is deleted": ["DELETE FROM place WHERE rowid = 1",
                                        "UPDATE place SET spot = :to WHERE rowid = 2",
                                        "DELETE FROM place WHERE rowid = 2"],
    "deleted, inserted, updated": ["DELETE FROM place WHERE rowid = 1",
                                   "INSERT INTO place (rowid, spot) VALUES (4, :to)",
                                   "UPDATE place SET spot = :to WHERE rowid = 2"],
    "updated, rolled back": ["BEGIN", "UPDATE place SET spot = :to WHERE rowid = 2", "ROLLBACK"],
}
for name, statements in CASES.items():
    path, connection = table(name)
    for statement in statements:
        connection.execute(statement, {"to": vector(20)} if ":to" in statement else {})
    first = near(connection)
    connection.close()
    print(f"{name}: {first} | opened again: {near(connect(path))}")
path, connection = table("two connections")
connection.close()
one, two = connect(path), connect(path)
near(one), near(two)
insert(one, 7, 7)
insert(two, 8, 8)
one.close()
two.close()
print("two connections, one row each:", near(connect(path)))
END_OF_PYTHON
PYTHONPATH=$folder/python python3 "$folder/ask.py" "$folder" | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
SQLite 3.54.1, vectorlite extension version 0.2.0, built with SSE
updated: row 1 at 1, row 3 at 3, row 2 at 20 | opened again: row 1 at 1, row 3 at 3, row 2 at 20
deleted, updated: row 2 at 2, row 3 at 3, row 2 at 20 | opened again: row 2 at 2, row 3 at 3, row 2 at 20
deleted, updated, it is deleted: row 2 at 2, row 3 at 3 | opened again: row 2 at 2, row 3 at 3
deleted, inserted, updated: row 3 at 3, row 2 at 20, row 4 at 20 | opened again: row 3 at 3, row 2 at 20, row 4 at 20
updated, rolled back: row 1 at 1, row 3 at 3, row 2 at 20 | opened again: row 1 at 1, row 3 at 3, row 2 at 20
two connections, one row each: row 1 at 1, row 2 at 2, row 3 at 3, row 8 at 8
END_OF_FOUND
