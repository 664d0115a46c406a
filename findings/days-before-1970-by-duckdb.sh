#!/bin/sh
# Stops with the day on which they were opened, and the time of the last bus, are exported by DuckDB to a GeoPackage:
# each day before 1970 is 1900-01-00, a day that no month has, and each time is missing.
#
# Guess: what GDAL's format has no type for is a text, or refused, as DuckDB refuses an INTERVAL and a sum; days stay.
# Found (DuckDB 1.5.5 with its extension spatial), without an error:
# - DATE before 1970 is 1900-01-00 in a GeoPackage, in a SQLite file and in GeoJSON, and missing in FlatGeobuf for those
#   who read it. From 1970 on it is right, and so is a TIMESTAMP of the same days.
# - TIME is NULL in each of them; cast to VARCHAR it is right.
# - ST_Read() has the days right that others wrote. pyogrio 0.13.0 wrote them rightly, by Arrow too, when it was tried.
# - A text ends at its zero, and an unsigned integer of 64 bits is a real number.
# What follows: days and times are cast to VARCHAR, or to TIMESTAMP, before COPY.
#
#   usage: findings/days-before-1970-by-duckdb.sh     prints the values; ends with 1 if they change
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-deps --no-compile \
  --only-binary :all: --target "$folder/python" duckdb==1.5.5 duckdb-extension-spatial==1.5.5
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import glob, json, os, sqlite3, sys

import duckdb

folder = sys.argv[1]
VALUES = [
    "DATE '2026-01-03'", "DATE '1970-01-01'", "DATE '1969-12-31'", "DATE '1863-01-10'",
    "TIMESTAMP '1863-01-10 00:00:00'", "TIME '23:40:00'", "TIME '23:40:00'::VARCHAR",
]
# The extension can be loaded by its file's name alone.
[packed] = glob.glob(folder + "/python/duckdb_extension_spatial/**/*.duckdb_extension", recursive=True)
extension = os.path.join(folder, "spatial.duckdb_extension")
os.symlink(packed, extension)
duck = duckdb.connect(config={"autoinstall_known_extensions": False})
duck.execute(f"LOAD '{extension}'")

def written(value, driver):
    path = os.path.join(folder, f"stop.{driver.lower()}")
    if os.path.exists(path):
        os.remove(path)
    rows = f"SELECT {value} AS opened, ST_Point(1, 2) AS geom"
    duck.execute(f"COPY ({rows}) TO '{path}' (FORMAT gdal, DRIVER '{driver}')")
    if driver == "GeoJSON":
        with open(path) as file:
            return json.load(file)["features"][0]["properties"].get("opened")
    return sqlite3.connect(path).execute("SELECT opened FROM stop").fetchone()[0]

print("DuckDB", duckdb.__version__)
for value in VALUES:
    print(f"{value}:", ", ".join(f"{driver} {written(value, driver)}" for driver in ["GPKG", "SQLite", "GeoJSON"]))
END_OF_PYTHON
PYTHONPATH=$folder/python python3 "$folder/ask.py" "$folder" >"$folder/found"
cat "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
DuckDB 1.5.5
DATE '2026-01-03': GPKG 2026-01-03, SQLite 2026-01-03, GeoJSON 2026-01-03
DATE '1970-01-01': GPKG 1970-01-01, SQLite 1970-01-01, GeoJSON 1970-01-01
DATE '1969-12-31': GPKG 1900-01-00, SQLite 1900-01-00, GeoJSON 1900-01-00
DATE '1863-01-10': GPKG 1900-01-00, SQLite 1900-01-00, GeoJSON 1900-01-00
TIMESTAMP '1863-01-10 00:00:00': GPKG 1863-01-10T00:00:00.000, SQLite 1863-01-10T00:00:00, GeoJSON 1863-01-10T00:00:00
TIME '23:40:00': GPKG None, SQLite None, GeoJSON None
TIME '23:40:00'::VARCHAR: GPKG 23:40:00, SQLite 23:40:00, GeoJSON 23:40:00
END_OF_FOUND
