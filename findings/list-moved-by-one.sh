#!/bin/sh
# The rows of a list have unique places, and a new one is put at the top, so that each of the others moves by one: the
# changeset of it is applied elsewhere in a time that grows with the square of the rows.
#
# Guess: a changeset is applied in a time that grows with its changes; where a value is still taken, the change waits
# until the row in its way has moved, and is found by it.
# Found (apsw's wheels of SQLite 3.50 to 3.54; 500 and 2,000 rows; processor time), all changes applied:
# - With UNIQUE (place) four times the rows take some sixteen times as long, and 2,000 rows more than half a second. The
#   changes that could not be applied are tried again, all of them, until none of them is left.
# - Without the constraint, and where the rows move to places that are free, it takes a millisecond or three.
# What follows: places of a list that is synchronized are not unique, or have gaps, so that one row moves alone.
#
#   usage: findings/list-moved-by-one.sh     prints how the time grows; ends with 1 if that changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import time

import apsw

MOVES = {
    "moved by one": ("UNIQUE", "place + 1"),
    "not unique": ("", "place + 1"),
    "moved far": ("UNIQUE", "place + 9999"),
}

def ask(connection, sql):
    return connection.cursor().execute(sql).fetchall()

def duration(rows, constraint, place):
    best = float("inf")
    for _ in range(2):
        ours, theirs = apsw.Connection(""), apsw.Connection("")
        for connection in (ours, theirs):
            ask(connection, f"CREATE TABLE favorite (id INTEGER PRIMARY KEY, place INTEGER {constraint})")
            with connection:
                for number in range(rows):
                    ask(connection, f"INSERT INTO favorite VALUES ({number * 7919 % 100_003}, {number})")
        session = apsw.Session(ours, "main")
        session.attach("favorite")
        ask(ours, f"UPDATE favorite SET place = -1 - ({place})")
        ask(ours, "UPDATE favorite SET place = -1 - place")
        conflicts = []
        changeset = session.changeset()
        begin = time.process_time()
        apsw.Changeset.apply(changeset, theirs, conflict=lambda *_: conflicts.append(1) or apsw.SQLITE_CHANGESET_OMIT)
        best = min(best, time.process_time() - begin)
        assert not conflicts and ask(theirs, "SELECT * FROM favorite") == ask(ours, "SELECT * FROM favorite")
    return best

answers = []
for name, (constraint, place) in MOVES.items():
    few, many = (duration(rows, constraint, place) for rows in (500, 2000))
    answers.append((name, few, many))
quick = max(many for name, _, many in answers[1:])
print(apsw.sqlitelibversion(), "|", ", ".join(
    f"{name} {'WITH THE SQUARE' if many > few * 9 else 'less'}" for name, few, many in answers),
    "| over the others", "FIFTY TIMES AND MORE" if answers[0][2] > quick * 50 else "less")
END_OF_PYTHON
for version in 3.50.4.0 3.51.0.0 3.54.1.0; do
  python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --no-deps \
    --only-binary :all: --target "$folder/$version" "apsw==$version"
  PYTHONPATH=$folder/$version python3 "$folder/ask.py"
done | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
3.50.4 | moved by one WITH THE SQUARE, not unique less, moved far less | over the others FIFTY TIMES AND MORE
3.51.0 | moved by one WITH THE SQUARE, not unique less, moved far less | over the others FIFTY TIMES AND MORE
3.54.1 | moved by one WITH THE SQUARE, not unique less, moved far less | over the others FIFTY TIMES AND MORE
END_OF_FOUND
