#!/bin/sh
# A map shows the stops in a small box, in the order of their names: once the database is analyzed, each stop of the
# country is looked up in the R*Tree, a thousand times the work.
#
# Guess: ANALYZE makes plans better, or leaves them; a box of the R*Tree stays the outer loop, in all versions.
# Found (apsw's wheels of SQLite 3.40 to 3.54, 20,000 places with an index of their names; steps of SQLite's virtual
# machine), with the same rows:
# - A join of the box with the table, ORDER BY name LIMIT 5, takes some hundred steps as long as nothing is analyzed.
#   Then it goes through the index of names, and asks the R*Tree for each row: some hundred thousand.
# - It is so without LIMIT, without ORDER BY, and with `ORDER BY +name`, which keeps other queries from an index.
# - A condition such as kind = 'stop', with an index, has that plan before as well.
# - EXISTS looks each row up in any case. `id IN (SELECT id FROM the box)` and CROSS JOIN, the box first, never do.
# What follows: places in a box are found by IN (SELECT …), before an app, or PRAGMA optimize, analyzes a database.
#
#   usage: findings/box-after-analyze.sh     prints the work; ends with 1 if it changes
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

run("CREATE TABLE place (id INTEGER PRIMARY KEY, name TEXT, kind TEXT)")
run("CREATE INDEX place_by_name ON place (name)")
run("CREATE INDEX place_by_kind ON place (kind)")
run("CREATE VIRTUAL TABLE box USING rtree (id, west, east, south, north)")
with connection:
    for id in range(20000):
        x, y = id * 7919 % 20011 / 2000, id * 104729 % 19997 / 2000
        run("INSERT INTO place VALUES (?, ?, 'stop')", (id, f"name {id * 31 % 19997:05}"))
        run("INSERT INTO box VALUES (?, ?, ?, ?, ?)", (id, x, x, y, y))
INSIDE = "east > 1 AND west < 1.2 AND north > 1 AND south < 1.3"
JOIN = f"JOIN place ON place.id = box.id WHERE {INSIDE}"
QUERIES = {
    "by name": f"SELECT place.id FROM box {JOIN} ORDER BY name LIMIT 5",
    "all by name": f"SELECT place.id FROM box {JOIN} ORDER BY name",
    "by +name": f"SELECT place.id FROM box {JOIN} ORDER BY +name LIMIT 5",
    "all": f"SELECT place.id, name FROM box {JOIN}",
    "of a kind": f"SELECT place.id, name FROM box {JOIN} AND kind = 'stop'",
    "exists": f"SELECT id FROM place WHERE EXISTS (SELECT 1 FROM box WHERE id = place.id AND {INSIDE})",
    "in": f"SELECT id FROM place WHERE id IN (SELECT id FROM box WHERE {INSIDE}) ORDER BY name LIMIT 5",
    "in, of a kind": f"SELECT id FROM place WHERE id IN (SELECT id FROM box WHERE {INSIDE}) AND kind = 'stop'",
    "cross": f"SELECT place.id FROM box CROSS {JOIN} ORDER BY name LIMIT 5",
}
found = {}
for state in ("new", "analyzed"):
    works = []
    for name, sql in QUERIES.items():
        count, rows = steps(sql)
        assert sorted(rows) == found.setdefault(name, sorted(rows)) and rows
        works.append(f"{name} {'once' if count < 2000 else 'FOR EACH ROW' if count > 20000 else count}")
    print(apsw.sqlitelibversion(), state + ":", ", ".join(works))
    run("ANALYZE")
END_OF_PYTHON
for version in 3.40.0.0 3.46.1.0 3.50.4.0 3.54.1.0; do
  python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --no-deps \
    --only-binary :all: --target "$folder/$version" "apsw==$version"
  PYTHONPATH=$folder/$version python3 "$folder/ask.py"
done | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
3.40.0 new: by name once, all by name once, by +name once, all once, of a kind FOR EACH ROW, exists FOR EACH ROW, in once, in, of a kind once, cross once
3.40.0 analyzed: by name FOR EACH ROW, all by name FOR EACH ROW, by +name FOR EACH ROW, all FOR EACH ROW, of a kind FOR EACH ROW, exists FOR EACH ROW, in once, in, of a kind once, cross once
3.46.1 new: by name once, all by name once, by +name once, all once, of a kind FOR EACH ROW, exists FOR EACH ROW, in once, in, of a kind once, cross once
3.46.1 analyzed: by name FOR EACH ROW, all by name FOR EACH ROW, by +name FOR EACH ROW, all FOR EACH ROW, of a kind FOR EACH ROW, exists FOR EACH ROW, in once, in, of a kind once, cross once
3.50.4 new: by name once, all by name once, by +name once, all once, of a kind FOR EACH ROW, exists FOR EACH ROW, in once, in, of a kind once, cross once
3.50.4 analyzed: by name FOR EACH ROW, all by name FOR EACH ROW, by +name FOR EACH ROW, all FOR EACH ROW, of a kind FOR EACH ROW, exists FOR EACH ROW, in once, in, of a kind once, cross once
3.54.1 new: by name once, all by name once, by +name once, all once, of a kind FOR EACH ROW, exists FOR EACH ROW, in once, in, of a kind once, cross once
3.54.1 analyzed: by name FOR EACH ROW, all by name FOR EACH ROW, by +name FOR EACH ROW, all FOR EACH ROW, of a kind FOR EACH ROW, exists FOR EACH ROW, in once, in, of a kind once, cross once
END_OF_FOUND
