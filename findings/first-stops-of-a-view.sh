#!/bin/sh
# A view has the last call of each stop. Its first three stops are read in the order of their numbers: SQLite computes
# the row of each stop and sorts them, though the view has its rows in that order.
#
# Guess: GROUP BY along an index gives its rows in the order of the index, so that ORDER BY with LIMIT ends early, in
# the view as in the query that it is made of.
# Found (apsw's wheels of SQLite; 2,000 and 8,000 calls at 200 and 800 stops; steps of its virtual machine), before and
# after ANALYZE:
# - SELECT … GROUP BY stop ORDER BY stop LIMIT 3 reads the calls of three stops. SELECT * FROM the view ORDER BY stop
#   LIMIT 3 reads all calls, and so it is for the next page, with a WITH, with DISTINCT, and with row_number().
# - Without ORDER BY it reads three stops, in the same order, which SQLite does not promise.
# - With the ORDER BY in the view, too, it reads three stops from 3.50 on, and all up to 3.46.
# - A view of the stops with a subquery for the call, in place of GROUP BY, is early in all versions.
# What follows: a view that is read by pages has an order of its own, or subqueries in place of GROUP BY.
#
#   usage: findings/first-stops-of-a-view.sh     prints how the work grows; ends with 1 if it changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import apsw

GROUPS = "SELECT stop, max(time) AS last FROM call GROUP BY stop"
VIEWS = {
    "grouped": GROUPS,
    "ordered": f"{GROUPS} ORDER BY stop",
    "distinct_stops": "SELECT DISTINCT stop FROM call",
    "numbered": "SELECT stop, row_number() OVER (PARTITION BY stop ORDER BY time) AS number FROM call",
    "by_subquery": "SELECT id AS stop, (SELECT max(time) FROM call WHERE stop = stop.id) AS last FROM stop",
}
QUERIES = {
    "query": f"{GROUPS} ORDER BY stop LIMIT 3",
    "view without order": "SELECT * FROM grouped LIMIT 3",
    "view": "SELECT * FROM grouped ORDER BY stop LIMIT 3",
    "page": "SELECT * FROM grouped WHERE stop > 5 ORDER BY stop LIMIT 3",
    "WITH": f"WITH grouped AS ({GROUPS}) SELECT * FROM grouped ORDER BY stop LIMIT 3",
    "DISTINCT": "SELECT * FROM distinct_stops ORDER BY stop LIMIT 3",
    "row_number": "SELECT * FROM numbered ORDER BY stop LIMIT 3",
    "ORDER BY in the view": "SELECT * FROM ordered ORDER BY stop LIMIT 3",
    "subquery": "SELECT * FROM by_subquery ORDER BY stop LIMIT 3",
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
for calls in (2000, 8000):
    connection = apsw.Connection("")
    cursor = connection.cursor()
    cursor.execute("CREATE TABLE call (id INTEGER PRIMARY KEY, stop INTEGER, time INTEGER)")
    cursor.execute("CREATE INDEX call_by_stop ON call (stop, time)")
    cursor.execute("CREATE TABLE stop (id INTEGER PRIMARY KEY)")
    with connection:
        for id in range(calls):
            cursor.execute("INSERT INTO call VALUES (?, ?, ?)", (id, id % (calls // 10), id * 7919 % calls))
        cursor.execute("INSERT INTO stop SELECT DISTINCT stop FROM call")
    for name, sql in VIEWS.items():
        cursor.execute(f"CREATE VIEW {name} AS {sql}")
    for state in ("new", "analyzed"):
        found = {}
        for name, sql in QUERIES.items():
            found[name], work = ask(connection, sql)
            works.setdefault(name, {}).setdefault(state, []).append(work)
        assert found["query"] == found["view"] == found["WITH"] == found["ORDER BY in the view"] == found["subquery"]
        cursor.execute("ANALYZE")

def word(states):
    grows = {many > few * 2 for few, many in states.values()}
    return "ALL" if grows == {True} else "three" if grows == {False} else "once ALL"

print(apsw.sqlitelibversion(), "|", ", ".join(f"{word(states)} {name}" for name, states in works.items()))
END_OF_PYTHON
for version in 3.40.0.0 3.46.1.0 3.50.4.0 3.51.0.0 3.53.2.0 3.54.1.0; do
  python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --no-deps \
    --only-binary :all: --target "$folder/$version" "apsw==$version"
  PYTHONPATH=$folder/$version python3 "$folder/ask.py"
done | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
3.40.0 | three query, three view without order, ALL view, ALL page, ALL WITH, ALL DISTINCT, ALL row_number, ALL ORDER BY in the view, three subquery
3.46.1 | three query, three view without order, ALL view, ALL page, ALL WITH, ALL DISTINCT, ALL row_number, ALL ORDER BY in the view, three subquery
3.50.4 | three query, three view without order, ALL view, ALL page, ALL WITH, ALL DISTINCT, ALL row_number, three ORDER BY in the view, three subquery
3.51.0 | three query, three view without order, ALL view, ALL page, ALL WITH, ALL DISTINCT, ALL row_number, three ORDER BY in the view, three subquery
3.53.2 | three query, three view without order, ALL view, ALL page, ALL WITH, ALL DISTINCT, ALL row_number, three ORDER BY in the view, three subquery
3.54.1 | three query, three view without order, ALL view, ALL page, ALL WITH, ALL DISTINCT, ALL row_number, three ORDER BY in the view, three subquery
END_OF_FOUND
