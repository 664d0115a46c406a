#!/bin/sh
# A table that DuckDB makes in an attached SQLite database has texts for sums and decimals, and a key that may be null.
#
# Guess: what is a number in DuckDB is one in SQLite; INTEGER PRIMARY KEY is written as it is, the name of the rowid.
# Found (DuckDB 1.5.5 and its extension for SQLite):
# - CREATE TABLE AS: sum() of integers is a HUGEINT in DuckDB, and price * 1.5 a DECIMAL; both columns are VARCHAR in
#   SQLite and hold texts: 9 is more than 100 there, and the one total above 5000 is 9. count(*) is a number.
# - INTEGER PRIMARY KEY becomes BIGINT PRIMARY KEY: it is not the rowid, a row that is inserted without it has NULL
#   there, one after the other, and is not found by last_insert_rowid().
# What follows: the tables of an app are made by SQLite, whose types DuckDB's rows are then given; or sums are cast to
# BIGINT, and decimals to DOUBLE.
#
#   usage: findings/tables-that-duckdb-makes.sh     prints the tables; ends with 1 if one of them changes
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
duck = duckdb.connect(config={"autoinstall_known_extensions": False})
duck.execute(f"LOAD '{extension}'")
duck.execute(f"ATTACH '{path}' AS lite (TYPE sqlite)")
for sql in [
    "CREATE TABLE boarding (stop VARCHAR, people INTEGER, price INTEGER)",
    "INSERT INTO boarding VALUES ('Mill', 4, 3), ('Mill', 5, 3), ('Quay', 10, 2), ('Farm', 100, 1)",
    "CREATE TABLE lite.usage AS SELECT stop, count(*) AS rows, sum(people) AS total, max(price) * 1.5 AS price, "
    "sum(people)::BIGINT AS whole FROM boarding GROUP BY stop ORDER BY stop",
    "CREATE TABLE lite.made (id INTEGER PRIMARY KEY, name VARCHAR)",
    "INSERT INTO lite.made (name) VALUES ('Mill'), ('Quay')",
]:
    duck.execute(sql)
duck.close()
lite = sqlite3.connect(path)

def ask(sql):
    print(sql, "|", *lite.execute(sql).fetchall())

print("DuckDB", duckdb.__version__)
print(*[sql for [sql] in lite.execute("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name")], sep="\n")
ask("SELECT typeof(total), typeof(price), typeof(whole) FROM usage LIMIT 1")
ask("SELECT stop, total, whole FROM usage ORDER BY total DESC")
ask("SELECT stop FROM usage WHERE total > 5000")
ask("SELECT rowid, id, name FROM made")
END
PYTHONPATH=$folder/python python3 "$folder/ask.py" "$folder" | tee "$folder/found"
diff - "$folder/found" <<'END'
DuckDB 1.5.5
CREATE TABLE made(id BIGINT PRIMARY KEY, "name" VARCHAR)
CREATE TABLE usage(stop VARCHAR, "rows" BIGINT, total VARCHAR, price VARCHAR, whole BIGINT)
SELECT typeof(total), typeof(price), typeof(whole) FROM usage LIMIT 1 | ('text', 'text', 'integer')
SELECT stop, total, whole FROM usage ORDER BY total DESC | ('Mill', '9', 9) ('Farm', '100', 100) ('Quay', '10', 10)
SELECT stop FROM usage WHERE total > 5000 | ('Mill',)
SELECT rowid, id, name FROM made | (1, None, 'Mill') (2, None, 'Quay')
END
