#!/bin/sh
# An app's tables are the same on two devices by sqlite-sync-core: twenty stops that are imported at once never arrive,
# as "bundle may be corrupted", and a row that is replaced, or gets another key, is so on one device alone.
#
# Guess: two databases that exchange all operations are equal, as the package says of itself (identical operations make
# an identical state), and operations are sent in the order in which they were made; what it cannot log it refuses.
# Found (sqlite-sync-core 0.7.1 in sqlean.py's SQLite 3.50.4), between two copies, by files in both directions:
# - The sender's digest is of the operations in one order, and the receiver's in that of their identifiers, which are at
#   random within a millisecond. So twenty rows of one statement are refused, and so is each later bundle, as they count
#   as sent: "FOREIGN KEY constraint failed". Two rows are taken or not.
# - INSERT OR REPLACE is an operation for the other copy, which counts it as applied, and its row there is the old one;
#   so it is for a row whose key is changed. A change of a row with a key of two columns changes no row there.
# - A blob fails in the app's own INSERT, "JSON cannot hold BLOB values", and 0.1 + 0.2 is 0.3 on the other copy.
# - Right, with a pause between any two changes: changes of two columns of one row are both kept, of two changes of one
#   column the later one is on both; text keys, NULL, wide integers, and stored generated columns.
# What follows: an app's bulk import is tried first, and both copies' rows are compared after each exchange.
#
#   usage: findings/stops-imported-on-two-devices.sh     prints both copies; ends with 1 if one of them changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import importlib.metadata, logging, os, sys, time

import sqlean
from sqlean import dbapi2

sys.modules["sqlite3"], sys.modules["sqlite3.dbapi2"] = sqlean, dbapi2  # The package asks for it by these names.
logging.disable(logging.CRITICAL)
from sqlite_sync.engine import SyncEngine
from sqlite_sync.errors import SyncError

count = 0

def new_path(name):
    global count
    count += 1
    return os.path.join(sys.argv[1], f"{count} {name}")

def exchange(sender, receiver):
    path = new_path("bundle")
    if not sender.generate_bundle(receiver.device_id, path):
        return "nothing"
    try:
        return f"{receiver.import_bundle(path).applied_count} applied"
    except SyncError as error:
        return str(error).split(" [")[0]

def change(what, table, first, ours=(), theirs=()):
    copies = [SyncEngine(new_path("app.db")), SyncEngine(new_path("app.db"))]
    for copy in copies:
        copy.initialize()
        for statement in table:
            copy.connection.execute(statement)
        copy.connection.commit()
        copy.enable_sync_for_table("stop")
    def run(copy, statements):
        for statement in statements:
            time.sleep(0.01)
            try:
                copy.connection.execute(statement)
                copy.connection.commit()
            except dbapi2.Error as error:
                print(f"{what}: {error}")
                copy.connection.rollback()
    a, b = copies
    run(a, first)
    said = [exchange(a, b)]
    run(a, ours)
    run(b, theirs)
    if ours or theirs:
        said.append(exchange(a, b))
    if theirs:
        said.append(exchange(b, a))
    rows = [[tuple(row) for row in copy.connection.execute("SELECT * FROM stop ORDER BY 1, 2")] for copy in copies]
    texts = [str(row) if len(row) < 3 else f"{len(row)} rows" for row in rows]
    print(f"{what}: {', '.join(said)}; {'both ' + texts[0] if rows[0] == rows[1] else ' and '.join(texts)}")

print("sqlite-sync-core", importlib.metadata.version("sqlite-sync-core"), "| SQLite", dbapi2.sqlite_version)
STOPS = ["CREATE TABLE stop (id INTEGER PRIMARY KEY, name TEXT, x)"]
QUAY = ["INSERT INTO stop VALUES (1, 'Quay', 1)"]
TWENTY = "INSERT INTO stop VALUES " + ", ".join(f"({number}, 'Stop', 1)" for number in range(20))
change("twenty stops at once", STOPS, [TWENTY])
change("twenty stops, and one later", STOPS, [TWENTY], ["INSERT INTO stop VALUES (99, 'Quay', 1)"])
change("two stops, one by one", STOPS, QUAY + ["INSERT INTO stop VALUES (2, 'Mill', 1)"])
change("two columns", STOPS, QUAY, ["UPDATE stop SET name = 'Kai'"], ["UPDATE stop SET x = 2"])
change("one column", STOPS, QUAY, ["UPDATE stop SET name = 'Kai'"], ["UPDATE stop SET name = 'Key'"])
change("replaced", STOPS, QUAY, ["INSERT OR REPLACE INTO stop VALUES (1, 'Kai', 5)"])
change("a changed key", STOPS, QUAY, ["UPDATE stop SET id = 5"])
change("a key of two columns", ["CREATE TABLE stop (line, place, name, PRIMARY KEY (line, place))"],
       ["INSERT INTO stop VALUES (1, 2, 'Quay')"], ["UPDATE stop SET name = 'Kai'"])
change("a blob", STOPS, ["INSERT INTO stop VALUES (1, 'Quay', x'00ff')"])
change("0.1 + 0.2", STOPS, ["INSERT INTO stop VALUES (1, 'Quay', 0.1 + 0.2)"])
change("NULL, a wide integer", STOPS, ["INSERT INTO stop VALUES (1, NULL, 9007199254740993)"])
change("a text key", ["CREATE TABLE stop (id TEXT PRIMARY KEY, name)"], ["INSERT INTO stop VALUES ('q', 'Quay')"],
       ["UPDATE stop SET name = 'Kai'"])
change("a generated column", ["CREATE TABLE stop (id INTEGER PRIMARY KEY, name, x AS (name || '!') STORED)"],
       ["INSERT INTO stop (id, name) VALUES (1, 'Quay')"], ["UPDATE stop SET name = 'Kai'"])
END_OF_PYTHON
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --only-binary :all: \
  --target "$folder/packages" sqlite-sync-core==0.7.1 sqlean-py==3.50.4.5 2>"$folder/log"
PYTHONPATH=$folder/packages python3 "$folder/ask.py" "$folder" | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
sqlite-sync-core 0.7.1 | SQLite 3.50.4
twenty stops at once: Content hash mismatch (bundle may be corrupted); 20 rows and []
twenty stops, and one later: Content hash mismatch (bundle may be corrupted), Failed to insert operation: FOREIGN KEY constraint failed; 21 rows and []
two stops, one by one: 2 applied; both [(1, 'Quay', 1), (2, 'Mill', 1)]
two columns: 1 applied, 1 applied, 1 applied; both [(1, 'Kai', 2)]
one column: 1 applied, 1 applied, 1 applied; both [(1, 'Key', 1)]
replaced: 1 applied, 1 applied; [(1, 'Kai', 5)] and [(1, 'Quay', 1)]
a changed key: 1 applied, 1 applied; [(5, 'Quay', 1)] and [(1, 'Quay', 1)]
a key of two columns: 1 applied, 1 applied; [(1, 2, 'Kai')] and [(1, 2, 'Quay')]
a blob: JSON cannot hold BLOB values
a blob: nothing; both []
0.1 + 0.2: 1 applied; [(1, 'Quay', 0.30000000000000004)] and [(1, 'Quay', 0.3)]
NULL, a wide integer: 1 applied; both [(1, None, 9007199254740993)]
a text key: 1 applied, 1 applied; both [('q', 'Kai')]
a generated column: 1 applied, 1 applied; both [(1, 'Kai', 'Kai!')]
END_OF_FOUND
