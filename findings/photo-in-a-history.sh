#!/bin/sh
# Triggers keep the history of an app's table: a photo cannot be inserted any more, or a blob is the number 1 in it, and
# once a row was replaced, the table cannot be restored. A log of versions does not tell that the row is gone.
#
# Guess: a history from which rows are restored has each value as it was, or refuses the table; a row that INSERT OR
# REPLACE removes is removed in it, and one whose key changes is the old one removed and the new one added.
# Found (sqlite-history-json 0.4 and sqlite-chronicle 0.6.1, in sqlean.py's SQLite 3.50.4):
# - A blob is kept where the column says BLOB. In a column of no type, or of another, as SQLite allows, the app's own
#   INSERT fails: "JSON cannot hold BLOB values". A blob that happens to be one of SQLite's binary JSON is taken for it.
# - After INSERT OR REPLACE restore() fails with "UNIQUE constraint failed", for each row and for all times since. The
#   replaced row has no entry, since SQLite fires no trigger for it unless recursive_triggers is on.
# - A changed key, also one that ON UPDATE CASCADE changes, is in neither, nor is a later change of that row: the
#   history restores the old key and the old name, and the chronicle has no newer version.
# - With foreign_keys on, a table cannot be restored once a row was there whose parent is gone.
# - 0.1 + 0.2 is 0.3, as JSON has 15 digits up to SQLite 3.52. A column that was added later is never in it.
# - sqlite-chronicle knows a row that is replaced by its own key. One that is replaced since a unique value is taken
#   stays, without a newer version and not deleted. A NULL key has one version.
# - Right: upsert, triggers of the app, stored generated columns, Infinity.
# What follows: such a log is tried with REPLACE, a changed key and a blob first; recursive_triggers is on for it.
#
#   usage: findings/photo-in-a-history.sh     prints the rows and the logs; ends with 1 if one of them changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import importlib.metadata, sys

from sqlean import dbapi2

sys.modules["sqlite3"] = dbapi2  # Both packages ask for it by this name.
import sqlite_chronicle, sqlite_history_json

STOPS = ["CREATE TABLE stop (id INTEGER PRIMARY KEY, name TEXT UNIQUE, x)"]
QUAY = "INSERT INTO stop (id, name) VALUES (1, 'Quay')"

def change(what, made, changes, table="stop", pragma="foreign_keys"):
    app = dbapi2.connect(":memory:", isolation_level=None)
    app.execute(f"PRAGMA {pragma} = ON")
    for statement in made:
        app.execute(statement)
    for name, in app.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall():
        sqlite_history_json.enable_tracking(app, name)
        sqlite_chronicle.enable_chronicle(app, name)
    for statement in changes:
        try:
            app.execute(statement)
        except dbapi2.Error as error:
            print(f"{what}: the app's {statement} fails, {error}")
    rows = app.execute(f"SELECT * FROM {table}").fetchall()
    try:
        sqlite_history_json.restore(app, table, new_table_name="restored")
        restored = app.execute("SELECT * FROM restored").fetchall()
        restored = "the same" if repr(restored) == repr(rows) else restored
    except dbapi2.Error as error:
        restored = error
    versions = [f"{row[0]!r} version {row[-2]}{', deleted' if row[-1] else ''}"
                for row in app.execute(f"SELECT * FROM _chronicle_{table}")]
    print(f"{what}: {rows}, restored: {restored}; chronicle: {'; '.join(versions) or 'no row'}")

print("sqlite-history-json", importlib.metadata.version("sqlite-history-json"), "| sqlite-chronicle",
      importlib.metadata.version("sqlite-chronicle"), "| SQLite", dbapi2.sqlite_version)
change("a photo", STOPS, ["INSERT INTO stop VALUES (1, 'Quay', x'00ff')"])
change("a blob of one byte", STOPS, ["INSERT INTO stop VALUES (1, 'Quay', x'01')"])
change("a photo in a column BLOB", [STOPS[0].replace("x)", "x BLOB)")],
       ["INSERT INTO stop VALUES (1, 'Quay', x'00ff')"])
change("replaced by its key", STOPS, [QUAY, "INSERT OR REPLACE INTO stop VALUES (1, 'Kai', NULL)"])
change("replaced by its name", STOPS, [QUAY, "INSERT OR REPLACE INTO stop VALUES (2, 'Quay', NULL)"])
change("replaced, recursive triggers", STOPS, [QUAY, "INSERT OR REPLACE INTO stop VALUES (2, 'Quay', NULL)"],
       pragma="recursive_triggers")
