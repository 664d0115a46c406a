#!/bin/sh
# A feed is imported in one transaction with deferred foreign keys, calls before their trips: each trip reads all calls
# that are there, and twice the feed takes four times as long. One call that comes too early is enough.
#
# Guess: a deferred foreign key is a counter of what is missing, and costs a look-up of the parent for each child, in
# whatever order they come.
# Found (apsw's wheels of SQLite 3.40 to 3.54; 500 and 2,000 trips with a call each; steps of SQLite's virtual machine):
# - While something is missing, SQLite looks for the children of each parent that is inserted: without an index of the
#   child's column it reads all of them.
# - Trips first, with one call before its trip, that stays missing until the end: the same.
# - Trips first alone, also with deferred keys, grows with the feed. So do calls first, where they have an index, or
#   where foreign keys are off from before the transaction.
# - PRAGMA defer_foreign_keys does the same to keys that are not deferred. So does a changeset of a session, which is
#   applied with that pragma, in the order in which its tables were attached.
# What follows: an import inserts parents first, or its child columns have their index before the rows come.
#
#   usage: findings/children-before-their-parents.sh     prints how the work grows; ends with 1 if it changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import apsw

DEFERRED = "DEFERRABLE INITIALLY DEFERRED"
WAYS = {
    "calls first": (DEFERRED, "calls", []),
    "defer_foreign_keys": ("", "calls", []),
    "calls first, index": (DEFERRED, "calls", ["CREATE INDEX call_by_trip ON call (trip)"]),
    "trips first": (DEFERRED, "trips", []),
    "trips first, one call too early": (DEFERRED, "one", []),
    "foreign_keys off": (DEFERRED, "calls", ["PRAGMA foreign_keys = OFF"]),
}

def steps(trips, deferred, first, more):
    connection = apsw.Connection("")
    ask = connection.cursor().execute
    for sql in ["PRAGMA foreign_keys = ON", "CREATE TABLE trip (id INTEGER PRIMARY KEY)",
                f"CREATE TABLE call (id INTEGER PRIMARY KEY, trip INTEGER REFERENCES trip (id) {deferred})", *more]:
        ask(sql)
    count = 0
    def step():
        nonlocal count
        count += 5
        return False
    (getattr(connection, "set_progress_handler", None) or connection.setprogresshandler)(step, 5)
    ask("BEGIN")
    ask("PRAGMA defer_foreign_keys = ON" if not deferred else "SELECT 1")
    if first == "one":
        ask("INSERT INTO call VALUES (?, ?)", (-1, -1))
    for kind in (["call", "trip"] if first == "calls" else ["trip", "call"]):
        for id in range(trips):
            ask(f"INSERT INTO {kind} VALUES ({'?' if kind == 'trip' else '?1, ?1'})", (id,))
            if first == "one" and kind == "trip":
                ask("INSERT INTO call VALUES (?, ?)", (trips + id, id))
    if first == "one":
        ask("INSERT INTO trip VALUES (-1)")
    ask("COMMIT")
    return count

def changeset_steps(trips, tables):
    ours, theirs = apsw.Connection(""), apsw.Connection("")
    for connection in (ours, theirs):
        for sql in ["PRAGMA foreign_keys = ON", "CREATE TABLE trip (id INTEGER PRIMARY KEY)",
                    "CREATE TABLE call (id INTEGER PRIMARY KEY, trip INTEGER REFERENCES trip (id))"]:
            connection.execute(sql)
    session = apsw.Session(ours, "main")
    for table in tables:
        session.attach(table)
    with ours:
        for id in range(trips):
            ours.execute("INSERT INTO trip VALUES (?)", (id,))
            ours.execute("INSERT INTO call VALUES (?, ?)", (id, id))
    count = 0
    def step():
        nonlocal count
        count += 5
        return False
    theirs.set_progress_handler(step, 5)
    apsw.Changeset.apply(session.changeset(), theirs)
    return count

def show(name, few, many):
    print(f"  {name}: {'WITH THE SQUARE' if many > few * 9 else 'with the feed' if many < few * 5 else many / few}")

print(apsw.sqlitelibversion())
for name, way in WAYS.items():
    show(name, *(steps(trips, *way) for trips in (500, 2000)))
for tables in [("call", "trip"), ("trip", "call")] if hasattr(apsw, "Session") else []:
    show(f"changeset of {' and '.join(tables)}", *(changeset_steps(trips, tables) for trips in (500, 2000)))
END_OF_PYTHON
for version in 3.40.0.0 3.46.1.0 3.51.0.0 3.54.1.0; do
  python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --no-deps \
    --only-binary :all: --target "$folder/$version" "apsw==$version"
  PYTHONPATH=$folder/$version python3 "$folder/ask.py"
done | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
3.40.0
  calls first: WITH THE SQUARE
  defer_foreign_keys: WITH THE SQUARE
  calls first, index: with the feed
  trips first: with the feed
  trips first, one call too early: WITH THE SQUARE
  foreign_keys off: with the feed
3.46.1
  calls first: WITH THE SQUARE
  defer_foreign_keys: WITH THE SQUARE
  calls first, index: with the feed
  trips first: with the feed
  trips first, one call too early: WITH THE SQUARE
  foreign_keys off: with the feed
3.51.0
  calls first: WITH THE SQUARE
  defer_foreign_keys: WITH THE SQUARE
  calls first, index: with the feed
  trips first: with the feed
  trips first, one call too early: WITH THE SQUARE
  foreign_keys off: with the feed
  changeset of call and trip: WITH THE SQUARE
  changeset of trip and call: with the feed
3.54.1
  calls first: WITH THE SQUARE
  defer_foreign_keys: WITH THE SQUARE
  calls first, index: with the feed
  trips first: with the feed
  trips first, one call too early: WITH THE SQUARE
  foreign_keys off: with the feed
  changeset of call and trip: WITH THE SQUARE
  changeset of trip and call: with the feed
END_OF_FOUND
