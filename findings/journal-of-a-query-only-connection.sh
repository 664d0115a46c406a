#!/bin/sh
# A connection with PRAGMA query_only changes the journal mode of a database for all, and may not copy it.
#
# Guess: it changes nothing in the file; VACUUM INTO and temporary tables, which write elsewhere, are possible, as they
# are with SQLITE_OPEN_READONLY (https://www.sqlite.org/pragma.html#pragma_query_only).
# Found (apsw's wheels of SQLite 3.40 to 3.54):
# - PRAGMA journal_mode = DELETE is obeyed by it, and WAL too: the file's header is another one, and stays so.
#   PRAGMA user_version is refused. With SQLITE_OPEN_READONLY the mode stays; DELETE is a "disk I/O error" then.
# - VACUUM INTO and CREATE TEMP TABLE are refused, and allowed with SQLITE_OPEN_READONLY.
# What follows: a reader that runs others' statements is opened with SQLITE_OPEN_READONLY.
#
#   usage: findings/journal-of-a-query-only-connection.sh     prints what is obeyed; ends with 1 if it changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ask.py" <<'END'
import os, sys

import apsw

def ask(kind, before, sql):
    path = os.path.join(sys.argv[1], "app.db")
    owner = apsw.Connection(path)
    owner.execute(f"PRAGMA journal_mode = {before}").fetchall()
    owner.execute("CREATE TABLE IF NOT EXISTS stop (name TEXT)")
    owner.close()
    flags = apsw.SQLITE_OPEN_READONLY if kind == "READONLY" else apsw.SQLITE_OPEN_READWRITE
    connection = apsw.Connection(path, flags=flags)
    if kind == "query_only":
        connection.execute("PRAGMA query_only = 1").fetchall()
    try:
        connection.execute("SELECT * FROM stop").fetchall()
        connection.execute(sql).fetchall()
        result = "obeyed"
    except apsw.ReadOnlyError:
        result = "refused"
    except apsw.IOError:
        result = "I/O error"
    connection.close()
    with open(path, "rb") as file:
        after = "wal" if file.read(20)[18] == 2 else "delete"
    print(kind, "|", sql.replace(sys.argv[1], "."), "|", result, "|", before, "is", after)

for kind in ["query_only", "READONLY"]:
    ask(kind, "wal", "PRAGMA journal_mode = DELETE")
    ask(kind, "delete", "PRAGMA journal_mode = WAL")
    ask(kind, "wal", "PRAGMA user_version = 7")
    ask(kind, "wal", "CREATE TEMP TABLE chosen (id INTEGER)")
    ask(kind, "wal", f"VACUUM INTO '{sys.argv[1]}/{kind}.db'")
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
query_only | PRAGMA journal_mode = DELETE | obeyed | wal is delete
query_only | PRAGMA journal_mode = WAL | obeyed | delete is wal
query_only | PRAGMA user_version = 7 | refused | wal is wal
query_only | CREATE TEMP TABLE chosen (id INTEGER) | refused | wal is wal
query_only | VACUUM INTO './query_only.db' | refused | wal is wal
READONLY | PRAGMA journal_mode = DELETE | I/O error | wal is wal
READONLY | PRAGMA journal_mode = WAL | refused | delete is delete
READONLY | PRAGMA user_version = 7 | refused | wal is wal
READONLY | CREATE TEMP TABLE chosen (id INTEGER) | obeyed | wal is wal
READONLY | VACUUM INTO './READONLY.db' | obeyed | wal is wal
END
done | diff - "$folder/found"
