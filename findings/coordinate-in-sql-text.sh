#!/bin/sh
# A coordinate of six decimals that SQLite reads from a text is not always the number that a program reads from it.
#
# Guess: it is, to the last bit, since nine digits are far from the 15 that SQLite keeps; and so in each version.
# Found (apsw's wheels, on x86-64), of 60,000 coordinates at random:
# - Up to 3.46 some ten of them are the neighbor of the number, and not the same ten in each version: -133.281447 is
#   one. From 3.47 on there is none.
# - It is so for a number in SQL, for CAST, and for a text in a REAL column, as .import makes of CSV. Printed it looks
#   alike: -133.281447.
# - A row that a program has bound is not found by the number in SQL, a text that SQLite converted is not equal to the
#   same number bound, and both are kept by one UNIQUE column.
# What follows: coordinates are bound, never written into SQL, and compared by a distance.
#
#   usage: findings/coordinate-in-sql-text.sh     prints the results; ends with 1 if one of them changes. On x86-64
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ask.py" <<'END'
import random

import apsw

connection = apsw.Connection(":memory:")
connection.execute("CREATE TABLE stop (lon REAL UNIQUE)")

def rows(sql, *values):
    return connection.execute(sql, values).fetchall()

numbers = random.Random(3)
texts = [f"{numbers.uniform(-180, 180):.6f}" for _ in range(60_000)]
other = sum(rows("SELECT CAST(? AS REAL)", text)[0][0] != float(text) for text in texts)
print("SQLite", rows("SELECT sqlite_version()")[0][0], "|", other, "of", len(texts), "are other numbers")
text = "-133.281447"
rows("INSERT INTO stop VALUES (?)", float(text))
print("found by the number in SQL:", len(rows(f"SELECT lon FROM stop WHERE lon = {text}")),
      "| bound:", len(rows("SELECT lon FROM stop WHERE lon = ?", float(text))))
rows("INSERT OR IGNORE INTO stop VALUES (?)", text)
kept = rows("SELECT lon, CAST(lon AS TEXT) FROM stop ORDER BY lon")
print("with the text:", *[repr(lon) for lon, _ in kept], "| as SQLite prints them:", *[text for _, text in kept])
END
for version in 3.40.0.0 3.46.1.0 3.47.2.0 3.54.1.0; do
  python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-deps \
    --only-binary :all: --target "$folder/$version" "apsw==$version"
  PYTHONPATH=$folder/$version python3 "$folder/ask.py"
done | tee "$folder/found"
diff - "$folder/found" <<'END'
SQLite 3.40.0 | 9 of 60000 are other numbers
found by the number in SQL: 0 | bound: 1
with the text: -133.28144700000001 -133.281447 | as SQLite prints them: -133.281447 -133.281447
SQLite 3.46.1 | 13 of 60000 are other numbers
found by the number in SQL: 0 | bound: 1
with the text: -133.28144700000001 -133.281447 | as SQLite prints them: -133.281447 -133.281447
SQLite 3.47.2 | 0 of 60000 are other numbers
found by the number in SQL: 1 | bound: 1
with the text: -133.281447 | as SQLite prints them: -133.281447
SQLite 3.54.1 | 0 of 60000 are other numbers
found by the number in SQL: 1 | bound: 1
with the text: -133.281447 | as SQLite prints them: -133.281447
END
