#!/bin/sh
# An app passes the ids of a thousand favorites to SQLite as one JSON text, and joins them with its stops of one kind:
# the list is gone through once for each stop of that kind.
#
# Guess: json_each(?) is the outer loop, since the ids are the stops' keys: a thousand look-ups, as with
# `id IN (SELECT value FROM json_each(?))`.
# Found (apsw's wheels of SQLite 3.40 to 3.54; 1,000 and 4,000 stops with an index of their kind; steps of SQLite's
# virtual machine), with the same rows:
# - A join with a condition of an indexed column goes through that index, and through the whole list for each of its
#   rows, as long as the database is not analyzed: a list of 1,000 and 400 stops are 400,000 rows of JSON.
# - It is so for a list of four, for names in the list, whichever comes first in the join, and in all of the versions.
# - After ANALYZE, with `FROM json_each(?) CROSS JOIN stop`, with IN (SELECT …), or with `+kind = …`, the list is gone
#   through once. Without the other condition it always is.
# What follows: a list of ids is a subquery behind IN.
#
#   usage: findings/list-of-favorites-as-json.sh     prints the work; ends with 1 if it changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import json

import apsw

KIND = "kind = 'port'"
QUERIES = {
    "join": f"SELECT stop.id FROM stop JOIN json_each(?1) AS list ON list.value = stop.id WHERE {KIND}",
    "list first": f"SELECT stop.id FROM json_each(?1) AS list JOIN stop ON stop.id = list.value WHERE {KIND}",
    "by name": f"SELECT stop.id FROM stop JOIN json_each(?1) AS list ON stop.name = list.value WHERE {KIND}",
    "no other condition": "SELECT stop.id FROM stop JOIN json_each(?1) AS list ON list.value = stop.id",
    "in": f"SELECT id FROM stop WHERE id IN (SELECT value FROM json_each(?1)) AND {KIND}",
    "cross": f"SELECT stop.id FROM json_each(?1) AS list CROSS JOIN stop ON stop.id = list.value WHERE {KIND}",
    "plus": f"SELECT stop.id FROM stop JOIN json_each(?1) AS list ON list.value = stop.id WHERE +{KIND}",
}

def steps(connection, sql, text):
    count = 0
    def step():
        nonlocal count
        count += 10
        return False
    (getattr(connection, "set_progress_handler", None) or connection.setprogresshandler)(step, 10)
    return sorted(connection.cursor().execute(sql, (text,)).fetchall()), count

def stops(count):
    connection = apsw.Connection("")
    cursor = connection.cursor()
    cursor.execute("CREATE TABLE stop (id INTEGER PRIMARY KEY, name TEXT, kind TEXT)")
    cursor.execute("CREATE INDEX stop_by_kind ON stop (kind)")
    cursor.execute("CREATE INDEX stop_by_name ON stop (name)")
    with connection:
        for id in range(count):
            cursor.execute("INSERT INTO stop VALUES (?, ?, ?)", (id, str(id), "bus" if id % 10 else "port"))
    return connection

print(apsw.sqlitelibversion())
for length in (4, 1000):
    ids = list(range(0, length * 5 if length < 9 else length, 5 if length < 9 else 1))
    works = {}
    for count in (1000, 4000):
        connection = stops(count)
        for state in ("new", "analyzed"):
            for name, sql in QUERIES.items():
                found, work = steps(connection, sql, json.dumps([str(id) for id in ids] if name == "by name" else ids))
                expected = [(id,) for id in ids if id % 10 == 0 or name == "no other condition"]
                assert found == expected, (name, found)
                works.setdefault(state, {}).setdefault(name, []).append(work)
            connection.cursor().execute("ANALYZE")
    for state, answers in works.items():
        print(f"  {length} ids, {state}:", ", ".join(
            f"{name} {'FOR EACH STOP' if many > few * 2 else 'once'}" for name, (few, many) in answers.items()))
END_OF_PYTHON
for version in 3.40.0.0 3.46.1.0 3.54.1.0; do
  python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --no-deps \
    --only-binary :all: --target "$folder/$version" "apsw==$version"
  PYTHONPATH=$folder/$version python3 "$folder/ask.py"
done | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
3.40.0
  4 ids, new: join FOR EACH STOP, list first FOR EACH STOP, by name FOR EACH STOP, no other condition once, in once, cross once, plus once
  4 ids, analyzed: join once, list first once, by name once, no other condition once, in once, cross once, plus once
  1000 ids, new: join FOR EACH STOP, list first FOR EACH STOP, by name FOR EACH STOP, no other condition once, in once, cross once, plus once
  1000 ids, analyzed: join once, list first once, by name once, no other condition once, in once, cross once, plus once
3.46.1
  4 ids, new: join FOR EACH STOP, list first FOR EACH STOP, by name FOR EACH STOP, no other condition once, in once, cross once, plus once
  4 ids, analyzed: join once, list first once, by name once, no other condition once, in once, cross once, plus once
  1000 ids, new: join FOR EACH STOP, list first FOR EACH STOP, by name FOR EACH STOP, no other condition once, in once, cross once, plus once
  1000 ids, analyzed: join once, list first once, by name once, no other condition once, in once, cross once, plus once
3.54.1
  4 ids, new: join FOR EACH STOP, list first FOR EACH STOP, by name FOR EACH STOP, no other condition once, in once, cross once, plus once
  4 ids, analyzed: join once, list first once, by name once, no other condition once, in once, cross once, plus once
  1000 ids, new: join FOR EACH STOP, list first FOR EACH STOP, by name FOR EACH STOP, no other condition once, in once, cross once, plus once
  1000 ids, analyzed: join once, list first once, by name once, no other condition once, in once, cross once, plus once
END_OF_FOUND
