#!/bin/sh
# GDAL reads an INTEGER column of a SQLite database in 32 bits: 9000000000 is 2147483647, without an error.
#
# Guess: INTEGER is 64 bits wide, as SQLite's are, or the type follows from the values; what does not fit is an error.
# Found (GDAL 3.12.4 in pyogrio 0.13.0, its driver for SQLite):
# - A greater integer is 2147483647, and one warning is said, so that milliseconds, and identifiers that are made at
#   random, are all the same. A condition has the value in the file: where it asks for 2147483647 there is no row.
# - 2.9 is 2, of which no warning is said, and a text is 0. A column without a type has that of its first row: 1 before
#   2.9 makes 2 of it too.
# - Right: BIGINT, the primary key, and what a function such as max() returns.
# What follows: who ships a database that GIS tools read declares such a column BIGINT, which is the same for SQLite.
#
#   usage: findings/wide-integers-in-gdal.sh     prints what is read; ends with 1 if it changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --only-binary :all: \
  --target "$folder/python" pyogrio==0.13.0 numpy==2.4.6
cat >"$folder/ask.py" <<'END'
import os, sqlite3, sys, warnings

import pyogrio

path = os.path.join(sys.argv[1], "trips.sqlite")
lite = sqlite3.connect(path, isolation_level=None)
warnings.simplefilter("ignore")
lite.executescript("""
  CREATE TABLE call (id INTEGER PRIMARY KEY, made INTEGER, wide BIGINT, delay INTEGER, free);
  INSERT INTO call VALUES (9000000001, 1795984073641, 1795984073641, 1, 1),
    (9000000002, 1795984074702, 1795984074702, 2.9, 2.9), (9000000003, 7, 7, 'late', 3);
  CREATE VIEW last AS SELECT max(made) AS made FROM call""")

def read(**options):
    meta, identifiers, _, columns = pyogrio.raw.read(path, return_fids=True, **options)
    return {"id": identifiers.tolist(), **{name: values.tolist() for name, values in zip(meta["fields"], columns)}}

print("GDAL", pyogrio.__gdal_version_string__)
rows = read(layer="call")
for name in rows:
    print(name, rows[name], "SQLite:", [row[0] for row in lite.execute(f"SELECT {name} FROM call")])
print("view of max()", read(layer="last")["made"])
print("made > 2147483647:", read(layer="call", where="made > 2147483647")["made"])
print("made = 2147483647:", read(layer="call", where="made = 2147483647")["made"])
END
PYTHONPATH=$folder/python python3 "$folder/ask.py" "$folder" | tee "$folder/found"
diff - "$folder/found" <<'END'
GDAL 3.12.4
id [9000000001, 9000000002, 9000000003] SQLite: [9000000001, 9000000002, 9000000003]
made [2147483647, 2147483647, 7] SQLite: [1795984073641, 1795984074702, 7]
wide [1795984073641, 1795984074702, 7] SQLite: [1795984073641, 1795984074702, 7]
delay [1, 2, 0] SQLite: [1, 2.9, 'late']
free [1, 2, 3] SQLite: [1, 2.9, 3]
view of max() [1795984074702]
made > 2147483647: [2147483647, 2147483647]
made = 2147483647: []
END
