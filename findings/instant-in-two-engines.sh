#!/bin/sh
# Polars writes an instant in Berlin to a SQLite table, by one of its engines or the other: an hour lies between them.
#
# Guess: what has a zone is written with an offset, or in UTC with a Z, or is refused; both engines mean the same.
# Found (Polars 2.1.0, SQLAlchemy 2.1.9, adbc-driver-sqlite 1.13.0), without an error:
# - By SQLAlchemy it is the time on the clock, by ADBC the time in UTC. Neither says which; one has a space, the other
#   one a T between day and time, so that as texts they are neither equal nor in order.
# - Of the night in which the clock goes back, two instants an hour apart are one text by SQLAlchemy.
# - By SQLAlchemy a list is a blob of NumPy's memory, in the order of bytes of the machine, and a duration an integer of
#   nanoseconds. ADBC refuses both.
# - Right by both: days and integers of 64 bits, and booleans and texts with a zero when they were tried; NaN is NULL.
# What follows: instants are converted to seconds since 1970, or to texts with a Z, before they are written.
#
#   usage: findings/instant-in-two-engines.sh     prints what is written; ends with 1 if it changes. On little-endian
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check --no-compile --only-binary :all: polars==2.1.0 \
  pandas==3.1.1 pyarrow==26.0.1 sqlalchemy==2.1.9 adbc-driver-sqlite==1.13.0 adbc-driver-manager==1.13.0
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import datetime, os, sqlite3, sys

import polars

HOUR = datetime.timedelta(hours=1)
NIGHT = datetime.datetime(2026, 10, 25, 0, 30, tzinfo=datetime.timezone.utc)

def berlin(*instants):
    return polars.Series(instants).dt.convert_time_zone("Europe/Berlin")

COLUMNS = {
    "an instant in Berlin, 03:05:06Z": berlin(datetime.datetime(2026, 1, 3, 3, 5, 6, tzinfo=datetime.timezone.utc)),
    "two instants of a night": berlin(NIGHT, NIGHT + HOUR),
    "a day": polars.Series([datetime.date(2026, 1, 3)]),
    "an hour": polars.Series([HOUR]),
    "a list": polars.Series([[1, 2]]),
    "NaN": polars.Series([float("nan")]),
    "an integer": polars.Series([2 ** 63 - 1]),
}
print("Polars", polars.__version__)
for name, column in COLUMNS.items():
    for engine in ("sqlalchemy", "adbc"):
        path = os.path.join(sys.argv[1], f"{name}-{engine}.db".replace(" ", "-").replace(",", "").replace(":", ""))
        try:
            column.alias("value").to_frame().write_database("item", "sqlite:///" + path, engine=engine)
            rows = sqlite3.connect(path).execute("SELECT value FROM item ORDER BY rowid")
            print(f"{name}, {engine}:", *[repr(value) for value, in rows])
        except Exception as error:  # each engine has its own
            print(f"{name}, {engine}: {type(error).__name__}")
END_OF_PYTHON
"$folder/python/bin/python" -W ignore "$folder/ask.py" "$folder" | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
Polars 2.1.0
an instant in Berlin, 03:05:06Z, sqlalchemy: '2026-01-03 04:05:06.000000'
an instant in Berlin, 03:05:06Z, adbc: '2026-01-03T03:05:06.000000'
two instants of a night, sqlalchemy: '2026-10-25 02:30:00.000000' '2026-10-25 02:30:00.000000'
two instants of a night, adbc: '2026-10-25T00:30:00.000000' '2026-10-25T01:30:00.000000'
a day, sqlalchemy: '2026-01-03'
a day, adbc: '2026-01-03'
an hour, sqlalchemy: 3600000000000
an hour, adbc: NotSupportedError
a list, sqlalchemy: b'\x01\x00\x00\x00\x00\x00\x00\x00\x02\x00\x00\x00\x00\x00\x00\x00'
a list, adbc: NotSupportedError
NaN, sqlalchemy: None
NaN, adbc: None
an integer, sqlalchemy: 9223372036854775807
an integer, adbc: 9223372036854775807
END_OF_FOUND
