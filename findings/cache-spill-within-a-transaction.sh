#!/bin/sh
# After PRAGMA cache_spill = OFF in an open transaction the pragma answers 0, and SQLite spills until the commit as
# before; a number of pages is obeyed at once.
#
# Guess: it has an effect on the pages that are changed from then on; or none while a transaction is open, and then the
# pragma answers what is in force, as PRAGMA journal_mode does (https://www.sqlite.org/pragma.html#pragma_cache_spill).
# Found (apsw's wheels of SQLite 3.40 to 3.54, a cache of five pages, some 2 MB that one transaction inserts, with a
# write-ahead log and with a rollback journal):
# - OFF before BEGIN keeps all pages in memory. OFF after it does not: the same megabytes are in the file before the
#   commit. The pragma answers 0 in both.
# - A number of pages that are enough is obeyed before BEGIN and after it.
# - ON, or 5, after BEGIN where it was OFF before answers 5, and no page is written until the commit.
# What follows: who asks a connection whether it spills, such as before a part of a transaction that may be rolled back,
# is answered with what the next transaction does. In an open one, set a number of pages for each database.
#
#   usage: findings/cache-spill-within-a-transaction.sh     prints what is written; ends with 1 if it changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ask.py" <<'END'
import os, sys

import apsw

MANY = """
  INSERT INTO item WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
  SELECT randomblob(400) FROM n
"""

def ask(mode, number, before, within):
    path = os.path.join(sys.argv[1], f"{mode}-{number}.db")
    connection = apsw.Connection(path)
    run = lambda sql: list(connection.cursor().execute(sql))
    run(f"PRAGMA journal_mode = {mode}")
    run("PRAGMA cache_size = 5")
    run("CREATE TABLE item (data BLOB)")
    file = path + ("-wal" if mode == "wal" else "")
    if before:
        run(f"PRAGMA cache_spill = {before}")
    start = os.path.getsize(file)
    run("BEGIN IMMEDIATE")
    if within:
        run(f"PRAGMA cache_spill = {within}")
    run(MANY)
    spilled = os.path.getsize(file) - start > 1_000_000
    print(mode, "|", before or "-", "|", within or "-", "|", run("PRAGMA cache_spill")[0][0], "|",
          "spills" if spilled else "in memory")
    run("ROLLBACK")

CASES = [(None, None), ("OFF", None), (None, "OFF"), ("100000", None), (None, "100000"), ("OFF", "ON"), ("OFF", "5")]
for mode in ["wal", "delete"]:
    for number, (before, within) in enumerate(CASES):
        ask(mode, number, before, within)
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
  for mode in wal delete; do
    cat <<END
$mode | - | - | 5 | spills
$mode | OFF | - | 0 | in memory
$mode | - | OFF | 0 | spills
$mode | 100000 | - | 100000 | in memory
$mode | - | 100000 | 100000 | in memory
$mode | OFF | ON | 5 | in memory
$mode | OFF | 5 | 5 | in memory
END
  done
done | diff - "$folder/found"
