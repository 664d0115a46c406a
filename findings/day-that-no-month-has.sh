#!/bin/sh
# date() of a day that no month has is another day from SQLite 3.45 on, so that an index of it is called damaged.
#
# Guess: '2023-02-29' is either refused, with NULL, or is the first of March, in every version: the function is
# deterministic, and an index may have it.
# Found (apsw's wheels): date('2023-02-29') is '2023-02-29' up to 3.44.2 and '2023-03-01' in 3.45.3 and later; with a
# modifier that changes nothing, '+0 days', it is '2023-03-01' in all of them. A file with an index on date(day) that
# 3.44.2 has written is refused by 3.54.1: PRAGMA integrity_check says that a row is missing from the index, a look-up
# of the new value finds nothing, and UNIQUE takes the first of March twice.
# What follows: a day is checked before it is stored; an index on date functions is made again with REINDEX where the
# version of SQLite changes, and its file is not restored from a backup.
#
#   usage: findings/day-that-no-month-has.sh     prints what each version says; ends with 1 if one of them changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import os, sys

import apsw

folder = sys.argv[1]
version = apsw.sqlite_lib_version()
connection = apsw.Connection(os.path.join(folder, f"{version}.db"))
connection.execute("CREATE TABLE visit (day TEXT)")
connection.execute("CREATE UNIQUE INDEX visit_day ON visit (date(day))")
connection.execute("INSERT INTO visit VALUES ('2023-02-29')")
days = connection.execute("SELECT date(day), date(day, '+0 days') FROM visit").fetchone()
connection.close()
print(f"{version}: {days[0]}, with '+0 days' {days[1]}")
for name in sys.argv[2:]:
    other = apsw.Connection(os.path.join(folder, f"{name}.db"))
    check = other.execute("PRAGMA integrity_check").fetchone()[0]
    found = other.execute("SELECT count(*) FROM visit WHERE date(day) = ?", [days[0]]).fetchone()[0]
    other.execute("INSERT INTO visit VALUES ('2023-03-01')")
    print(f"  the file of {name}: {check}, found {found}, duplicate taken")
END_OF_PYTHON
ask() { # version of apsw, and the files of other versions
  python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-deps \
    --only-binary :all: --target "$folder/$1" "apsw==$1"
  PYTHONPATH=$folder/$1 python3 "$folder/ask.py" "$folder" ${2:+"$2"}
}
{ ask 3.44.2.0 '' && ask 3.45.3.0 '' && ask 3.54.1.0 3.44.2; } | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
3.44.2: 2023-02-29, with '+0 days' 2023-03-01
3.45.3: 2023-03-01, with '+0 days' 2023-03-01
3.54.1: 2023-03-01, with '+0 days' 2023-03-01
  the file of 3.44.2: row 1 missing from index visit_day, found 0, duplicate taken
END_OF_FOUND
