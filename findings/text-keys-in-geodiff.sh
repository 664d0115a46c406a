#!/bin/sh
# Two people edit copies of a database with a table that has a text for its key, and geodiff merges them: our new row
# has a number for its key, and our change of one row is lost for theirs of another.
#
# Guess: a row that both have added under one key is a conflict, which is noted, or one of the two wins; all other rows
# keep their keys, whatever type these have, and have nothing to do with each other.
# Found (pygeodiff 2.3.2, by which field apps synchronize GeoPackages), without an error, of rebase():
# - Whatever they have changed, oak, which we have added, is 124187 in the merged file, and 124188 where they have added
#   oak too. No conflict is noted.
# - That number is the sum of the letters, each times 33 as often as letters follow it. Rows whose keys have one sum, as
#   AQ and B0, are one: where they change B0, our change of AQ is lost without a note, and where they delete B0, it is
#   noted as one of the row 2226; where each deletes one of the two, AQ is back.
# - Right: changes of rows whose sums differ. Of integer keys a row that both add gets the next number. Keys of reals,
#   blobs and several columns were refused when they were tried.
# What follows: a table that geodiff merges has an integer for its key, and the text is UNIQUE beside it.
#
#   usage: findings/text-keys-in-geodiff.sh     prints the merged rows; ends with 1 if they change
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-deps --only-binary :all: \
  --target "$folder/python" pygeodiff==2.3.2
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import json, os, shutil, sqlite3, sys

import pygeodiff

folder = sys.argv[1]
geodiff = pygeodiff.GeoDiff()

def execute(path, *statements):
    file = sqlite3.connect(path)
    for statement in statements:
        rows = file.execute(statement).fetchall()
    file.commit()
    file.close()
    return rows

def merged(name, before, theirs, ours, type="TEXT"):
    paths = [os.path.join(folder, f"{name}.{part}") for part in ["base", "theirs", "ours", "conflict"]]
    rows = [f"INSERT INTO tree VALUES ({key}, 0)" for key in before]
    execute(paths[0], f"CREATE TABLE tree (name {type} PRIMARY KEY, age)", *rows)
    for path, change in zip(paths[1:3], [theirs, ours]):
        shutil.copy(paths[0], path)
        execute(path, change)
    geodiff.rebase(*paths)
    noted = "no conflict"
    if os.path.exists(paths[3]) and os.path.getsize(paths[3]):
        with open(paths[3]) as file:
            noted = "conflict of the row " + " ".join(entry["fid"] for entry in json.load(file)["geodiff"])
    rows = execute(paths[2], "SELECT name, age FROM tree ORDER BY age, name")
    print(f"{name}:", ", ".join(f"{key!r} {age}" for key, age in rows), "|", noted)

print("geodiff", geodiff.version())
ADDED = "INSERT INTO tree VALUES ({}, {})"
CHANGED = "UPDATE tree SET age = 5 WHERE name = {}"
DELETED = "DELETE FROM tree WHERE name = {}"
merged("they change elm, we add oak", ["'elm'"], CHANGED.format("'elm'"), ADDED.format("'oak'", 6))
merged("they add fir, we add oak", ["'elm'"], ADDED.format("'fir'", 5), ADDED.format("'oak'", 6))
merged("both add oak", ["'elm'"], ADDED.format("'oak'", 5), ADDED.format("'oak'", 6))
merged("both add 3", [1], ADDED.format(3, 5), ADDED.format(3, 6), "INTEGER")
for key in ["ZZ", "AQ"]:
    rows = ["'B0'", f"'{key}'", "'elm'"]
    merged(f"they delete B0, we change {key}", rows, DELETED.format("'B0'"), CHANGED.format(f"'{key}'"))
    merged(f"they change B0, we change {key}", rows, CHANGED.format("'B0'"), CHANGED.format(f"'{key}'"))
merged("they delete B0, we delete AQ", ["'B0'", "'AQ'", "'elm'"], DELETED.format("'B0'"), DELETED.format("'AQ'"))
END_OF_PYTHON
# It says at its end that Python is shutting down.
PYTHONPATH=$folder/python python3 "$folder/ask.py" "$folder" 2>"$folder/log" >"$folder/found" \
  || { cat "$folder/log"; exit 70; }
cat "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
geodiff 2.3.2
they change elm, we add oak: 'elm' 5, '124187' 6 | no conflict
they add fir, we add oak: 'elm' 0, 'fir' 5, '124187' 6 | no conflict
both add oak: 'elm' 0, 'oak' 5, '124188' 6 | no conflict
both add 3: 1 0, 3 5, 4 6 | no conflict
they delete B0, we change ZZ: 'elm' 0, 'ZZ' 5 | no conflict
they change B0, we change ZZ: 'elm' 0, 'B0' 5, 'ZZ' 5 | no conflict
they delete B0, we change AQ: 'AQ' 0, 'elm' 0 | conflict of the row 2226
they change B0, we change AQ: 'AQ' 0, 'elm' 0, 'B0' 5 | no conflict
they delete B0, we delete AQ: 'AQ' 0, 'elm' 0 | no conflict
END_OF_FOUND
