#!/bin/sh
# A view has the departures of two tables by UNION ALL, one of which has no platforms, and says NULL there: from SQLite
# 3.40 on the next twenty departures cost hundreds of times as much as with CAST(NULL AS TEXT), or as in 3.39.
#
# Guess: both tables have an index of the time, and SQLite merges them, whatever the other columns are; a column that a
# query does not ask for has no effect at all.
# Found (apsw's wheels of SQLite 3.39 to 3.54; 4,000 rows a table; steps of SQLite's virtual machine):
# - ORDER BY time LIMIT 20 takes some hundred steps in 3.39. From 3.40 on it does so where each column has one affinity
#   in both tables. NULL, a number, a text in quotes, coalesce() and the like have none: beside a TEXT column all rows
#   are read and sorted, also by `SELECT id, time`, which leaves that column out.
# - CAST(… AS TEXT) gives an expression the affinity. A column with another collation does no harm.
# - In all versions `SELECT id … ORDER BY time` reads and sorts all rows, and `SELECT id, time …` does not; max(time)
#   reads all.
# What follows: what a view takes from two tables is cast to one type; its ORDER BY is by a column of the result.
#
#   usage: findings/null-in-one-table-of-a-view.sh     prints the work; ends with 1 if it changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import apsw

connection = apsw.Connection("")

def run(sql, values=()):
    return connection.cursor().execute(sql, values).fetchall()

def steps(sql):
    count = 0
    def step():
        nonlocal count
        count += 10
        return False
    (getattr(connection, "set_progress_handler", None) or connection.setprogresshandler)(step, 10)
    run(sql)
    return "all" if count > 20000 else "some" if count < 1000 else str(count)

for table in ("planned", "added"):
    run(f"CREATE TABLE {table} (id INTEGER PRIMARY KEY, time INTEGER, platform TEXT, other TEXT COLLATE NOCASE)")
    run(f"CREATE INDEX {table}_by_time ON {table} (time)")
    with connection:
        for id in range(4000):
            run(f"INSERT INTO {table} VALUES (?, ?, ?, 'x')", (id, id * 31 % 3989, f"{id % 9}"))
QUERIES = {
    "id and time": "SELECT id, time FROM departure ORDER BY time LIMIT 20",
    "all columns": "SELECT * FROM departure ORDER BY time LIMIT 20",
    "id alone": "SELECT id FROM departure ORDER BY time LIMIT 20",
    "max": "SELECT max(time) FROM departure",
}
print(apsw.sqlitelibversion())
for platform in ("platform", "other", "NULL", "'1'", "1", "coalesce(platform, '')", "CAST(NULL AS TEXT)"):
    run("DROP VIEW IF EXISTS departure")
    run("CREATE VIEW departure AS SELECT id, time, platform FROM planned "
        f"UNION ALL SELECT id, time, {platform} FROM added")
    print(f"  {platform}:", ", ".join(f"{name} {steps(sql)}" for name, sql in QUERIES.items()))
END_OF_PYTHON
for version in 3.39.4.0 3.40.0.0 3.54.1.0; do
  python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --no-deps \
    --only-binary :all: --target "$folder/$version" "apsw==$version"
  PYTHONPATH=$folder/$version python3 "$folder/ask.py"
done | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
3.39.4
  platform: id and time some, all columns some, id alone all, max all
  other: id and time some, all columns some, id alone all, max all
  NULL: id and time some, all columns some, id alone all, max all
  '1': id and time some, all columns some, id alone all, max all
  1: id and time some, all columns some, id alone all, max all
  coalesce(platform, ''): id and time some, all columns some, id alone all, max all
  CAST(NULL AS TEXT): id and time some, all columns some, id alone all, max all
3.40.0
  platform: id and time some, all columns some, id alone all, max all
  other: id and time some, all columns some, id alone all, max all
  NULL: id and time all, all columns all, id alone all, max all
  '1': id and time all, all columns all, id alone all, max all
  1: id and time all, all columns all, id alone all, max all
  coalesce(platform, ''): id and time all, all columns all, id alone all, max all
  CAST(NULL AS TEXT): id and time some, all columns some, id alone all, max all
3.54.1
  platform: id and time some, all columns some, id alone all, max all
  other: id and time some, all columns some, id alone all, max all
  NULL: id and time all, all columns all, id alone all, max all
  '1': id and time all, all columns all, id alone all, max all
  1: id and time all, all columns all, id alone all, max all
  coalesce(platform, ''): id and time all, all columns all, id alone all, max all
  CAST(NULL AS TEXT): id and time some, all columns some, id alone all, max all
END_OF_FOUND
