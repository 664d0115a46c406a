#!/bin/sh
# The same DATE column of a GeoPackage, read by GDAL in two ways: a day is missing in one, and 1970-01-01 in the other.
#
# Guess: what GDAL cannot read as a date is missing, with a warning, by whatever interface it is read; and a DATE column
# is one of dates, whatever its first row holds.
# Found (GDAL 3.12.4 in pyogrio 0.13.0, pyarrow 26.0.1):
# - Of 20260103 in a GeoPackage, as GTFS writes days, one warning is said. Row by row it is missing, and by Arrow, as
#   GeoPandas reads with use_arrow=True, it is the first of January 1970, like any other day. Seconds since 1970 in a
#   DATETIME column are that instant too. NULL is missing in both.
# - In a SQLite file without GeoPackage's tables the first row decides, without a warning: behind 20260103 the day
#   2026-01-03 is the number 2026, and behind seconds a time is.
# - Right in both: 2026-01-03 and a time in UTC; and in the SQLite file 20260103 behind such a day, which is missing.
# What follows: days that are shipped to GIS tools are written as 2026-01-03 in each row, or as TEXT.
#
#   usage: findings/dates-by-arrow-in-gdal.sh     prints what is read; ends with 1 if it changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --only-binary :all: \
  --target "$folder/python" pyogrio==0.13.0 numpy==2.4.6 pyarrow==26.0.1
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import os, sqlite3, struct, sys, warnings

import numpy, pyogrio

def geopackage(path, count):
    point = numpy.array([struct.pack("<BIdd", 1, 1, 0.0, 0.0)] * count, dtype=object)
    pyogrio.raw.write(path, point, [numpy.arange(count)], ["key"], driver="GPKG", layer="day", geometry_type="Point",
                      crs="EPSG:4326", SPATIAL_INDEX="NO")

def table(path, count):
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE day (fid INTEGER PRIMARY KEY, key INTEGER)")
    connection.executemany("INSERT INTO day (key) VALUES (?)", [[number] for number in range(count)])
    connection.commit()
    connection.close()

def text(value):
    if value is None or value != value or str(value) == "NaT":
        return "missing"
    return str(value).replace("+00:00", "").replace("T", " ").replace(".000", "").replace(" 00:00:00", "")

def ask(number, make, kind, values):
    path = os.path.join(sys.argv[1], f"{number}.{'gpkg' if make is geopackage else 'db'}")
    make(path, len(values))
    connection = sqlite3.connect(path)
    connection.execute(f"ALTER TABLE day ADD COLUMN day {kind}")
    connection.executemany("UPDATE day SET day = ? WHERE key = ?", [[value, key] for key, value in enumerate(values)])
    connection.commit()
    connection.close()
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        read = pyogrio.raw.read(path, layer="day", columns=["day"])[3][0]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        arrow = pyogrio.read_arrow(path, layer="day", columns=["day"])[1]["day"].to_pylist()
    warned = sum("content" in str(warning.message) or "data type" in str(warning.message) for warning in said)
    print(f"{make.__name__}, {kind} {' | '.join(map(str, values))}")
    print("  row by row:", " | ".join(map(text, read)), "| warnings", warned)
    print("  by Arrow:", " | ".join(map(text, arrow)))

print("GDAL", pyogrio.__gdal_version_string__)
questions = [("DATE", [20260103, "2026-01-03", None]), ("DATE", ["2026-01-03", 20260103]),
             ("DATETIME", [1767409445, "2026-01-03T04:05:06Z"]),
             ("DATETIME", ["2026-01-03T04:05:06Z", 1767409445, None])]
for number, (kind, values) in enumerate(questions):
    for make in (geopackage, table):
        ask(number, make, kind, values)
END_OF_PYTHON
PYTHONPATH=$folder/python python3 "$folder/ask.py" "$folder" | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
GDAL 3.12.4
geopackage, DATE 20260103 | 2026-01-03 | None
  row by row: missing | 2026-01-03 | missing | warnings 1
  by Arrow: 1970-01-01 | 2026-01-03 | missing
table, DATE 20260103 | 2026-01-03 | None
  row by row: 20260103.0 | 2026.0 | missing | warnings 0
  by Arrow: 20260103 | 2026 | missing
geopackage, DATE 2026-01-03 | 20260103
  row by row: 2026-01-03 | missing | warnings 1
  by Arrow: 2026-01-03 | 1970-01-01
table, DATE 2026-01-03 | 20260103
  row by row: 2026-01-03 | missing | warnings 0
  by Arrow: 2026-01-03 | missing
geopackage, DATETIME 1767409445 | 2026-01-03T04:05:06Z
  row by row: missing | 2026-01-03 04:05:06 | warnings 1
  by Arrow: 1970-01-01 | 2026-01-03 04:05:06
table, DATETIME 1767409445 | 2026-01-03T04:05:06Z
  row by row: 1767409445 | 2026 | warnings 0
  by Arrow: 1767409445 | 2026
geopackage, DATETIME 2026-01-03T04:05:06Z | 1767409445 | None
  row by row: 2026-01-03 04:05:06 | missing | missing | warnings 1
  by Arrow: 2026-01-03 04:05:06 | 1970-01-01 | missing
table, DATETIME 2026-01-03T04:05:06Z | 1767409445 | None
  row by row: 2026-01-03 04:05:06 | missing | missing | warnings 0
  by Arrow: 2026-01-03 04:05:06 | missing | missing
END_OF_FOUND
