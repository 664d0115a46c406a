#!/bin/sh
# Some calls are read or deleted by their keys, each of which is a trip and a place in it: SQLite reads all calls, where
# the keys come from two tables by UNION, and in 3.40 also where they are two rows of VALUES.
#
# Guess: (trip, place) IN (…) goes to the rows by the primary key for each pair, wherever the pairs come from, as
# trip IN (…) does.
# Found (apsw's wheels of SQLite; 20,000 calls, two pairs; steps of SQLite's virtual machine), with the same rows:
# - VALUES of one pair goes by the key, VALUES of two reads all calls in 3.40; from 3.42 on it goes by the key.
# - SELECT … UNION SELECT …, and UNION ALL, read all calls in all versions up to 3.54, before and after ANALYZE.
# - With SELECT * FROM (…) around it, in a WITH, from one table, or as pairs joined by OR it goes by the key, in all.
# - For one column, trip IN (SELECT … UNION SELECT …), it goes by the key, too.
# What follows: pairs of keys are put into a WITH, or in a table of their own.
#
#   usage: findings/calls-named-by-two-keys.sh     prints how the calls are found; ends with 1 if that changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import apsw

UNION = "SELECT trip, place FROM late UNION SELECT trip, place FROM full"
QUERIES = {
    "one of VALUES": "(trip, place) IN (VALUES (1, 2))",
    "two of VALUES": "(trip, place) IN (VALUES (1, 2), (3, 4))",
    "a table": "(trip, place) IN (SELECT trip, place FROM both)",
    "UNION": f"(trip, place) IN ({UNION})",
    "UNION ALL": f"(trip, place) IN ({UNION.replace('UNION', 'UNION ALL')})",
    "SELECT around UNION": f"(trip, place) IN (SELECT * FROM ({UNION}))",
    "SELECT around VALUES": "(trip, place) IN (SELECT * FROM (VALUES (1, 2), (3, 4)))",
    "WITH": f"(trip, place) IN (WITH pair AS ({UNION}) SELECT * FROM pair)",
    "OR": "(trip, place) = (1, 2) OR (trip, place) = (3, 4)",
    "UNION of one column": "trip IN (SELECT trip FROM late UNION SELECT trip FROM full)",
}

def steps(connection, sql):
    count = 0
    def step():
        nonlocal count
        count += 5
        return False
    (getattr(connection, "set_progress_handler", None) or connection.setprogresshandler)(step, 5)
    connection.cursor().execute(sql).fetchall()
    return count

connection = apsw.Connection("")
cursor = connection.cursor()
cursor.execute("CREATE TABLE call (trip INTEGER, place INTEGER, time INTEGER, PRIMARY KEY (trip, place)) WITHOUT ROWID")
with connection:
    for number in range(20_000):
        cursor.execute("INSERT INTO call VALUES (?, ?, ?)", (number // 20, number % 20, number))
    for name, pairs in {"late": [(1, 2)], "full": [(3, 4)], "both": [(1, 2), (3, 4)]}.items():
        cursor.execute(f"CREATE TABLE {name} (trip INTEGER, place INTEGER)")
        for pair in pairs:
            cursor.execute(f"INSERT INTO {name} VALUES (?, ?)", pair)
whole, by_key = set(QUERIES), set(QUERIES)
for state in ("new", "analyzed"):
    for name, condition in QUERIES.items():
        read = steps(connection, f"SELECT * FROM call WHERE {condition}")
        cursor.execute("BEGIN")
        deleted = steps(connection, f"DELETE FROM call WHERE {condition}")
        cursor.execute("ROLLBACK")
        (by_key if min(read, deleted) > 20_000 else whole if max(read, deleted) < 1000 else set()).discard(name)
    cursor.execute("ANALYZE")
print(apsw.sqlitelibversion(), "| reads all calls:", ", ".join(name for name in QUERIES if name in whole))
assert not whole & by_key
END_OF_PYTHON
for version in 3.40.0.0 3.42.0.0 3.46.1.0 3.51.0.0 3.54.1.0; do
  python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --no-deps \
    --only-binary :all: --target "$folder/$version" "apsw==$version"
  PYTHONPATH=$folder/$version python3 "$folder/ask.py"
done | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
3.40.0 | reads all calls: two of VALUES, UNION, UNION ALL
3.42.0 | reads all calls: UNION, UNION ALL
3.46.1 | reads all calls: UNION, UNION ALL
3.51.0 | reads all calls: UNION, UNION ALL
3.54.1 | reads all calls: UNION, UNION ALL
END_OF_FOUND
