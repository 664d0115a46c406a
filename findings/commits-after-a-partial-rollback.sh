#!/bin/sh
# A large transaction goes on after a savepoint or a failed statement of it was rolled back, and commits; then the app
# is killed. Up to SQLite 3.50.1 the commit is lost, and all later ones in the log.
#
# Guess: what a connection with a write-ahead log has committed is found by whoever opens the database next, since the
# log is replayed up to its last commit (https://www.sqlite.org/walformat.html#recovery).
# Found (apsw's wheels, all settings as they are, 200,000 rows that are rolled back):
# - Up to 3.50.1 the process itself sees its rows, and so does each other connection beside it. Of a copy of the database
#   and its log, as a kill leaves them, a new connection finds neither this commit nor the one after it, without an
#   error. It is so after ROLLBACK TO, and after an INSERT that fails by UNIQUE in its last row.
# - From 3.50.2 on, and before it with PRAGMA cache_spill = OFF, all rows are there.
# What follows: with an older SQLite, changed pages stay in memory until the commit, as in Holdfast's connections, or a
# large part that may fail is a transaction of its own.
#
#   usage: findings/commits-after-a-partial-rollback.sh     prints what is found; ends with 1 if it changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import os, shutil, sys

import apsw

MANY = """
  WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200000)
  SELECT randomblob(16), i FROM n
"""

def found(folder, part, spills):
    os.mkdir(folder)
    path, copy = os.path.join(folder, "app.db"), os.path.join(folder, "copy.db")
    connection = apsw.Connection(path)
    ask = lambda sql: list(connection.cursor().execute(sql))
    ask("PRAGMA journal_mode = WAL")
    if not spills:
        ask("PRAGMA cache_spill = OFF")
    ask("CREATE TABLE item (code UNIQUE, number)")
    ask("INSERT INTO item VALUES (x'00', 0)")
    ask("BEGIN")
    if part == "savepoint":
        ask("SAVEPOINT part")
        ask("INSERT INTO item " + MANY)
        ask("ROLLBACK TO part")
    else:
        try:
            ask("INSERT INTO item SELECT * FROM (" + MANY + ") UNION ALL SELECT x'00', 1")
        except apsw.ConstraintError:
            pass
    ask("INSERT INTO item VALUES (1, 1)")
    ask("COMMIT")
    ask("INSERT INTO item VALUES (2, 2)")
    beside = list(apsw.Connection(path).cursor().execute("SELECT count(*) FROM item"))[0][0]
    for ending in ["", "-wal"]:
        shutil.copy(path + ending, copy + ending)
    after = list(apsw.Connection(copy).cursor().execute("SELECT count(*) FROM item"))[0][0]
    return f"{beside} beside, {after} after a kill"

for part in ["savepoint", "failed statement"]:
    for spills in [True, False]:
        answer = found(os.path.join(sys.argv[1], f"{part}-{spills}"), part, spills)
        print(f"SQLite {apsw.sqlitelibversion()}, {part}, {'as it is' if spills else 'no spill'}: {answer}")
END_OF_PYTHON
for version in 3.40.0.0 3.50.1.0 3.50.2.0; do
  python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-deps \
    --only-binary :all: --target "$folder/$version" "apsw==$version"
  mkdir "$folder/data-$version"
  PYTHONPATH=$folder/$version python3 "$folder/ask.py" "$folder/data-$version"
done | tee "$folder/found"
diff - "$folder/found" <<'END'
SQLite 3.40.0, savepoint, as it is: 3 beside, 1 after a kill
SQLite 3.40.0, savepoint, no spill: 3 beside, 3 after a kill
SQLite 3.40.0, failed statement, as it is: 3 beside, 1 after a kill
SQLite 3.40.0, failed statement, no spill: 3 beside, 3 after a kill
SQLite 3.50.1, savepoint, as it is: 3 beside, 1 after a kill
SQLite 3.50.1, savepoint, no spill: 3 beside, 3 after a kill
SQLite 3.50.1, failed statement, as it is: 3 beside, 1 after a kill
SQLite 3.50.1, failed statement, no spill: 3 beside, 3 after a kill
SQLite 3.50.2, savepoint, as it is: 3 beside, 3 after a kill
SQLite 3.50.2, savepoint, no spill: 3 beside, 3 after a kill
SQLite 3.50.2, failed statement, as it is: 3 beside, 3 after a kill
SQLite 3.50.2, failed statement, no spill: 3 beside, 3 after a kill
END
