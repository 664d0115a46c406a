#!/bin/sh
# A layer of a GeoPackage is made with fudgeo, with the time at which each stop was seen: as a timestamp the column is
# not there for GDAL, and as a datetime GDAL finds no row that was seen since eight o'clock.
#
# Guess: a library that only writes GeoPackages has the types of the standard, DATE and DATETIME, and its form of them,
# 2026-06-02T08:00:00.000Z (https://www.geopackage.org/spec131/#table_column_data_types); what it calls now is UTC.
# Found (fudgeo 1.5.10, GDAL 3.12.4 in pyogrio 0.13.0):
# - FieldType.timestamp is a column TIMESTAMP, which the standard does not have. GDAL leaves it out, with a warning.
# - A datetime is written as Python prints it, 2026-06-02 08:00:00 or 2026-06-02 08:00:00+02:00. GDAL reads it, with a
#   warning, and compares the texts: a filter from 2026-06-02T08:00:00Z on finds no row of that day, and one up to half
#   past eight finds what was seen at nine.
# - last_change of the layer is the local time with a Z: in Tokyo it lies nine hours ahead.
# - Right: days.
# What follows: instants are given to fudgeo as texts in the standard's form.
#
#   usage: findings/timestamps-that-gdal-passes-over.sh     prints the columns; ends with 1 if one of them changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import datetime, importlib.metadata, os, sqlite3, sys, time, warnings

import pyogrio.raw
from fudgeo import Field, GeoPackage, SpatialReferenceSystem
from fudgeo.enumeration import FieldType, GeometryType
from fudgeo.geometry import Point

WGS_84 = ('GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],PRIMEM["Greenwich",0],'
          'UNIT["degree",0.0174532925199433]]')
BERLIN = datetime.timezone(datetime.timedelta(hours=2))

def create(name):
    path = os.path.join(sys.argv[1], name + ".gpkg")
    package = GeoPackage.create(path)
    fields = [Field("name", FieldType.text), Field("stamp", FieldType.timestamp), Field("at", FieldType.datetime),
              Field("day", FieldType.date)]
    package.create_feature_class("stops", SpatialReferenceSystem("WGS 84", "EPSG", 4326, WGS_84), fields=fields,
                                 shape_type=GeometryType.point)
    return path, package

path, package = create("stops")
with package.connection as connection:
    for name, at in [
        ("at eight", datetime.datetime(2026, 6, 2, 8)),
        ("at nine", datetime.datetime(2026, 6, 2, 9)),
        ("at ten, UTC", datetime.datetime(2026, 6, 2, 10, tzinfo=datetime.timezone.utc)),
        ("at eleven, Berlin", datetime.datetime(2026, 6, 2, 11, tzinfo=BERLIN)),
        ("the day after", datetime.datetime(2026, 6, 3, 8)),
    ]:
        connection.execute("INSERT INTO stops (SHAPE, name, stamp, at, day) VALUES (?, ?, ?, ?, ?)",
                           (Point(x=13.4, y=52.5, srs_id=4326), name, at, at, at.date()))
package.connection.close()
print("fudgeo", importlib.metadata.version("fudgeo"), "| GDAL", pyogrio.__gdal_version_string__)
plain = sqlite3.connect(path)
for name, at, day in plain.execute("SELECT name, at, day FROM stops"):
    print(f"{name}: {at}, {day}")
print("columns:", ", ".join(f"{name} {kind}" for _, name, kind, *_ in plain.execute("PRAGMA table_info(stops)")))

def read(where=None):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        meta, _, _, columns = pyogrio.raw.read(path, layer="stops", where=where)
    return dict(zip(meta["fields"], columns)), [str(warning.message) for warning in caught]

columns, said = read()
print("GDAL:", ", ".join(columns))
print("GDAL warns:", "; ".join(message.split(",")[0] for message in said))
for where in ("at >= '2026-06-02T08:00:00Z'", "at < '2026-06-02T08:30:00Z'", "day = '2026-06-02'"):
    print(f"GDAL, {where}:", ", ".join(read(where)[0]["name"]) or "nothing")
for zone in ("Etc/UTC", "Asia/Tokyo", "America/New_York"):
    os.environ["TZ"] = zone
    time.tzset()
    path, package = create(zone.replace("/", "-"))
    package.connection.close()
    text, = sqlite3.connect(path).execute("SELECT last_change FROM gpkg_contents").fetchone()
    ahead = datetime.datetime.fromisoformat(text.replace("Z", "+00:00")) - datetime.datetime.now(datetime.timezone.utc)
    winter = time.localtime().tm_isdst == 0
    print(f"{zone}: last_change lies {round(ahead.total_seconds() / 3600) - (0 if winter else 1)} hours ahead")
END_OF_PYTHON
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --only-binary :all: \
  --target "$folder/packages" fudgeo==1.5.10 bottleneck==1.6.0 pyogrio==0.13.0 numpy==2.4.6 2>"$folder/log"
PYTHONPATH=$folder/packages python3 "$folder/ask.py" "$folder" 2>>"$folder/log" | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
fudgeo 1.5.10 | GDAL 3.12.4
at eight: 2026-06-02 08:00:00, 2026-06-02
at nine: 2026-06-02 09:00:00, 2026-06-02
at ten, UTC: 2026-06-02 10:00:00+00:00, 2026-06-02
at eleven, Berlin: 2026-06-02 11:00:00+02:00, 2026-06-02
the day after: 2026-06-03 08:00:00, 2026-06-03
columns: fid INTEGER, SHAPE POINT, name TEXT, stamp TIMESTAMP, at DATETIME, day DATE
GDAL: name, at, day
GDAL warns: Field format 'TIMESTAMP' not supported; geometry column 'stamp' of type 'TIMESTAMP' ignored; Non-conformant content for record 1 in column at
GDAL, at >= '2026-06-02T08:00:00Z': the day after
GDAL, at < '2026-06-02T08:30:00Z': at eight, at nine, at ten, UTC, at eleven, Berlin
GDAL, day = '2026-06-02': at eight, at nine, at ten, UTC, at eleven, Berlin
Etc/UTC: last_change lies 0 hours ahead
Asia/Tokyo: last_change lies 9 hours ahead
America/New_York: last_change lies -5 hours ahead
END_OF_FOUND
