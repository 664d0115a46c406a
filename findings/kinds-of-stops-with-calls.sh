#!/bin/sh
# A menu offers the kinds of those stops that have calls, four of them: in SQLite 3.51 and later the question reads all
# stops of an analyzed database, and in 3.50 four of them.
#
# Guess: SELECT DISTINCT kind … WHERE EXISTS (…) skips from one kind to the next in the index of kinds, once ANALYZE has
# counted them; that 3.51 makes a join of EXISTS where it is faster does not take this away.
# Found (apsw's wheels; 1,000 and 4,000 stops of four kinds; steps of SQLite's virtual machine), with the same rows:
# - Up to 3.50 it takes some dozen steps, with 4,000 stops as with 1,000, also for two columns, and from 3.46 on by
#   count(DISTINCT kind). From 3.51 to 3.54 it grows with the stops, as a join does.
# - With LIMIT 1 within EXISTS, or with (EXISTS (…)) IS TRUE, or as NOT NOT EXISTS, it is as it was.
# - Other questions with EXISTS, such as how many stops have calls, take half of the steps that they took before.
# What follows: a list of distinct values says LIMIT 1 within EXISTS.
#
#   usage: findings/kinds-of-stops-with-calls.sh     prints how the work grows; ends with 1 if it changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import apsw

CALL = "SELECT 1 FROM call WHERE call.stop = stop.id"
QUERIES = {
    "distinct": f"SELECT DISTINCT kind FROM stop WHERE EXISTS ({CALL})",
    "two columns": f"SELECT DISTINCT kind, zone FROM stop WHERE EXISTS ({CALL})",
    "count": f"SELECT count(DISTINCT kind) FROM stop WHERE EXISTS ({CALL})",
    "limit 1": f"SELECT DISTINCT kind FROM stop WHERE EXISTS ({CALL} LIMIT 1)",
    "is true": f"SELECT DISTINCT kind FROM stop WHERE (EXISTS ({CALL})) IS TRUE",
    "not not": f"SELECT DISTINCT kind FROM stop WHERE NOT NOT EXISTS ({CALL})",
}

def steps(connection, sql):
    count = 0
    def step():
        nonlocal count
        count += 5
        return False
    (getattr(connection, "set_progress_handler", None) or connection.setprogresshandler)(step, 5)
    return sorted(connection.cursor().execute(sql).fetchall()), count

def stops(count):
    connection = apsw.Connection("")
    cursor = connection.cursor()
    cursor.execute("CREATE TABLE stop (id INTEGER PRIMARY KEY, kind TEXT, zone INTEGER)")
    cursor.execute("CREATE INDEX stop_by_kind ON stop (kind, zone)")
    cursor.execute("CREATE TABLE call (id INTEGER PRIMARY KEY, stop INTEGER)")
    cursor.execute("CREATE INDEX call_by_stop ON call (stop)")
    with connection:
        for id in range(count):
            cursor.execute("INSERT INTO stop VALUES (?, ?, ?)", (id, ("bus", "ferry", "rail", "tram")[id % 4], id % 8))
            cursor.execute("INSERT INTO call (stop) VALUES (?), (?)", (id, id))
    cursor.execute("ANALYZE")
    return connection

works, found = {}, {}
for count in (1000, 4000):
    connection = stops(count)
    for name, sql in QUERIES.items():
        rows, work = steps(connection, sql)
        assert rows == found.setdefault(name, rows) and rows
        works.setdefault(name, []).append(work)
print(apsw.sqlitelibversion(), "|", ", ".join(
    f"{name} {'ALL STOPS' if many > few * 2 else 'skips' if many < 1000 else many}"
    for name, (few, many) in works.items()))
END_OF_PYTHON
for version in 3.40.0.0 3.46.1.0 3.50.4.0 3.51.0.0 3.53.2.0 3.54.1.0; do
  python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --no-deps \
    --only-binary :all: --target "$folder/$version" "apsw==$version"
  PYTHONPATH=$folder/$version python3 "$folder/ask.py"
done | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
3.40.0 | distinct skips, two columns skips, count ALL STOPS, limit 1 skips, is true skips, not not skips
3.46.1 | distinct skips, two columns skips, count skips, limit 1 skips, is true skips, not not skips
3.50.4 | distinct skips, two columns skips, count skips, limit 1 skips, is true skips, not not skips
3.51.0 | distinct ALL STOPS, two columns ALL STOPS, count ALL STOPS, limit 1 skips, is true skips, not not skips
3.53.2 | distinct ALL STOPS, two columns ALL STOPS, count ALL STOPS, limit 1 skips, is true skips, not not skips
3.54.1 | distinct ALL STOPS, two columns ALL STOPS, count ALL STOPS, limit 1 skips, is true skips, not not skips
END_OF_FOUND
