#!/bin/sh
# An app changes the name of a stop and saves all of its columns, as records do, with the code to which calls refer:
# SQLite reads all calls of the stop, though the code is what it was, and without an index all calls there are.
#
# Guess: a foreign key is looked at where the value that it refers to changes; SET code = code does not change it.
# Found (apsw's wheels of SQLite 3.40 to 3.54; one stop with 500 or 2,000 calls, or with none of as many; steps of
# SQLite's virtual machine), the same for NO ACTION, ON UPDATE CASCADE, ON DELETE CASCADE and deferred keys:
# - SET name alone is flat. With code = code, or the same text, the children of the old value and of the new one are
#   counted: with an index all calls of the stop, without it all calls, whosever they are.
# - INSERT … ON CONFLICT (id) DO UPDATE that sets the code does the same, and id = id where calls refer to the id.
# - With changes of other columns alone, in UPDATE and in UPSERT, it is flat.
# What follows: a record that others refer to is saved by its changed columns; a child column has an index in any case.
#
#   usage: findings/stop-saved-with-its-code.sh     prints how the work grows; ends with 1 if it changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import apsw

UPSERT = "INSERT INTO stop VALUES (1, 'c1', 'Quay') ON CONFLICT (id) DO UPDATE SET"
SAVES = {
    "name": "UPDATE stop SET name = 'Quay' WHERE id = 1",
    "code = code": "UPDATE stop SET code = code, name = 'Quay' WHERE id = 1",
    "code = 'c1'": "UPDATE stop SET code = 'c1', name = 'Quay' WHERE id = 1",
    "id = id": "UPDATE stop SET id = id, name = 'Quay' WHERE id = 1",
    "UPSERT of name": f"{UPSERT} name = excluded.name",
    "UPSERT of code": f"{UPSERT} name = excluded.name, code = excluded.code",
}
ACTIONS = ["", "ON UPDATE CASCADE", "ON DELETE CASCADE", "DEFERRABLE INITIALLY DEFERRED"]

def steps(calls, column, action, index, stop, sql):
    connection = apsw.Connection("")
    ask = connection.cursor().execute
    ask("PRAGMA foreign_keys = ON")
    ask("CREATE TABLE stop (id INTEGER PRIMARY KEY, code TEXT NOT NULL UNIQUE, name TEXT)")
    kind = "INTEGER" if column == "id" else "TEXT"
    ask(f"CREATE TABLE call (id INTEGER PRIMARY KEY, stop {kind} REFERENCES stop ({column}) {action})")
    if index:
        ask("CREATE INDEX call_by_stop ON call (stop)")
    with connection:
        ask("INSERT INTO stop VALUES (1, 'c1', 'Mill'), (2, 'c2', 'Farm')")
        for id in range(calls):
            ask("INSERT INTO call VALUES (?, ?)", (id, stop if column == "id" else f"c{stop}"))
    count = 0
    def step():
        nonlocal count
        count += 1
        return False
    (getattr(connection, "set_progress_handler", None) or connection.setprogresshandler)(step, 1)
    ask(sql)
    return count

print(apsw.sqlitelibversion())
for column in ("code", "id"):
    for index in (True, False):
        for stop, whose in ((1, "its own calls"), (2, "calls of another")):
            answers = set()
            for action in ACTIONS:
                works = {name: [steps(calls, column, action, index, stop, sql) for calls in (500, 2000)]
                         for name, sql in SAVES.items()}
                answers.add(", ".join(name for name, (few, many) in works.items() if many > few * 3) or "none")
            print(f"  {column}, {'index' if index else 'no index'}, {whose}: reads them all for", *answers)
END_OF_PYTHON
for version in 3.40.0.0 3.46.1.0 3.51.0.0 3.54.1.0; do
  python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --no-deps \
    --only-binary :all: --target "$folder/$version" "apsw==$version"
  PYTHONPATH=$folder/$version python3 "$folder/ask.py"
done | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
3.40.0
  code, index, its own calls: reads them all for code = code, code = 'c1', UPSERT of code
  code, index, calls of another: reads them all for none
  code, no index, its own calls: reads them all for code = code, code = 'c1', UPSERT of code
  code, no index, calls of another: reads them all for code = code, code = 'c1', UPSERT of code
  id, index, its own calls: reads them all for id = id
  id, index, calls of another: reads them all for none
  id, no index, its own calls: reads them all for id = id
  id, no index, calls of another: reads them all for id = id
3.46.1
  code, index, its own calls: reads them all for code = code, code = 'c1', UPSERT of code
  code, index, calls of another: reads them all for none
  code, no index, its own calls: reads them all for code = code, code = 'c1', UPSERT of code
  code, no index, calls of another: reads them all for code = code, code = 'c1', UPSERT of code
  id, index, its own calls: reads them all for id = id
  id, index, calls of another: reads them all for none
  id, no index, its own calls: reads them all for id = id
  id, no index, calls of another: reads them all for id = id
3.51.0
  code, index, its own calls: reads them all for code = code, code = 'c1', UPSERT of code
  code, index, calls of another: reads them all for none
  code, no index, its own calls: reads them all for code = code, code = 'c1', UPSERT of code
  code, no index, calls of another: reads them all for code = code, code = 'c1', UPSERT of code
  id, index, its own calls: reads them all for id = id
  id, index, calls of another: reads them all for none
  id, no index, its own calls: reads them all for id = id
  id, no index, calls of another: reads them all for id = id
3.54.1
  code, index, its own calls: reads them all for code = code, code = 'c1', UPSERT of code
  code, index, calls of another: reads them all for none
  code, no index, its own calls: reads them all for code = code, code = 'c1', UPSERT of code
  code, no index, calls of another: reads them all for code = code, code = 'c1', UPSERT of code
  id, index, its own calls: reads them all for id = id
  id, index, calls of another: reads them all for none
  id, no index, its own calls: reads them all for id = id
  id, no index, calls of another: reads them all for id = id
END_OF_FOUND
