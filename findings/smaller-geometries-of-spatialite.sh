#!/bin/sh
# A SpatiaLite database is made smaller for an app, by SpatiaLite's own functions: half of its features are gone for
# Mapnik, and all points for GDAL.
#
# Guess: the forms that SpatiaLite has for geometries are read by whatever reads SpatiaLite: lines and polygons after
# CompressGeometry(), which came with version 2.4 in 2010
# (https://www.gaia-gis.it/gaia-sins/spatialite-sql-latest.html). TinyPoints came ten years later, and may be missing.
# Found (mod_spatialite 5.0.1 of Debian 12, Mapnik 4.3.2, GDAL 3.12.4 in pyogrio 0.13.0), without an error:
# - Mapnik has no feature whose geometry is compressed, and none with a TinyPoint, by its plugin for SQLite. The extent
#   of the layer is right, since the index has it.
# - GDAL has compressed lines and polygons, to 32 bits between their ends. The rows of TinyPoints are there without a
#   geometry, and where it is asked for an area they are not.
# - Right in both: geometries as they were. TinyPoints are on from EnableTinyPoint() on, for the connection.
# What follows: a database that others read keeps SpatiaLite's first form, or is a GeoPackage.
#
#   usage: findings/smaller-geometries-of-spatialite.sh     prints what is read; ends with 1 if it changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --only-binary :all: \
  --target "$folder/python" mapnik==4.3.2 pyogrio==0.13.0 numpy==2.4.6 apsw==3.54.1.0 2>"$folder/log"
export PYTHONPATH="$folder/python"
cat >"$folder/make.py" <<'END_OF_PYTHON'
import os, sys

import apsw

GEOMETRIES = {"point": "POINT(2 2)", "line": "LINESTRING(1.1 1.1, 2.2 2.2, 3.3 3.3)",
              "polygon": "POLYGON((1 1, 4 1, 4 4, 1 1))"}
for name in ("as they were", "compressed", "tiny points"):
    connection = apsw.Connection(os.path.join(sys.argv[1], name + ".sqlite"))
    connection.enable_load_extension(True)
    try:
        connection.load_extension("mod_spatialite")
    except apsw.ExtensionLoadingError:
        sys.exit(69)
    run = lambda sql, values=(): connection.execute(sql, values).fetchall()
    run("SELECT InitSpatialMetadata(1, 'WGS84')")
    if name == "tiny points":
        run("SELECT EnableTinyPoint()")
    for kind, text in GEOMETRIES.items():
        run(f"CREATE TABLE {kind} (id INTEGER PRIMARY KEY, name TEXT)")
        run("SELECT AddGeometryColumn(?, 'shape', 4326, ?, 'XY')", (kind, kind.replace("line", "linestring").upper()))
        run("SELECT CreateSpatialIndex(?, 'shape')", (kind,))
        run(f"INSERT INTO {kind} (name, shape) VALUES (?, GeomFromText(?, 4326))", (kind, text))
        if name == "compressed":
            run(f"UPDATE {kind} SET shape = CompressGeometry(shape)")
print("SpatiaLite", run("SELECT spatialite_version()")[0][0])
END_OF_PYTHON
cat >"$folder/read.py" <<'END_OF_PYTHON'
import os, sys

import mapnik, pyogrio

def by_mapnik(path, kind):
    source = mapnik.SQLite(file=path, table=kind, geometry_field="shape", key_field="id")
    box = source.envelope()
    return f"{len(list(source))}, extent {box.minx:.1f} to {box.maxx:.1f}"

def by_gdal(path, kind):
    geometries = pyogrio.raw.read(path, layer=kind)[2]
    area = pyogrio.raw.read(path, layer=kind, bbox=(0, 0, 5, 5))[2]
    return f"{len(geometries)}, with geometry {sum(one is not None for one in geometries)}, in the area {len(area)}"

print("GDAL", pyogrio.__gdal_version_string__)
for name in ("as they were", "compressed", "tiny points"):
    path = os.path.join(sys.argv[1], name + ".sqlite")
    for kind in ("point", "line", "polygon"):
        print(f"{name}, {kind}: Mapnik {by_mapnik(path, kind)} | GDAL {by_gdal(path, kind)}")
END_OF_PYTHON
python3 "$folder/make.py" "$folder" >"$folder/found" || { echo 'mod_spatialite is missing' >&2; exit 69; }
python3 "$folder/read.py" "$folder" >>"$folder/found" 2>>"$folder/log"
cat "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
SpatiaLite 5.0.1
GDAL 3.12.4
as they were, point: Mapnik 1, extent 2.0 to 2.0 | GDAL 1, with geometry 1, in the area 1
as they were, line: Mapnik 1, extent 1.1 to 3.3 | GDAL 1, with geometry 1, in the area 1
as they were, polygon: Mapnik 1, extent 1.0 to 4.0 | GDAL 1, with geometry 1, in the area 1
compressed, point: Mapnik 1, extent 2.0 to 2.0 | GDAL 1, with geometry 1, in the area 1
compressed, line: Mapnik 0, extent 1.1 to 3.3 | GDAL 1, with geometry 1, in the area 1
compressed, polygon: Mapnik 0, extent 1.0 to 4.0 | GDAL 1, with geometry 1, in the area 1
tiny points, point: Mapnik 0, extent 2.0 to 2.0 | GDAL 1, with geometry 0, in the area 0
tiny points, line: Mapnik 1, extent 1.1 to 3.3 | GDAL 1, with geometry 1, in the area 1
tiny points, polygon: Mapnik 1, extent 1.0 to 4.0 | GDAL 1, with geometry 1, in the area 1
END_OF_FOUND
