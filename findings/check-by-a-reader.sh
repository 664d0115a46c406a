#!/bin/sh
# PRAGMA integrity_check calls a sound FTS5 index damaged, on a connection that has examined or searched the table
# before another connection changed it.
#
# Guess: the check reads the file, and says the same on every connection.
# Found (SQLite 3.54.1, in both journal modes): after another connection has inserted a row, the first one's
# integrity_check and quick_check report "checksum mismatch", as often as they are asked; after a merge of the
# index they report "corruption found reading blob". A new connection finds the same file sound. FTS5 keeps the
# structure of the index from the first check or search, and compares it with the file when a cursor opens, which
# the pragma does not need: any query of the table, such as SELECT 1 FROM word LIMIT 1, ends the false report. One
# with LIMIT 0 does not. FTS4 and R*Tree tables are checked rightly.
# What follows: a check is made by a new connection, or after a query of each FTS5 table.
#
#   usage: findings/check-by-a-reader.sh     prints what each check says; ends with 1 if it changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import os, sys

import apsw

TABLES = {
    "fts5": ("CREATE VIRTUAL TABLE word USING fts5 (text)", "INSERT INTO word (text) VALUES (?)"),
    "fts4": ("CREATE VIRTUAL TABLE word USING fts4 (text)", "INSERT INTO word (text) VALUES (?)"),
    "rtree": ("CREATE VIRTUAL TABLE word USING rtree (id, low, high)", "INSERT INTO word VALUES (NULL, ?1, ?1)"),
}

def check(connection, pragma="integrity_check"):
    return connection.execute(f"PRAGMA {pragma}").fetchall()[0][0]

print("SQLite", apsw.sqlite_lib_version())
for name, mode in [("fts5", "wal"), ("fts5", "delete"), ("fts4", "wal"), ("rtree", "wal")]:
    path = os.path.join(sys.argv[1], f"{name}-{mode}.db")
    create, insert = TABLES[name]
    writer = apsw.Connection(path)
    writer.execute(f"PRAGMA journal_mode = {mode}")
    writer.execute(create)
    writer.execute(insert, ("1",))
    reader = apsw.Connection(path)
    first = check(reader)
    writer.execute(insert, ("2",))
    said = [check(reader), check(reader, "quick_check"), check(reader), check(apsw.Connection(path))]
    for query in ["SELECT 1 FROM word LIMIT 0", "SELECT 1 FROM word LIMIT 1"]:
        reader.execute(query).fetchall()
        said.append(check(reader))
    print(f"{name}, {mode}: first {first}, then {said[0]}, quick {said[1]}, again {said[2]},",
          f"new connection {said[3]}, after LIMIT 0 {said[4]}, after LIMIT 1 {said[5]}")
END_OF_PYTHON
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-deps \
  --only-binary :all: --target "$folder/packages" apsw==3.54.1.0
PYTHONPATH=$folder/packages python3 "$folder/ask.py" "$folder" | tee "$folder/found"
mismatch='fts5: checksum mismatch for table "word"'
diff - "$folder/found" <<END
SQLite 3.54.1
fts5, wal: first ok, then $mismatch, quick $mismatch, again $mismatch, new connection ok, after LIMIT 0 $mismatch, after LIMIT 1 ok
fts5, delete: first ok, then $mismatch, quick $mismatch, again $mismatch, new connection ok, after LIMIT 0 $mismatch, after LIMIT 1 ok
fts4, wal: first ok, then ok, quick ok, again ok, new connection ok, after LIMIT 0 ok, after LIMIT 1 ok
rtree, wal: first ok, then ok, quick ok, again ok, new connection ok, after LIMIT 0 ok, after LIMIT 1 ok
END
