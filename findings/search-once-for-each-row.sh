#!/bin/sh
# Stops of one kind are searched by name, the best ones first: in SQLite 3.51 the full-text search runs once for each
# stop of that kind, a thousand times the work of 3.50 and 3.53.
#
# Guess: what MATCH finds is the outer loop, and its rows are looked up in the table; a newer SQLite does not do worse.
# Found (apsw's wheels, a table of 10,000 rows with an index on its kind, beside an FTS5 table of the names; steps of
# SQLite's virtual machine), with the same rows:
# - ORDER BY rank LIMIT 5 takes some hundred steps, but in 3.51 some hundred thousand: it goes through the index, and
#   asks the search for each row anew.
# - Without ORDER BY, or by id, it is so up to 3.46, and again in 3.51. 3.50 and 3.53 are right.
# - After ANALYZE, with CROSS JOIN, or with `id IN (SELECT rowid …)` it is some hundred steps in all of them. A search
#   that is written as a function, search('quay'), is planned as the one with MATCH.
# What follows: a join with a search says CROSS JOIN, the search first, or the database is shipped analyzed: it meets
# the SQLite of each system that the app runs on.
#
#   usage: findings/search-once-for-each-row.sh     prints the work; ends with 1 if it changes
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
    rows = run(sql)
    return count, rows

run("CREATE TABLE stop (id INTEGER PRIMARY KEY, name TEXT, kind TEXT)")
run("CREATE INDEX stop_by_kind ON stop (kind)")
run("CREATE VIRTUAL TABLE search USING fts5 (name, content = 'stop', content_rowid = 'id')")
with connection:
    for id in range(1, 10001):
        name = f"quay {id % 11}" if id % 500 == 7 else f"road {id % 500} {id % 7}"
        run("INSERT INTO stop VALUES (?, ?, ?)", (id, name, "bus" if id % 10 else "port"))
    run("INSERT INTO search (search) VALUES ('rebuild')")
JOIN = "JOIN stop ON stop.id = search.rowid WHERE kind = 'bus' AND search MATCH 'quay'"
QUERIES = {
    "by rank": f"SELECT id FROM search {JOIN} ORDER BY rank, id LIMIT 5",
    "function": f"SELECT id FROM search('quay') AS search {JOIN.partition(' AND search')[0]} ORDER BY rank, id LIMIT 5",
    "by id": f"SELECT id FROM search {JOIN} ORDER BY id LIMIT 5",
    "all": f"SELECT id FROM search {JOIN}",
    "cross": f"SELECT id FROM search CROSS {JOIN} ORDER BY rank, id LIMIT 5",
    "in": "SELECT id FROM stop WHERE kind = 'bus' AND id IN (SELECT rowid FROM search WHERE search MATCH 'quay')",
}
states = []
found = {}
for state in ("new", "analyzed"):
    works = []
    for name, sql in QUERIES.items():
        count, rows = steps(sql)
        assert sorted(rows) == found.setdefault(name, sorted(rows)) and rows
        works.append(f"{name} {'once' if count < 2000 else 'FOR EACH ROW' if count > 20000 else count}")
    states.append(f"{state}: " + ", ".join(works))
    run("ANALYZE")
print(apsw.sqlitelibversion(), "|", " | ".join(states))
END_OF_PYTHON
for version in 3.40.0.0 3.46.1.0 3.47.2.0 3.50.4.0 3.51.2.0 3.53.0.0 3.54.1.0; do
  python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --no-deps \
    --only-binary :all: --target "$folder/$version" "apsw==$version"
  PYTHONPATH=$folder/$version python3 "$folder/ask.py"
done | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
3.40.0 | new: by rank once, function once, by id FOR EACH ROW, all FOR EACH ROW, cross once, in once | analyzed: by rank once, function once, by id once, all once, cross once, in once
3.46.1 | new: by rank once, function once, by id FOR EACH ROW, all FOR EACH ROW, cross once, in once | analyzed: by rank once, function once, by id once, all once, cross once, in once
3.47.2 | new: by rank once, function once, by id once, all once, cross once, in once | analyzed: by rank once, function once, by id once, all once, cross once, in once
3.50.4 | new: by rank once, function once, by id once, all once, cross once, in once | analyzed: by rank once, function once, by id once, all once, cross once, in once
3.51.2 | new: by rank FOR EACH ROW, function FOR EACH ROW, by id FOR EACH ROW, all FOR EACH ROW, cross once, in once | analyzed: by rank once, function once, by id once, all once, cross once, in once
3.53.0 | new: by rank once, function once, by id once, all once, cross once, in once | analyzed: by rank once, function once, by id once, all once, cross once, in once
3.54.1 | new: by rank once, function once, by id once, all once, cross once, in once | analyzed: by rank once, function once, by id once, all once, cross once, in once
END_OF_FOUND
