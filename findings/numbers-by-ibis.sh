#!/bin/sh
# An app's database is examined with ibis: identifiers are those of other rows as soon as one is missing, and small
# numbers, instants and truth values are other ones.
#
# Guess: a table of SQLite has the numbers in ibis that its file has, 64 bits wide, or there is an error, as for a text
# in an INTEGER column by Arrow; seconds since 1970 are those in whatever column, since nobody says another unit.
# Found (ibis 12.0.0 with pandas 3.1.1), without an error:
# - BIGINT 9007199254740993 is 9007199254740992 where another row is NULL, and exact where none is. A condition has the
#   value in the file: the row that is found by it has another number.
# - TINYINT and INT2 are cut to 8 and 16 bits, although SQLite has no such limits: 300 is 44, 70000 is 4464.
# - 1767000000 in a DATETIME column, a day of 2025 in seconds, is taken for microseconds: half past midnight of 1970.
#   20260103 in a DATE column is taken for seconds: August 1970.
# - "false" in a BOOLEAN column is true. Beside numbers it stays a text. 2.5 alone in an INTEGER column is 2.
# - Right: integers without NULL, dates and times as texts, REAL, NULL. Text in DECIMAL is an error.
# What follows: numbers for a report are read by SQLite's own types, or cast to text in the query.
#
#   usage: findings/numbers-by-ibis.sh     prints the values; ends with 1 if they change
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --only-binary :all: \
  --target "$folder/python" 'ibis-framework[sqlite]==12.0.0' pandas==3.1.1 pyarrow==26.0.1 numpy==2.4.6 2>"$folder/log"
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import contextlib, os, sqlite3, sys, warnings

import ibis, pandas

warnings.simplefilter("ignore")
COLUMNS = {
    "BIGINT": (9007199254740993, None), "INTEGER": (9007199254740993, 1), "TINYINT": (300,), "INT2": (70000,),
    "DATETIME": (1767000000, "2025-12-29 09:20:00"), "DATE": (20260103, "2026-01-03"), "BOOLEAN": ("false",),
    "BOOLEAN ": ("false", 1), "INTEGER ": (2.5,), "REAL": (2.5, None),
}
path = os.path.join(sys.argv[1], "app.db")
with contextlib.closing(sqlite3.connect(path)) as connection:
    for number, (kind, values) in enumerate(COLUMNS.items()):
        connection.execute(f"CREATE TABLE t{number} (id INTEGER PRIMARY KEY, value {kind})")
        connection.executemany(f"INSERT INTO t{number} (value) VALUES (?)", [(value,) for value in values])
    connection.commit()
app = ibis.sqlite.connect(path)
print("ibis", ibis.__version__, "pandas", pandas.__version__)
for number, (kind, values) in enumerate(COLUMNS.items()):
    found = app.table(f"t{number}").order_by("id").to_pandas()["value"].tolist()
    print(f"{kind.strip()} {', '.join(map(repr, values))}:", ", ".join(map(str, found)))
table = app.table("t0")
print("BIGINT, the row of 9007199254740993:", table.filter(table.value == 9007199254740993).count().execute(),
      "| in the table it is:", f"{table.order_by('id').to_pandas()['value'][0]:.0f}")
END_OF_PYTHON
PYTHONPATH=$folder/python python3 "$folder/ask.py" "$folder" 2>>"$folder/log" | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
ibis 12.0.0 pandas 3.1.1
BIGINT 9007199254740993, None: 9007199254740992.0, nan
INTEGER 9007199254740993, 1: 9007199254740993, 1
TINYINT 300: 44
INT2 70000: 4464
DATETIME 1767000000, '2025-12-29 09:20:00': 1970-01-01 00:29:27, 2025-12-29 09:20:00
DATE 20260103, '2026-01-03': 1970-08-23 11:48:23, 2026-01-03 00:00:00
BOOLEAN 'false': True
BOOLEAN 'false', 1: false, 1
INTEGER 2.5: 2
REAL 2.5, None: 2.5, nan
BIGINT, the row of 9007199254740993: 1 | in the table it is: 9007199254740992
END_OF_FOUND
