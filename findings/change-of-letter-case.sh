#!/bin/sh
# A name in a NOCASE column changes from quay to Quay: what compares databases and what logs changes does not see it.
#
# Guess: two values are the same if their bytes are; a tool that finds differences for a copy that shall be equal does
# not compare as a search does. Behind an upsert at the latest the copies are the same again.
# Found (apsw 3.54.1, sqlite-chronicle 0.6.1, sqlite-history 0.1, sqlite-history-json 0.4, sqlite-diff-log 0.1.1):
# - sqlite3session_diff() has no change for it, nor for 1 that became 1.0, and so had Debian's sqldiff 3.40 and geodiff
#   when they were tried; a session that records the same UPDATE has it. They compare by IS NOT, and so by the column's
#   collation.
# - The triggers of sqlite-chronicle, sqlite-history and sqlite-history-json do so too: the first and the second have
#   nothing, the third an empty change, from which it restores the old name. sqlite-diff-log has the new name.
# - In a column without NOCASE all of them see it.
# What follows: a comparison of two versions of a table says COLLATE BINARY, as the triggers of Holdfast's history do.
#
#   usage: findings/change-of-letter-case.sh     prints who sees it; ends with 1 if one of them changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-deps --only-binary :all: \
  --target "$folder/python" apsw==3.54.1.0 sqlite-chronicle==0.6.1 sqlite-history==0.1 sqlite-history-json==0.4 \
  sqlite-diff-log==0.1.1
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import os, sqlite3, sys

import apsw, sqlite_chronicle, sqlite_history, sqlite_history_json
from sqlite_diff_log import SQLiteDiffLog

folder = sys.argv[1]

def table(name, column, value):
    path = os.path.join(folder, name)
    connection = sqlite3.connect(path)
    connection.execute(f"CREATE TABLE stop (id INTEGER PRIMARY KEY, name {column})")
    connection.execute("INSERT INTO stop VALUES (1, ?)", [value])
    connection.commit()
    return path, connection

def compared(name, column, old, new):
    old_path, _ = table(name + "-old", column, old)
    new_path, _ = table(name + "-new", column, new)
    connection = apsw.Connection(new_path)
    connection.execute("ATTACH ? AS old", [old_path])
    session = apsw.Session(connection, "main")
    session.attach("stop")
    session.diff("old", "stop")
    return len(list(apsw.Changeset.iter(session.changeset())))

def recorded(name, column, old, new):
    connection = apsw.Connection(table(name + "-recorded", column, old)[0])
    session = apsw.Session(connection, "main")
    session.attach("stop")
    connection.execute("UPDATE stop SET name = ?", [new])
    return len(list(apsw.Changeset.iter(session.changeset())))

def logged(name, column, prepare, count):
    connection = table(name, column, "quay")[1]
    log = prepare(connection)
    before = count(connection, log)
    connection.execute("UPDATE stop SET name = 'Quay'")
    connection.commit()
    return count(connection, log) - before

def restored(connection):
    sqlite_history_json.restore(connection, "stop", new_table_name="restored")
    return connection.execute("SELECT name FROM restored").fetchone()[0] == "Quay"

def attached(connection):
    log = SQLiteDiffLog(connection)
    log.attach_to_table("stop")
    return log

def restoring(connection, log):
    connection.execute("DROP TABLE IF EXISTS restored")
    return restored(connection)

LOGS = [
    ("sqlite-chronicle", lambda c: sqlite_chronicle.enable_chronicle(c, "stop"),
     lambda c, log: c.execute("SELECT max(__version) FROM _chronicle_stop").fetchone()[0]),
    ("sqlite-history", lambda c: sqlite_history.configure_history(c, "stop"),
     lambda c, log: c.execute("SELECT count(*) FROM _stop_history").fetchone()[0]),
    ("sqlite-history-json", lambda c: sqlite_history_json.enable_tracking(c, "stop"), restoring),
    ("sqlite-diff-log", attached, lambda c, log: len(log.get_logs("stop"))),
]
print("SQLite", apsw.sqlite_lib_version())
for column, old, new in [("TEXT", "quay", "Quay"), ("TEXT COLLATE NOCASE", "quay", "Quay"), ("", 1, 1.0)]:
    name = f"{column[5:] or column}{old}"
    print(f"{column or 'no type'}, {old} to {new}: compared {compared(name, column, old, new)},",
          f"recorded by a session {recorded(name, column, old, new)}")
for column in ["TEXT", "TEXT COLLATE NOCASE"]:
    print(column + ":", ", ".join(f"{name} {logged(name + column[5:], column, prepare, count)}"
                                  for name, prepare, count in LOGS))
END_OF_PYTHON
PYTHONPATH=$folder/python python3 "$folder/ask.py" "$folder" | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
SQLite 3.54.1
TEXT, quay to Quay: compared 1, recorded by a session 1
TEXT COLLATE NOCASE, quay to Quay: compared 0, recorded by a session 1
no type, 1 to 1.0: compared 0, recorded by a session 1
TEXT: sqlite-chronicle 1, sqlite-history 1, sqlite-history-json 1, sqlite-diff-log 1
TEXT COLLATE NOCASE: sqlite-chronicle 0, sqlite-history 0, sqlite-history-json 0, sqlite-diff-log 1
END_OF_FOUND
