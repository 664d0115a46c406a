#!/bin/sh
# PRAGMA data_version changes when another connection empties the log, also when the log is empty, and nothing changed.
#
# Guess: it changes with each commit of another connection that has written something, and with nothing else; a
# checkpoint only moves what is committed (https://www.sqlite.org/pragma.html#pragma_data_version).
# Found (apsw's wheels of SQLite 3.40 to 3.54), with a write-ahead log:
# - Each checkpoint that truncates changes it, also one right after another. PASSIVE, FULL and RESTART do not.
# - A commit after an UPDATE that gives a row the values that it has does not change it, with a rollback journal too.
# - DELETE without a condition changes it, although the table is empty.
# What follows: an app that truncates its log at each pause wakes all observers, who compare what they read then.
#
#   usage: findings/checkpoint-seen-as-a-change.sh     prints which statements change it; ends with 1 if one differs
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ask.py" <<'END'
import os, sys

import apsw

def watch(mode, statements):
    path = os.path.join(sys.argv[1], f"{mode}.db")
    writer, observer = apsw.Connection(path), apsw.Connection(path)
    writer.execute(f"PRAGMA journal_mode = {mode}").fetchall()
    writer.execute("CREATE TABLE stop (name TEXT)")
    writer.execute("INSERT INTO stop VALUES ('Quay')")

    def version():
        return observer.execute("PRAGMA data_version").fetchall()[0][0]

    last = version()
    for sql in statements:
        writer.execute(sql).fetchall()
        now = version()
        print(mode, "|", sql, "|", "changed" if now != last else "the same")
        last = now

WRITES = ["UPDATE stop SET name = 'Quay'", "INSERT INTO stop VALUES ('Mill')", "DELETE FROM stop", "DELETE FROM stop"]
watch("wal", [f"PRAGMA wal_checkpoint({kind})" for kind in ["PASSIVE", "FULL", "RESTART", "TRUNCATE", "TRUNCATE"]]
      + WRITES + ["PRAGMA wal_checkpoint(PASSIVE)"])
watch("delete", WRITES)
END
versions='3.40.0.0 3.54.1.0'
for version in $versions; do
  python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-deps \
    --only-binary :all: --target "$folder/$version" "apsw==$version"
  mkdir "$folder/data"
  echo "apsw $version"
  PYTHONPATH=$folder/$version python3 "$folder/ask.py" "$folder/data"
  rm -r "$folder/data"
done | tee "$folder/found"
for version in $versions; do
  echo "apsw $version"
  cat <<'END'
wal | PRAGMA wal_checkpoint(PASSIVE) | the same
wal | PRAGMA wal_checkpoint(FULL) | the same
wal | PRAGMA wal_checkpoint(RESTART) | the same
wal | PRAGMA wal_checkpoint(TRUNCATE) | changed
wal | PRAGMA wal_checkpoint(TRUNCATE) | changed
wal | UPDATE stop SET name = 'Quay' | the same
wal | INSERT INTO stop VALUES ('Mill') | changed
wal | DELETE FROM stop | changed
wal | DELETE FROM stop | changed
wal | PRAGMA wal_checkpoint(PASSIVE) | the same
delete | UPDATE stop SET name = 'Quay' | the same
delete | INSERT INTO stop VALUES ('Mill') | changed
delete | DELETE FROM stop | changed
delete | DELETE FROM stop | changed
END
done | diff - "$folder/found"
