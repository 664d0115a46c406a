#!/bin/sh
# Two devices change the same row, and exchange their changes with SQLite's sessions, rebased by what was decided in the
# conflict. Where a device keeps its own value, the other device has both changes afterwards, and it itself has one.
#
# Guess: a changeset that is rebased by the decisions leads the other device to the rows of the one that decided,
# whatever was decided, since it is made to take the decisions elsewhere (https://www.sqlite.org/session/rebaser.html).
# Found (the wheel of apsw 3.54.1), without an error, of a hub, and of a device that applies the hub's changes, rebases
# its own ones and sends them to the hub:
# - The hub has changed name and platform of a stop, the device its platform. With OMIT the device has its platform and
#   the old name, since the whole change of the hub is left out; the hub has its name and the device's platform. A stop
#   that the hub has deleted and inserted anew is such a change.
# - Where a constraint is in the way, UNIQUE or CHECK, by either decision, both sides leave out what the other one did,
#   and differ.
# - Right: REPLACE of the same changes; deletions, insertions and changes of one column, by both. Of 1,500 pairs of
#   three changes each at random, in a table without other constraints, 40 differ by OMIT and none by REPLACE.
# What follows: a device that keeps its own value writes the hub's other columns itself before it goes on, or takes the
# hub's row and makes its change again.
#
#   usage: findings/two-columns-of-a-rebased-row.sh     prints both devices' rows; ends with 1 if one of them changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import random
from collections import Counter

import apsw

DECISIONS = {"OMIT": apsw.SQLITE_CHANGESET_OMIT, "REPLACE": apsw.SQLITE_CHANGESET_REPLACE}
PLAIN = "CREATE TABLE stop (id INTEGER PRIMARY KEY, name, platform)"
UNIQUE = "CREATE TABLE stop (id INTEGER PRIMARY KEY, name, platform UNIQUE)"
CHECK = "CREATE TABLE stop (id INTEGER PRIMARY KEY, name, platform, CHECK (name <> platform))"

def exchange(schema, decision, of_hub, of_device):
    """The rows of both, after the device has applied the hub's changes and the hub the device's rebased ones."""
    def resolve(reason, change):
        if reason in (apsw.SQLITE_CHANGESET_DATA, apsw.SQLITE_CHANGESET_CONFLICT):
            return DECISIONS[decision]
        return apsw.SQLITE_CHANGESET_OMIT
    changes, databases = [], []
    for statements in (of_hub, of_device):
        database = apsw.Connection(":memory:")
        database.execute(schema)
        database.execute("INSERT INTO stop VALUES (1, 'Quay', '1'), (2, 'Mill', '2'), (3, 'Farm', '3')")
        session = apsw.Session(database, "main")
        session.attach("stop")
        for statement in statements:
            database.execute(statement)
        changes.append(session.changeset())
        databases.append(database)
    hub, device = databases
    rebaser = apsw.Rebaser()
    rebaser.configure(apsw.Changeset.apply(changes[0], device, conflict=resolve, rebase=True))
    apsw.Changeset.apply(rebaser.rebase(changes[1]), hub, conflict=resolve)
    return [sorted(database.execute("SELECT * FROM stop"), key=repr) for database in databases]

def ask(what, schema, of_hub, of_device):
    for decision in DECISIONS:
        hub, device = exchange(schema, decision, of_hub, of_device)
        said = "the same" if hub == device else "hub {}, DEVICE {}".format(
            [row for row in hub if row not in device], [row for row in device if row not in hub])
        print(f"  {decision}: {what}: {said}")

print("SQLite", apsw.sqlite_lib_version())
PLATFORM = ["UPDATE stop SET platform = '9' WHERE id = 1"]
ask("one column each", PLAIN, ["UPDATE stop SET platform = '8' WHERE id = 1"], PLATFORM)
ask("other columns", PLAIN, ["UPDATE stop SET name = 'Pier' WHERE id = 1"], PLATFORM)
ask("two columns and one", PLAIN, ["UPDATE stop SET name = 'Pier', platform = '8' WHERE id = 1"], PLATFORM)
ask("one column and two", PLAIN, PLATFORM, ["UPDATE stop SET name = 'Pier', platform = '8' WHERE id = 1"])
ask("made anew", PLAIN, ["DELETE FROM stop WHERE id = 1", "INSERT INTO stop VALUES (1, 'Pier', '8')"], PLATFORM)
ask("deleted by the hub", PLAIN, ["DELETE FROM stop WHERE id = 1"], PLATFORM)
ask("deleted by the device", PLAIN, PLATFORM, ["DELETE FROM stop WHERE id = 1"])
ask("inserted by both", PLAIN, ["INSERT INTO stop VALUES (4, 'Hill', '4')"],
    ["INSERT INTO stop VALUES (4, 'Wood', '5')"])
ask("UNIQUE", UNIQUE, ["UPDATE stop SET platform = '9' WHERE id = 2"], PLATFORM)
ask("CHECK", CHECK, ["UPDATE stop SET name = '9' WHERE id = 1"], PLATFORM)

def at_random():
    for _ in range(3):
        key, value = random.randint(1, 4), random.randint(1, 9)
        yield random.choice([f"UPDATE OR IGNORE stop SET name = {value} WHERE id = {key}",
                             f"UPDATE OR IGNORE stop SET platform = {value} WHERE id = {key}",
                             f"INSERT OR IGNORE INTO stop VALUES ({key}, {value}, {value + 1})",
                             f"DELETE FROM stop WHERE id = {key}"])

for decision in DECISIONS:
    random.seed(1)
    pairs = [(list(at_random()), list(at_random())) for _ in range(1500)]
    answers = Counter(hub == device for hub, device in (exchange(PLAIN, decision, *pair) for pair in pairs))
    print(f"  {decision}: of {len(pairs)} at random {answers[False]} differ")
END_OF_PYTHON
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --no-deps \
  --only-binary :all: --target "$folder/packages" apsw==3.54.1.0
PYTHONPATH=$folder/packages python3 "$folder/ask.py" | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
SQLite 3.54.1
  OMIT: one column each: the same
  REPLACE: one column each: the same
  OMIT: other columns: the same
  REPLACE: other columns: the same
  OMIT: two columns and one: hub [(1, 'Pier', '9')], DEVICE [(1, 'Quay', '9')]
  REPLACE: two columns and one: the same
  OMIT: one column and two: the same
  REPLACE: one column and two: the same
  OMIT: made anew: hub [(1, 'Pier', '9')], DEVICE [(1, 'Quay', '9')]
  REPLACE: made anew: the same
  OMIT: deleted by the hub: the same
  REPLACE: deleted by the hub: the same
  OMIT: deleted by the device: the same
  REPLACE: deleted by the device: the same
  OMIT: inserted by both: the same
  REPLACE: inserted by both: the same
  OMIT: UNIQUE: hub [(1, 'Quay', '1'), (2, 'Mill', '9')], DEVICE [(1, 'Quay', '9'), (2, 'Mill', '2')]
  REPLACE: UNIQUE: hub [(1, 'Quay', '1'), (2, 'Mill', '9')], DEVICE [(1, 'Quay', '9'), (2, 'Mill', '2')]
  OMIT: CHECK: hub [(1, '9', '1')], DEVICE [(1, 'Quay', '9')]
  REPLACE: CHECK: hub [(1, '9', '1')], DEVICE [(1, 'Quay', '9')]
  OMIT: of 1500 at random 40 differ
  REPLACE: of 1500 at random 0 differ
END_OF_FOUND
