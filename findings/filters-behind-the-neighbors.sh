#!/bin/sh
# The k nearest rows that also meet a condition, in sqlite-vec: for some conditions fewer than k are found, or more.
#
# Guess: vec0 looks for neighbors among the rows that meet each condition that it takes, and refuses one that it cannot
# take, as it refuses LIKE, IS NULL and a condition on an auxiliary column.
# Found (sqlite-vec 0.1.9, apsw 3.54.1), of ten rows at 0 to 9, the first five of which are in the partition A, with
# k = 3 around 0:
# - id IN (7, 8), number = 5, number != 0, number IN (5, 7, 9) and number BETWEEN 4 AND 6 are right.
# - id = 7, id > 5 and number NOT IN (0, 1) are applied to the three neighbors of all rows: none, none and one are left.
# - part IN ('A', 'B') has three rows of each partition, six in all; part != 'A' is right.
# What follows: who filters by the key writes id IN (7); who negates a set writes one != for each of its members.
#
#   usage: findings/filters-behind-the-neighbors.sh     prints the rows; ends with 1 if one of the results changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ask.py" <<'END'
import apsw, sqlite_vec

connection = apsw.Connection(":memory:")
connection.enable_load_extension(True)
connection.load_extension(sqlite_vec.loadable_path())
connection.execute(
    "CREATE VIRTUAL TABLE item USING vec0 (id INTEGER PRIMARY KEY, place FLOAT[1], number INTEGER, name TEXT, "
    "part TEXT PARTITION KEY)")
for number in range(10):
    connection.execute("INSERT INTO item (id, place, number, name, part) VALUES (?, ?, ?, ?, ?)",
                       (number, f"[{number}]", number, f"item {number}", "A" if number < 5 else "B"))

print(*connection.execute("SELECT vec_version()").fetchone())
for where in ["number >= 0", "id IN (7, 8)", "number = 5", "number != 0", "number IN (5, 7, 9)",
              "number BETWEEN 4 AND 6", "id = 7", "id > 5", "number NOT IN (0, 1)", "part != 'A'",
              "part IN ('A', 'B')", "name LIKE 'item%'"]:
    try:
        rows = connection.execute(f"SELECT id FROM item WHERE place MATCH '[0]' AND k = 3 AND {where}").fetchall()
        print(where, "|", *[row[0] for row in rows] or ["none"])
    except apsw.SQLError:
        print(where, "| refused")
END
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-deps \
  --only-binary :all: --target "$folder/packages" apsw==3.54.1.0 sqlite-vec==0.1.9
PYTHONPATH=$folder/packages python3 "$folder/ask.py" | tee "$folder/found"
diff - "$folder/found" <<'END'
v0.1.9
number >= 0 | 0 1 2
id IN (7, 8) | 7 8
number = 5 | 5
number != 0 | 1 2 3
number IN (5, 7, 9) | 5 7 9
number BETWEEN 4 AND 6 | 4 5 6
id = 7 | none
id > 5 | none
number NOT IN (0, 1) | 2
part != 'A' | 5 6 7
part IN ('A', 'B') | 0 1 2 5 6 7
name LIKE 'item%' | refused
END