change("upsert", STOPS, [QUAY, "INSERT INTO stop VALUES (1, 'Kai', NULL) ON CONFLICT DO UPDATE SET name = 'Kai'"])
change("a changed key", STOPS, [QUAY, "UPDATE stop SET id = 5", "UPDATE stop SET name = 'Kai'"])
KEYS = ["CREATE TABLE call (stop INTEGER PRIMARY KEY REFERENCES stop ON UPDATE CASCADE ON DELETE CASCADE, x)"]
change("a key changed by CASCADE", STOPS + KEYS,
       [QUAY, "INSERT INTO call VALUES (1, 'call')", "UPDATE stop SET id = 5"], "call")
change("deleted by CASCADE", STOPS + KEYS, [QUAY, "INSERT INTO call VALUES (1, 'call')", "DELETE FROM stop"], "call")
change("a NULL key", ["CREATE TABLE stop (code TEXT PRIMARY KEY, x)"],
       ["INSERT INTO stop VALUES (NULL, 1)", "UPDATE stop SET x = 2"])
change("0.1 + 0.2", STOPS, ["INSERT INTO stop VALUES (1, 'Quay', 0.1 + 0.2)"])
change("Infinity", STOPS, ["INSERT INTO stop VALUES (1, 'Quay', 9e999)"])
change("a column added later", STOPS, [QUAY, "ALTER TABLE stop ADD COLUMN kind TEXT", "UPDATE stop SET kind = 'tram'"])
change("a trigger of the app", STOPS + ["CREATE TRIGGER counted AFTER UPDATE OF name ON stop BEGIN"
                                        " UPDATE stop SET x = 1 WHERE id = new.id; END"],
       [QUAY, "UPDATE stop SET name = 'Kai'"])
change("a stored generated column", ["CREATE TABLE stop (id INTEGER PRIMARY KEY, name, x AS (name || '!') STORED)"],
       [QUAY, "UPDATE stop SET name = 'Kai'"])
END_OF_PYTHON
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --no-deps \
  --only-binary :all: --target "$folder/packages" sqlite-history-json==0.4 sqlite-chronicle==0.6.1 sqlean-py==3.50.4.5
PYTHONPATH=$folder/packages python3 "$folder/ask.py" | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
sqlite-history-json 0.4 | sqlite-chronicle 0.6.1 | SQLite 3.50.4
a photo: the app's INSERT INTO stop VALUES (1, 'Quay', x'00ff') fails, JSON cannot hold BLOB values
a photo: [], restored: the same; chronicle: no row
a blob of one byte: [(1, 'Quay', b'\x01')], restored: [(1, 'Quay', 1)]; chronicle: 1 version 1
a photo in a column BLOB: [(1, 'Quay', b'\x00\xff')], restored: the same; chronicle: 1 version 1
replaced by its key: [(1, 'Kai', None)], restored: UNIQUE constraint failed: restored.id; chronicle: 1 version 2
replaced by its name: [(2, 'Quay', None)], restored: UNIQUE constraint failed: restored.name; chronicle: 1 version 1; 2 version 2
replaced, recursive triggers: [(2, 'Quay', None)], restored: the same; chronicle: 1 version 2, deleted; 2 version 3
upsert: [(1, 'Kai', None)], restored: the same; chronicle: 1 version 2
a changed key: [(5, 'Kai', None)], restored: [(1, 'Quay', None)]; chronicle: 1 version 1
a key changed by CASCADE: [(5, 'call')], restored: FOREIGN KEY constraint failed; chronicle: 1 version 1
deleted by CASCADE: [], restored: FOREIGN KEY constraint failed; chronicle: 1 version 2, deleted
a NULL key: [(None, 2)], restored: [(None, 1)]; chronicle: None version 1
0.1 + 0.2: [(1, 'Quay', 0.30000000000000004)], restored: [(1, 'Quay', 0.3)]; chronicle: 1 version 1
Infinity: [(1, 'Quay', inf)], restored: the same; chronicle: 1 version 1
a column added later: [(1, 'Quay', None, 'tram')], restored: [(1, 'Quay', None, None)]; chronicle: 1 version 1
a trigger of the app: [(1, 'Kai', 1)], restored: the same; chronicle: 1 version 3
a stored generated column: [(1, 'Kai', 'Kai!')], restored: the same; chronicle: 1 version 2
END_OF_FOUND
