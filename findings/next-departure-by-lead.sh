#!/bin/sh
# A list shows the first twenty departures and the time to the one that follows each, by lead(): SQLite reads all
# departures, and by lag(), which looks back, some twenty.
#
# Guess: a window function over the order of an index reads as far as the rows of the list need it, one row more for
# lead(); ntile() and percent_rank(), which depend on the number of rows, need them all.
# Found (apsw's wheels of SQLite 3.40 to 3.54; 2,000 and 8,000 departures with an index of the time; steps of SQLite's
# virtual machine), before and after ANALYZE:
# - lead(time) OVER (ORDER BY time) … ORDER BY time LIMIT 20 computes all rows.
# - first_value(time) OVER (ORDER BY time ROWS BETWEEN 1 FOLLOWING AND 1 FOLLOWING) has the same values, and reads some
#   twenty rows. So do nth_value() and max() with such a frame.
# - With PARTITION BY stop lead() reads to the end of a stop's departures.
# What follows: lead() is written as first_value() with a frame where a list has a LIMIT.
#
#   usage: findings/next-departure-by-lead.sh     prints how the work grows; ends with 1 if it changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import apsw

NEXT = "ORDER BY time ROWS BETWEEN 1 FOLLOWING AND 1 FOLLOWING"
QUERIES = {
    "lag": "lag(time) OVER (ORDER BY time)",
    "lead": "lead(time) OVER (ORDER BY time)",
    "first_value": f"first_value(time) OVER ({NEXT})",
    "max": f"max(time) OVER ({NEXT})",
    "nth_value": "nth_value(time, 2) OVER (ORDER BY time ROWS BETWEEN CURRENT ROW AND 1 FOLLOWING)",
    "row_number": "row_number() OVER (ORDER BY time)",
    "sum": "sum(stop) OVER (ORDER BY time)",
}

def ask(connection, sql):
    count = 0
    def step():
        nonlocal count
        count += 5
        return False
    (getattr(connection, "set_progress_handler", None) or connection.setprogresshandler)(step, 5)
    return connection.cursor().execute(sql).fetchall(), count

works = {}
for departures in (2000, 8000):
    connection = apsw.Connection("")
    cursor = connection.cursor()
    cursor.execute("CREATE TABLE departure (id INTEGER PRIMARY KEY, stop INTEGER, time INTEGER)")
    cursor.execute("CREATE INDEX departure_by_time ON departure (time)")
    cursor.execute("CREATE INDEX departure_by_stop ON departure (stop, time)")
    with connection:
        for id in range(departures):
            cursor.execute("INSERT INTO departure VALUES (?, ?, ?)", (id, id % 200, id * 7919 % departures))
    for state in ("new", "analyzed"):
        found = {}
        for name, value in QUERIES.items():
            found[name], work = ask(connection, f"SELECT time, {value} FROM departure ORDER BY time LIMIT 20")
            works.setdefault(name, {}).setdefault(state, []).append(work)
        assert found["lead"] == found["first_value"] == found["nth_value"] == found["max"]
        value = "lead(time) OVER (PARTITION BY stop ORDER BY time)"
        partition = f"SELECT {value} FROM departure ORDER BY stop, time LIMIT 20"
        works.setdefault("lead by stop", {}).setdefault(state, []).append(ask(connection, partition)[1])
        cursor.execute("ANALYZE")

def word(states):
    grows = {many > few * 2 for few, many in states.values()}
    return "ALL" if grows == {True} else "some" if grows == {False} else "once ALL"

print(apsw.sqlitelibversion(), "|", ", ".join(f"{word(states)} {name}" for name, states in works.items()))
END_OF_PYTHON
for version in 3.40.0.0 3.46.1.0 3.51.0.0 3.54.1.0; do
  python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --no-deps \
    --only-binary :all: --target "$folder/$version" "apsw==$version"
  PYTHONPATH=$folder/$version python3 "$folder/ask.py"
done | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
3.40.0 | some lag, ALL lead, some first_value, some max, some nth_value, some row_number, some sum, some lead by stop
3.46.1 | some lag, ALL lead, some first_value, some max, some nth_value, some row_number, some sum, some lead by stop
3.51.0 | some lag, ALL lead, some first_value, some max, some nth_value, some row_number, some sum, some lead by stop
3.54.1 | some lag, ALL lead, some first_value, some max, some nth_value, some row_number, some sum, some lead by stop
END_OF_FOUND
