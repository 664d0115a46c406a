#!/bin/sh
# DuckDB computes a view of an attached SQLite database itself where it can, and leaves it to SQLite where it cannot.
#
# Guess: SQLite computes its views, so that they have the same rows in DuckDB.
# Found (DuckDB 1.5.5 and its extension for SQLite):
# - DuckDB parses the view's text as its own SQL: 7 / 2 is 3.5, LIKE and NOCASE columns tell letter cases apart, NULL is
#   last, 2.7 is cast to 3, json_extract() keeps quotation marks, and columns that are generated are missing.
# - A view with a function that DuckDB lacks is computed by SQLite as a whole, and each value is a text: one more column
#   with total() turns 3.5 into '3'.
# - sqlite_query(), the third row that is printed, has SQLite's values, and texts in place of numbers too.
# What follows: who ships views to be read with DuckDB reads them once with it, or ships tables.
#
#   usage: findings/sqlite-view-in-duckdb.sh     prints three rows of each view; ends with 1 if one changes
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
views = {
    "division": "SELECT 7 / 2 AS x",
    "division_and_total": "SELECT 7 / 2 AS x, total(number) AS y FROM stop",
    "like": "SELECT count(*) AS x FROM stop WHERE name LIKE 'a%'",
    "nocase": "SELECT count(*) AS x FROM stop WHERE name = 'ALPHA'",
    "first": "SELECT number AS x FROM stop ORDER BY number LIMIT 1",
    "cast": "SELECT CAST(2.7 AS INTEGER) AS x",
    "json": """SELECT json_extract('{"a": "b"}', '$.a') AS x""",
    "generated": "SELECT * FROM stop WHERE number = 7",
}
path = os.path.join(folder, "views.db")
lite = sqlite3.connect(path)
lite.executescript("""
  CREATE TABLE stop (name TEXT COLLATE NOCASE, number INTEGER, double INTEGER AS (number * 2));
  INSERT INTO stop VALUES ('alpha', 7), ('Alpine', NULL), ('beta', -3), ('ALPHA', 2)""")
for name, sql in views.items():
    lite.execute(f"CREATE VIEW {name}_view AS {sql}")
lite.commit()

extension = os.path.join(folder, "sqlite_scanner.duckdb_extension")
[packed] = glob.glob(folder + "/python/duckdb_extension_sqlite/**/*.duckdb_extension", recursive=True)
shutil.copy(packed, extension)
duck = duckdb.connect(config={"autoinstall_known_extensions": False})
duck.execute(f"LOAD '{extension}'")
duck.execute(f"ATTACH '{path}' AS lite (TYPE sqlite, READ_ONLY)")
print("DuckDB", duckdb.__version__)
for name in views:
    select = f"SELECT * FROM {{}}{name}_view"
    print(name, "|", lite.execute(select.format("")).fetchall()[0], duck.execute(select.format("lite.")).fetchall()[0],
          duck.execute("SELECT * FROM sqlite_query('lite', ?)", [select.format("")]).fetchall()[0])
END
PYTHONPATH=$folder/python python3 "$folder/ask.py" "$folder" | tee "$folder/found"
diff - "$folder/found" <<'END'
DuckDB 1.5.5
division | (3,) (3.5,) ('3',)
division_and_total | (3, 6.0) ('3', '6.0') ('3', '6.0')
like | (3,) (1,) ('3',)
nocase | (2,) (1,) ('2',)
first | (None,) (-3,) (None,)
cast | (2,) (3,) ('2',)
json | ('b',) ('"b"',) ('b',)
generated | ('alpha', 7, 14) ('alpha', 7) ('alpha', '7', '14')
END
