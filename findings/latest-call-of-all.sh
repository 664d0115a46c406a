#!/bin/sh
# The latest call is asked for, and costs a hundred times what the latest twenty cost: SQLite reads all calls for one.
#
# Guess: LIMIT 1 costs at most what LIMIT 20 costs, as both begin at the end of an index of the time.
# Found (apsw's wheels of SQLite 3.40 to 3.54; 2,000 and 8,000 calls with one index, of the time; steps of SQLite's
# virtual machine):
# - ORDER BY time DESC, id LIMIT 20 is read from the index, in some hundred steps. With LIMIT 1 or 2 the table is read
#   and sorted, in all versions, also behind an OFFSET.
# - With `LIMIT 1 + 0`, whose value the planner does not know, the index is read. So it is with a bound `LIMIT ?` up to
#   3.46, but from 3.50 on the planner looks at the value.
# - As a subquery for one value, = (SELECT … LIMIT 1), it is read at once up to 3.50, and as a whole from 3.51 on.
# - With `WHERE time > 0`, which leaves nothing out, it is read at once, until the database is analyzed.
# - With INDEXED BY, and with both columns in the direction of the index, time DESC, id DESC, it always is.
# What follows: the latest row is asked for in the order of an index, in one direction, or with LIMIT 1 + 0.
#
#   usage: findings/latest-call-of-all.sh     prints how the work grows; ends with 1 if it changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import apsw

ORDER = "ORDER BY time DESC, id LIMIT"
QUERIES = {
    "20": f"SELECT * FROM call {ORDER} 20",
    "2": f"SELECT * FROM call {ORDER} 2",
    "1": f"SELECT * FROM call {ORDER} 1",
    "1 + 0": f"SELECT * FROM call {ORDER} 1 + 0",
    "? of 1": f"SELECT * FROM call {ORDER} ?",
    "1 offset 30": f"SELECT * FROM call {ORDER} 1 OFFSET 30",
    "subquery": f"SELECT * FROM call WHERE id = (SELECT stop FROM call {ORDER} 1)",
    "one direction": "SELECT * FROM call ORDER BY time DESC, id DESC LIMIT 1",
    "time > 0": f"SELECT * FROM call WHERE time > 0 {ORDER} 1",
    "INDEXED BY": f"SELECT * FROM call INDEXED BY call_by_time {ORDER} 1",
}

def steps(connection, sql):
    count = 0
    def step():
        nonlocal count
        count += 5
        return False
    (getattr(connection, "set_progress_handler", None) or connection.setprogresshandler)(step, 5)
    connection.cursor().execute(sql, (1,) if "?" in sql else ()).fetchall()
    return count

works = {}
for calls in (2000, 8000):
    connection = apsw.Connection("")
    cursor = connection.cursor()
    cursor.execute("CREATE TABLE call (id INTEGER PRIMARY KEY, stop INTEGER, time INTEGER, note TEXT)")
    cursor.execute("CREATE INDEX call_by_time ON call (time)")
    with connection:
        for id in range(1, calls):
            cursor.execute("INSERT INTO call VALUES (?, ?, ?, 'on time')", (id, id % 99, 1 + id * 7919 % (calls // 2)))
    for state in ("new", "analyzed"):
        for name, sql in QUERIES.items():
            works.setdefault(state, {}).setdefault(name, []).append(steps(connection, sql))
        cursor.execute("ANALYZE")
print(apsw.sqlitelibversion())
for state, names in works.items():
    print(f"  {state}:", ", ".join(f"{name} {'ALL CALLS' if many > few * 2 else 'at once'}"
                                 for name, (few, many) in names.items()))
END_OF_PYTHON
for version in 3.40.0.0 3.46.1.0 3.50.4.0 3.51.0.0 3.54.1.0; do
  python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --no-deps \
    --only-binary :all: --target "$folder/$version" "apsw==$version"
  PYTHONPATH=$folder/$version python3 "$folder/ask.py"
done | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
3.40.0
  new: 20 at once, 2 ALL CALLS, 1 ALL CALLS, 1 + 0 at once, ? of 1 at once, 1 offset 30 ALL CALLS, subquery at once, one direction at once, time > 0 at once, INDEXED BY at once
  analyzed: 20 at once, 2 ALL CALLS, 1 ALL CALLS, 1 + 0 at once, ? of 1 at once, 1 offset 30 ALL CALLS, subquery at once, one direction at once, time > 0 ALL CALLS, INDEXED BY at once
3.46.1
  new: 20 at once, 2 ALL CALLS, 1 ALL CALLS, 1 + 0 at once, ? of 1 at once, 1 offset 30 ALL CALLS, subquery at once, one direction at once, time > 0 at once, INDEXED BY at once
  analyzed: 20 at once, 2 ALL CALLS, 1 ALL CALLS, 1 + 0 at once, ? of 1 at once, 1 offset 30 ALL CALLS, subquery at once, one direction at once, time > 0 ALL CALLS, INDEXED BY at once
3.50.4
  new: 20 at once, 2 ALL CALLS, 1 ALL CALLS, 1 + 0 at once, ? of 1 ALL CALLS, 1 offset 30 ALL CALLS, subquery at once, one direction at once, time > 0 at once, INDEXED BY at once
  analyzed: 20 at once, 2 ALL CALLS, 1 ALL CALLS, 1 + 0 at once, ? of 1 ALL CALLS, 1 offset 30 ALL CALLS, subquery at once, one direction at once, time > 0 ALL CALLS, INDEXED BY at once
3.51.0
  new: 20 at once, 2 ALL CALLS, 1 ALL CALLS, 1 + 0 at once, ? of 1 ALL CALLS, 1 offset 30 ALL CALLS, subquery ALL CALLS, one direction at once, time > 0 at once, INDEXED BY at once
  analyzed: 20 at once, 2 ALL CALLS, 1 ALL CALLS, 1 + 0 at once, ? of 1 ALL CALLS, 1 offset 30 ALL CALLS, subquery ALL CALLS, one direction at once, time > 0 ALL CALLS, INDEXED BY at once
3.54.1
  new: 20 at once, 2 ALL CALLS, 1 ALL CALLS, 1 + 0 at once, ? of 1 ALL CALLS, 1 offset 30 ALL CALLS, subquery ALL CALLS, one direction at once, time > 0 at once, INDEXED BY at once
  analyzed: 20 at once, 2 ALL CALLS, 1 ALL CALLS, 1 + 0 at once, ? of 1 ALL CALLS, 1 offset 30 ALL CALLS, subquery ALL CALLS, one direction at once, time > 0 ALL CALLS, INDEXED BY at once
END_OF_FOUND
