#!/bin/sh
# Calls refer to stops, with an index of the reference: a stop is deleted, and SQLite reads all calls, as if there were
# no index, because a column says NOCASE, or is TEXT where the stop's key is an INTEGER.
#
# Guess: an index of the child's column is what a foreign key needs, whatever its collation
# (https://www.sqlite.org/foreignkeys.html#fk_indexes); ON DELETE CASCADE uses it.
# Found (apsw's wheels of SQLite 3.40 and 3.54; 500 and 4,000 stops with two calls each; steps of SQLite's virtual
# machine for the deletion of one stop), with the same rows afterwards:
# - It takes some steps, with 4,000 stops as with 500, where both columns have the same type and collation.
# - It reads all calls, so that the deletion of all stops takes the square, where the collation of one column is NOCASE
#   and not that of the other, and where a TEXT column, or one without a type, refers to an INTEGER key.
# - An index with the parent's collation, `ON call (stop COLLATE BINARY)`, helps. An INTEGER column that refers to a
#   TEXT key does no harm.
# What follows: both ends of a reference are declared alike.
#
#   usage: findings/cascade-past-its-index.sh     prints the work; ends with 1 if it changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import apsw

def steps(connection, sql):
    count = 0
    def step():
        nonlocal count
        count += 10
        return False
    (getattr(connection, "set_progress_handler", None) or connection.setprogresshandler)(step, 10)
    connection.cursor().execute(sql)
    return count

def work(key, column, index, count):
    connection = apsw.Connection("")
    cursor = connection.cursor()
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.execute(f"CREATE TABLE stop (id {key} PRIMARY KEY)")
    cursor.execute(f"CREATE TABLE call (id INTEGER PRIMARY KEY, stop {column} REFERENCES stop ON DELETE CASCADE)")
    cursor.execute(f"CREATE INDEX call_by_stop ON call ({index})")
    with connection:
        for id in range(count):
            cursor.execute("INSERT INTO stop VALUES (?)", (id,))
            cursor.execute("INSERT INTO call (stop) VALUES (?), (?)", (id, id))
    done = steps(connection, "DELETE FROM stop WHERE id = '7'")
    assert cursor.execute("SELECT count(*) FROM call").fetchall() == [(count * 2 - 2,)]
    return done

answers = []
for key, column, index in (("TEXT", "TEXT", "stop"), ("TEXT", "TEXT COLLATE NOCASE", "stop"),
                           ("TEXT COLLATE NOCASE", "TEXT", "stop"), ("TEXT COLLATE NOCASE",) * 2 + ("stop",),
                           ("TEXT", "TEXT COLLATE NOCASE", "stop COLLATE BINARY"), ("INTEGER", "INTEGER", "stop"),
                           ("INTEGER", "TEXT", "stop"), ("INTEGER", "", "stop"), ("TEXT", "INTEGER", "stop")):
    few, many = (work(key, column, index, count) for count in (500, 4000))
    answers.append(f"{key} <- {column or 'no type'}, index of {index}: "
                   + ("by the index" if many < 200 else "ALL CALLS" if many > few * 6 else f"{few} {many}"))
print(apsw.sqlitelibversion(), *answers, sep="\n  ")
END_OF_PYTHON
for version in 3.40.0.0 3.54.1.0; do
  python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --no-deps \
    --only-binary :all: --target "$folder/$version" "apsw==$version"
  PYTHONPATH=$folder/$version python3 "$folder/ask.py"
done | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
3.40.0
  TEXT <- TEXT, index of stop: by the index
  TEXT <- TEXT COLLATE NOCASE, index of stop: ALL CALLS
  TEXT COLLATE NOCASE <- TEXT, index of stop: ALL CALLS
  TEXT COLLATE NOCASE <- TEXT COLLATE NOCASE, index of stop: by the index
  TEXT <- TEXT COLLATE NOCASE, index of stop COLLATE BINARY: by the index
  INTEGER <- INTEGER, index of stop: by the index
  INTEGER <- TEXT, index of stop: ALL CALLS
  INTEGER <- no type, index of stop: ALL CALLS
  TEXT <- INTEGER, index of stop: by the index
3.54.1
  TEXT <- TEXT, index of stop: by the index
  TEXT <- TEXT COLLATE NOCASE, index of stop: ALL CALLS
  TEXT COLLATE NOCASE <- TEXT, index of stop: ALL CALLS
  TEXT COLLATE NOCASE <- TEXT COLLATE NOCASE, index of stop: by the index
  TEXT <- TEXT COLLATE NOCASE, index of stop COLLATE BINARY: by the index
  INTEGER <- INTEGER, index of stop: by the index
  INTEGER <- TEXT, index of stop: ALL CALLS
  INTEGER <- no type, index of stop: ALL CALLS
  TEXT <- INTEGER, index of stop: by the index
END_OF_FOUND
