#!/bin/sh
# DuckDB reads a DATE column of an attached SQLite database that holds 20260103, as GTFS writes dates, as August 1970.
#
# Guess: a DATE column whose values DuckDB cannot read is an error, as is an INTEGER column with a text; or a text.
# Found (DuckDB 1.5.5 and its extension for SQLite), without an error:
# - 20260103 is 1970-08-23, as an integer and as a text: it is a number of seconds.
# - A Julian day, one of the three forms of SQLite's own functions, is a number of seconds too: 1970-01-29.
# - The offset of a time is left out: 03:04:05+01:00 and 03:04:05Z are the same instant.
# - Right: seconds since 1970 in DATETIME, "2026-01-03", and a time with a T. 25:10:00 in a TIME column is an error.
# What follows: dates as GTFS writes them are declared TEXT or INTEGER, as `holdfast transit export DB OUT.sqlite` does.
#
#   usage: findings/dates-of-sqlite-in-duckdb.sh     prints what is read; ends with 1 if it changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-deps --only-binary :all: \
  --target "$folder/python" duckdb==1.5.5 duckdb-extension-sqlite==1.5.5
cat >"$folder/ask.py" <<'END'
import glob, os, shutil, sqlite3, sys
import duckdb

folder = sys.argv[1]
extension = os.path.join(folder, "sqlite_scanner.duckdb_extension")
[packed] = glob.glob(folder + "/python/duckdb_extension_sqlite/**/*.duckdb_extension", recursive=True)
shutil.copy(packed, extension)
path = os.path.join(folder, "app.db")
values = {
    "DATE": ["'2026-01-03'", "'20260103'", "20260103"],
    "DATETIME": ["1767409445", "'2026-01-03T03:04:05Z'", "'2026-01-03T03:04:05+01:00'", "julianday('2026-01-03')"],
    "TIME": ["'25:10:00'"],
}
lite = sqlite3.connect(path, isolation_level=None)
for kind in values:
    lite.execute(f"CREATE TABLE {kind}_table (id INTEGER PRIMARY KEY, value {kind})")
    for value in values[kind]:
        lite.execute(f"INSERT INTO {kind}_table (value) VALUES ({value})")
duck = duckdb.connect(config={"autoinstall_known_extensions": False})
duck.execute(f"LOAD '{extension}'")
duck.execute(f"ATTACH '{path}' AS lite (TYPE sqlite, READ_ONLY)")

def ask(connection, sql):
    try:
        return ", ".join(str(row[0]) for row in connection.execute(sql).fetchall())
    except duckdb.Error as error:
        return type(error).__name__

print("DuckDB", duckdb.__version__)
for kind in values:
    for number, value in enumerate(values[kind], 1):
        select = f"SELECT value FROM {{}}{kind}_table WHERE id = {number}"
        print(kind, value, "| SQLite", ask(lite, select.format("")), "| DuckDB", ask(duck, select.format("lite.")))
END
PYTHONPATH=$folder/python python3 "$folder/ask.py" "$folder" | tee "$folder/found"
diff - "$folder/found" <<'END'
DuckDB 1.5.5
DATE '2026-01-03' | SQLite 2026-01-03 | DuckDB 2026-01-03
DATE '20260103' | SQLite 20260103 | DuckDB 1970-08-23
DATE 20260103 | SQLite 20260103 | DuckDB 1970-08-23
DATETIME 1767409445 | SQLite 1767409445 | DuckDB 2026-01-03 03:04:05
DATETIME '2026-01-03T03:04:05Z' | SQLite 2026-01-03T03:04:05Z | DuckDB 2026-01-03 03:04:05
DATETIME '2026-01-03T03:04:05+01:00' | SQLite 2026-01-03T03:04:05+01:00 | DuckDB 2026-01-03 03:04:05
DATETIME julianday('2026-01-03') | SQLite 2461043.5 | DuckDB 1970-01-29 11:37:23.500000
TIME '25:10:00' | SQLite 25:10:00 | DuckDB ConversionException
END
