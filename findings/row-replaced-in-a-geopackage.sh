#!/bin/sh
# An app replaces a row of a GeoPackage, by INSERT OR REPLACE: for GDAL there is one row more, and the layer is larger.
#
# Guess: the triggers that GDAL puts in the file keep its count and its spatial index as the rows are, or else GDAL
# counts where it is forced to.
# Found (GDAL 3.12.4 in pyogrio 0.13.0, Python's sqlite3), of three rows, one of which is replaced by its unique code:
# - SQLite fires no trigger for the row that has to go, unless PRAGMA recursive_triggers is on: the count that GDAL
#   keeps says 4, and the R*Tree has a box where nothing is any more.
# - GDAL says 4, also with force_feature_count, and for count(*) in its own SQL. It reads three rows, and none at the
#   old place.
# - Right: ON CONFLICT DO UPDATE, and INSERT OR REPLACE with recursive_triggers; but the bounds of the layer are those
#   of before in each of them, also with force_total_bounds.
# What follows: rows of a GeoPackage are upserted, or the connection sets recursive_triggers; who compares a download by
# its number of rows asks SQLite.
#
#   usage: findings/row-replaced-in-a-geopackage.sh     prints the counts; ends with 1 if one of them changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --only-binary :all: \
  --target "$folder/python" pyogrio==0.13.0 numpy==2.4.6
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import os, sqlite3, struct, sys

import numpy, pyogrio

def boundary(place):
    # What GDAL's triggers ask of a point: both its x and its y are at the end of the geometry.
    return lambda geometry: struct.unpack("<dd", geometry[-16:])[place]

def ask(number, name, pragma, sql):
    path = os.path.join(sys.argv[1], f"{number}.gpkg")
    points = numpy.array([struct.pack("<BIdd", 1, 1, place, place) for place in (1.0, 2.0, 3.0)], dtype=object)
    pyogrio.raw.write(path, points, [numpy.array(["a", "b", "c"], dtype=object)], ["code"], driver="GPKG", layer="stop",
                      geometry_type="Point", crs="EPSG:4326", geometry_name="geom")
    app = sqlite3.connect(path)
    for function, place in [("ST_MinX", 0), ("ST_MaxX", 0), ("ST_MinY", 1), ("ST_MaxY", 1)]:
        app.create_function(function, 1, boundary(place))
    app.create_function("ST_IsEmpty", 1, lambda geometry: 0)
    app.execute(pragma)
    app.execute("CREATE UNIQUE INDEX stop_code ON stop (code)")
    app.execute(sql)
    app.commit()
    rows = app.execute("SELECT count(*) FROM stop").fetchone()[0]
    boxes = app.execute("SELECT count(*) FROM rtree_stop_geom").fetchone()[0]
    app.close()
    info = pyogrio.read_info(path, layer="stop", force_feature_count=True, force_total_bounds=True)
    counted = pyogrio.raw.read(path, sql="SELECT count(*) AS n FROM stop", sql_dialect="OGRSQL")[3][0][0]
    read = len(pyogrio.raw.read(path, layer="stop")[2])
    old = len(pyogrio.raw.read(path, layer="stop", bbox=(0.5, 0.5, 1.5, 1.5))[2])
    print(f"{name}: {rows} rows, {boxes} boxes; GDAL says {info['features']}, counts {counted}, reads {read},",
          "from", *[f"{bound:g}" for bound in info["total_bounds"][:2]], f"on; at the old place {old}")

print("GDAL", pyogrio.__gdal_version_string__)
PLACE = "(SELECT geom FROM stop WHERE code = 'c')"
REPLACE = f"INSERT OR REPLACE INTO stop (geom, code) SELECT {PLACE}, 'a'"
UPSERT = f"""INSERT INTO stop (geom, code) SELECT {PLACE}, 'a' WHERE true
  ON CONFLICT (code) DO UPDATE SET geom = excluded.geom"""
for number, question in enumerate([
    ("INSERT OR REPLACE", "PRAGMA recursive_triggers = OFF", REPLACE),
    ("with recursive_triggers", "PRAGMA recursive_triggers = ON", REPLACE),
    ("ON CONFLICT DO UPDATE", "PRAGMA recursive_triggers = OFF", UPSERT),
]):
    ask(number, *question)
END_OF_PYTHON
PYTHONPATH=$folder/python python3 "$folder/ask.py" "$folder" | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
GDAL 3.12.4
INSERT OR REPLACE: 3 rows, 4 boxes; GDAL says 4, counts 4, reads 3, from 1 1 on; at the old place 0
with recursive_triggers: 3 rows, 3 boxes; GDAL says 3, counts 3, reads 3, from 1 1 on; at the old place 0
ON CONFLICT DO UPDATE: 3 rows, 3 boxes; GDAL says 3, counts 3, reads 3, from 1 1 on; at the old place 0
END_OF_FOUND
