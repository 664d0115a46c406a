#!/bin/sh
# An app's database is read through ODBC, as spreadsheets do it, by the driver for SQLite: ids of 2,147,483,648 and more
# are others, some below zero; night buses have no time, nor is there a day as GTFS writes it.
#
# Guess: INTEGER, which has 64 bits in SQLite, is read as the number that is there, or there is an error, as ODBC has
# for a number that is out of range; a value that the declared type cannot hold is an error too, or a text.
# Found (Debian 12's libsqliteodbc 0.9998 and unixODBC 2.3.11 under pyodbc 5.5.0), without an error or a warning:
# - 12000000000, an id of OpenStreetMap, is -884901888 in an INTEGER column, and as a parameter that is selected.
#   2^62 + 1 is 1. WHERE id = ? with the number that was read finds nothing. In a BIGINT column they are right, and with
#   BigInt=1 in the connection string in each. What is written is right.
# - 25:10:00 in a TIME column is missing, as NULL is. So are 20260609 in a DATE column, seconds since 1970 in a DATETIME
#   column, and a text in an INTEGER or a REAL column, each of which is there for SQLite.
# - A real number is read with 15 digits: 0.1 + 0.2 is 0.3. A text ends at its zero.
# - Right: days and times with dashes and colons, letters beyond ASCII, blobs, longer texts than a VARCHAR says.
# What follows: such a connection says BigInt=1, and times of a timetable are declared TEXT.
#
#   usage: findings/wide-ids-through-odbc.sh     prints what is read; ends with 1 if it changes. On Debian 12
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for package in libsqliteodbc libodbc2 libodbcinst2 libltdl7 libsqlite3-0; do
  (cd "$folder" && apt-get download --quiet --quiet "$package" 2>/dev/null && dpkg -x "$package"_*.deb debian) ||
    { echo "$package is missing" >&2; exit 69; }
done
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import glob, os, sys

import apsw, pyodbc

os.chdir(sys.argv[1])
[driver] = glob.glob("debian/usr/lib/*/odbc/libsqlite3odbc.so")
VALUES = {
    "INTEGER": [12000000000, 2**62 + 1, 2**31, 2**31 - 1, "five"], "BIGINT": [12000000000, 2**62 + 1, "five"],
    "REAL": [0.1 + 0.2, 13.405, "x"], "NUMERIC": [12000000000, 2**53 + 1, 2.5], "TINYINT": [300],
    "DATE": ["2026-06-09", 20260609], "TIME": ["08:05:00", "24:00:00", "25:10:00"],
    "DATETIME": ["2026-06-09 08:05:00", "2026-06-09T08:05:00Z", 1781000000], "VARCHAR(4)": ["Quay\0west", "Zürich"],
    "BLOB": [b"\xff\0"], "BOOLEAN": [1, 5],
}
app = apsw.Connection("app.db")
for number, (kind, values) in enumerate(VALUES.items()):
    app.execute(f"CREATE TABLE t{number} (value {kind})")
    for value in values:
        app.execute(f"INSERT INTO t{number} VALUES (?)", [value])

def connect(options=""):
    return pyodbc.connect(f"Driver={os.path.abspath(driver)};Database=app.db;{options}", autocommit=True)

odbc = connect()
def one(statement, *values):
    return odbc.execute(statement, *values).fetchval()

print("libsqliteodbc", odbc.getinfo(pyodbc.SQL_DRIVER_VER), "| SQLite", one("SELECT sqlite_version()"))
for number, (kind, values) in enumerate(VALUES.items()):
    read = [value for value, in odbc.execute(f"SELECT value FROM t{number} ORDER BY rowid")]
    print(f"{kind}:")
    for value, other in zip(values, read):
        print(f"  {value!r} is {other if hasattr(other, 'isoformat') else repr(other)}")
print("found by the number that was read:", one("SELECT count(*) FROM t0 WHERE value = ?", -884901888),
      "| by the id:", one("SELECT count(*) FROM t0 WHERE value = ?", 12000000000))
print("a parameter:", one("SELECT ?", 12000000000))
odbc.execute("INSERT INTO t0 VALUES (?)", 12000000001)
print("written:", app.execute("SELECT value FROM t0 ORDER BY rowid DESC LIMIT 1").fetchone()[0])
print("with BigInt=1:", [value for value, in connect("BigInt=1").execute("SELECT value FROM t0 ORDER BY rowid")])
END_OF_PYTHON
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --no-deps \
  --only-binary :all: --target "$folder/packages" pyodbc==5.5.0 apsw==3.54.1.0
libraries=$(find "$folder/debian" -name 'lib*.so.*' -printf '%h:' | tr ':' '\n' | sort -u | tr '\n' ':')
LD_LIBRARY_PATH=$libraries PYTHONPATH=$folder/packages python3 "$folder/ask.py" "$folder" | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
libsqliteodbc 0.9998 | SQLite 3.40.1
INTEGER:
  12000000000 is -884901888
  4611686018427387905 is 1
  2147483648 is -2147483648
  2147483647 is 2147483647
  'five' is None
BIGINT:
  12000000000 is 12000000000
  4611686018427387905 is 4611686018427387905
  'five' is None
REAL:
  0.30000000000000004 is 0.3
  13.405 is 13.405
  'x' is None
NUMERIC:
  12000000000 is 12000000000.0
  9007199254740993 is 9007199254740992.0
  2.5 is 2.5
TINYINT:
  300 is 300
DATE:
  '2026-06-09' is 2026-06-09
  20260609 is None
TIME:
  '08:05:00' is 08:05:00
  '24:00:00' is None
  '25:10:00' is None
DATETIME:
  '2026-06-09 08:05:00' is 2026-06-09 08:05:00
  '2026-06-09T08:05:00Z' is 2026-06-09 08:05:00
  1781000000 is None
VARCHAR(4):
  'Quay\x00west' is 'Quay'
  'Zürich' is 'Zürich'
BLOB:
  b'\xff\x00' is b'\xff\x00'
BOOLEAN:
  1 is True
  5 is True
found by the number that was read: 0 | by the id: 1
a parameter: -884901888
written: 12000000001
with BigInt=1: [12000000000, 4611686018427387905, 2147483648, 2147483647, None, 12000000001]
END_OF_FOUND
