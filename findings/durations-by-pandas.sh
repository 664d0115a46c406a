#!/bin/sh
# Times of a timetable are durations in pandas, and written to a SQLite database: pandas 3 warns that they are integers
# of nanoseconds, and writes microseconds; read as it says, 25:10:00 is 90 seconds.
#
# Guess: the integers are what the warning says, whatever unit the column has; pandas 2 wrote nanoseconds.
# Found (to_sql of pandas 2.3.3 and 3.1.1):
# - The integers are of the unit that the column has. Texts, Python's timedelta and numbers of seconds become
#   nanoseconds in pandas 2, and microseconds in pandas 3. A column of timedelta64[s] is written in seconds by both.
#   The warning is the same each time.
# - A table that pandas 2 made has two units in one column after pandas 3 has appended to it.
# - read_sql has integers; to_timedelta(), which takes them for nanoseconds, makes 90.6 seconds of 25:10:00.
# What follows: durations are written as seconds or as text, by the program itself.
#
#   usage: findings/durations-by-pandas.sh     prints what is written; ends with 1 if it changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import datetime, sqlite3, sys, warnings

import numpy, pandas

def write(column):
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        pandas.DataFrame({"departure": column}).to_sql("call", database, index=False, if_exists="append")
    return [unit for warning in said for unit in ("ns", "us") if f"({unit} frequency)" in str(warning.message)]

database = sqlite3.connect(sys.argv[1])
FORMS = {"text": pandas.to_timedelta(["25:10:00"]), "timedelta": [datetime.timedelta(hours=25, minutes=10)],
         "number": pandas.to_timedelta([90600], unit="s"), "seconds": numpy.array([90600], dtype="timedelta64[s]")}
for form, column in FORMS.items():
    said = write(column)
    [(written,)] = database.execute("SELECT departure FROM call ORDER BY rowid DESC LIMIT 1")
    read = pandas.to_timedelta(pandas.read_sql("SELECT departure FROM call", database)["departure"]).iloc[-1]
    print(f"pandas {pandas.__version__}, {form}: said {' '.join(said)}, written {written}, read as {read}")
print("  the table:", *[row[0] for row in database.execute("SELECT departure FROM call")])
END_OF_PYTHON
for version in 2.3.3 3.1.1; do
  python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile \
    --only-binary :all: --target "$folder/$version" "pandas==$version" numpy==2.4.6 2>>"$folder/log"
  PYTHONPATH=$folder/$version python3 "$folder/ask.py" "$folder/app.db"
done | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
pandas 2.3.3, text: said ns, written 90600000000000, read as 1 days 01:10:00
pandas 2.3.3, timedelta: said ns, written 90600000000000, read as 1 days 01:10:00
pandas 2.3.3, number: said ns, written 90600000000000, read as 1 days 01:10:00
pandas 2.3.3, seconds: said ns, written 90600, read as 0 days 00:00:00.000090600
  the table: 90600000000000 90600000000000 90600000000000 90600
pandas 3.1.1, text: said ns, written 90600000000, read as 0 days 00:01:30.600000
pandas 3.1.1, timedelta: said ns, written 90600000000, read as 0 days 00:01:30.600000
pandas 3.1.1, number: said ns, written 90600000000, read as 0 days 00:01:30.600000
pandas 3.1.1, seconds: said ns, written 90600, read as 0 days 00:00:00.000090600
  the table: 90600000000000 90600000000000 90600000000000 90600 90600000000 90600000000 90600000000 90600
END_OF_FOUND
