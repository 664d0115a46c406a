#!/bin/sh
# GeoJSON is imported into a GeoPackage by geopackage-toolkit: what GDAL opens has geometries of SpatiaLite, which other
# readers of GeoPackages do not know, and some features are not in it. Exported to GeoJSON, places are in meters.
#
# Guess: a tool for GeoPackages writes the standard's form of geometries, which begin with "GP", and its application_id
# (https://www.geopackage.org/spec131/#gpb_format); GeoJSON is in degrees (RFC 7946, section 4). What a column has no
# type for is a text, or an error.
# Found (geopackage-toolkit 0.4.2, SpatiaLite 5.0.1 of Debian 12, GDAL 3.12.4 in pyogrio 0.13.0), without an error:
# - Geometries of the new file are those of SpatiaLite, the application_id is 0, the layer is one of polygons although
#   its first feature is a point, and the bounds are NULL. GDAL reads it nevertheless, with warnings, and has no
#   coordinate system.
# - A feature with a list or an object among its properties, one with an integer beyond 64 bits, and one without a
#   geometry are left out; the number of those that were imported is all that is said.
# - The export of a layer in EPSG:25832 has 500000, 5800000 for a place at 9 degrees east, heights are left out, and
#   rows without a geometry are, too.
# - Right: attributes, integers of 64 bits, holes of polygons.
# What follows: a GeoPackage from a new tool is read by two others, and counted, before an app ships it.
#
#   usage: findings/geopackage-in-name-only.sh     prints both directions; ends with 1 if they change
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
toolkit=
for python in python3 /usr/bin/python3; do
  "$python" -c 'import sqlite3; c = sqlite3.connect(""); c.enable_load_extension(True)
c.load_extension("mod_spatialite")' 2>/dev/null && toolkit=$python && break
done
test -n "$toolkit" || { echo 'a python3 that can load mod_spatialite is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
install() {
  python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile \
    --only-binary :all: --target "$@" 2>>log
}
install toolkit --no-deps geopackage-toolkit==0.4.2
install reader pyogrio==0.13.0 numpy==2.4.6
cat >make.py <<'END_OF_PYTHON'
import json, struct

import numpy, pyogrio

SQUARE, HOLE = [[0, 0], [9, 0], [9, 9], [0, 9], [0, 0]], [[2, 2], [2, 4], [4, 4], [4, 2], [2, 2]]
FEATURES = [({"name": "quay", "number": 9007199254740993}, {"type": "Point", "coordinates": [1, 2]}),
            ({"name": "with a list", "number": [1, 2]}, {"type": "Point", "coordinates": [1, 2]}),
            ({"name": "with an object", "number": {"a": 1}}, {"type": "Point", "coordinates": [1, 2]}),
            ({"name": "beyond 64 bits", "number": 1 << 64}, {"type": "Point", "coordinates": [1, 2]}),
            ({"name": "without a place", "number": 5}, None),
            ({"name": "park", "number": 6}, {"type": "Polygon", "coordinates": [SQUARE, HOLE]})]
with open("in.geojson", "w") as file:
    features = [{"type": "Feature", "properties": properties, "geometry": geometry}
                for properties, geometry in FEATURES]
    json.dump({"type": "FeatureCollection", "features": features}, file)
points = [struct.pack("<BIddd", 1, 1001, 500000, 5800000, 30), None]
pyogrio.raw.write("made.gpkg", numpy.array(points, dtype=object), [numpy.array(["hill", "unknown"], dtype=object)],
                  ["name"], driver="GPKG", layer="stop", geometry_type="Point Z", crs="EPSG:25832")
END_OF_PYTHON
cat >show.py <<'END_OF_PYTHON'
import json, sqlite3, warnings

import pyogrio

database = sqlite3.connect("new.gpkg")
print("application_id", database.execute("PRAGMA application_id").fetchone()[0], "| layer",
      database.execute("SELECT geometry_type_name FROM gpkg_geometry_columns").fetchone()[0], "| bounds",
      database.execute("SELECT min_x FROM gpkg_contents").fetchone()[0])
for name, number, start in database.execute("SELECT name, number, hex(substr(geom, 1, 2)) FROM stop"):
    print(f"  {name} {number}: geometry begins with {start}")
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    info, _, geometries, _ = pyogrio.raw.read("new.gpkg", layer="stop")
print("GDAL", pyogrio.__gdal_version_string__ + ":", len(geometries), "features, system", info["crs"])
with open("out.geojson") as file:
    for feature in json.load(file)["features"]:
        print("exported:", feature["properties"]["name"], feature["geometry"]["coordinates"])
END_OF_PYTHON
PYTHONPATH=reader python3 make.py
{
  PYTHONPATH=toolkit "$toolkit" toolkit/bin/geopkg import in.geojson --output new.gpkg --layer stop | cut -d '(' -f 1
  PYTHONPATH=toolkit "$toolkit" toolkit/bin/geopkg export made.gpkg --layer stop --format geojson \
    --output out.geojson | cut -d '(' -f 1
  PYTHONPATH=reader python3 show.py
} >found 2>>log
cat found
diff - found <<'END_OF_FOUND'
Imported 2 features into new.gpkg -> stop 
Exported 1 features to out.geojson 
application_id 0 | layer POLYGON | bounds None
  quay 9007199254740993: geometry begins with 0001
  park 6: geometry begins with 0001
GDAL 3.12.4: 2 features, system None
exported: hill [500000.0, 5800000.0]
END_OF_FOUND
