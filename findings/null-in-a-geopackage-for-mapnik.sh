#!/bin/sh
# A GeoPackage and a GeoJSON file with the same rows are two different maps in Mapnik: a missing number is 0 in one.
#
# Guess: NULL is null, whatever file it comes from, and a rule for 0 draws what is 0.
# Found (mapnik 4.3.2, files by GDAL 3.12.4 in pyogrio 0.13.0), without an error:
# - Through its plugin for OGR a missing integer is 0 and a missing real number 0.0: the rule [depth] = 0 draws the row
#   without a depth, and [depth] = null none. In GeoJSON it is the other way round.
# - The row with the fid 1 is the feature 2 there, and a time is missing altogether.
# - Its plugin for SQLite finds no row in the GeoPackage, and all of them in a SQLite file of GDAL, NULL included.
# - Right in each: integers of 53 bits, texts, and 0.
# What follows: a layer with gaps goes to Mapnik as GeoJSON, or says -1 for them.
#
#   usage: findings/null-in-a-geopackage-for-mapnik.sh     prints the rows; ends with 1 if they change
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --only-binary :all: \
  --target "$folder/python" mapnik==4.3.2 pyogrio==0.13.0 numpy==2.4.6
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import os, struct, sys

import mapnik, numpy, pyogrio

folder = sys.argv[1]
points = numpy.array([struct.pack("<BIdd", 1, 1, place, place) for place in (1.0, 2.0)], dtype=object)
columns = {
    "depth": numpy.array([7, 0]), "length": numpy.array([0.5, numpy.nan]),
    "made": numpy.array(["2026-01-03T04:05:06"] * 2, "datetime64[ms]"), "size": numpy.array([9007199254740993, 0]),
}
for name, driver in [("a.gpkg", "GPKG"), ("a.sqlite", "SQLite"), ("a.geojson", "GeoJSON")]:
    pyogrio.raw.write(os.path.join(folder, name), points, list(columns.values()), list(columns), driver=driver,
                      layer="a", geometry_type="Point", crs="EPSG:4326",
                      field_mask=[numpy.array([False, True]), None, None, None])
SOURCES = {
    "GeoJSON": {"type": "geojson", "file": "a.geojson"},
    "GeoPackage by OGR": {"type": "ogr", "file": "a.gpkg", "layer": "a"},
    "GeoPackage by SQLite": {"type": "sqlite", "file": "a.gpkg", "table": "a", "key_field": "fid",
                             "geometry_field": "geom"},
    "SQLite file by SQLite": {"type": "sqlite", "file": "a.sqlite", "table": "a", "key_field": "ogc_fid",
                             "geometry_field": "GEOMETRY"},
}

def picture(source, rule):
    place = mapnik.Map(64, 64, "epsg:4326")
    parameters = "".join(f'<Parameter name="{name}">{value}</Parameter>' for name, value in source.items())
    mapnik.load_map_from_string(place, f"""<Map srs="epsg:4326" background-color="white"><Style name="s"><Rule>
      <Filter>{rule}</Filter><MarkersSymbolizer fill="red" allow-overlap="true"/></Rule></Style>
      <Layer name="l" srs="epsg:4326"><StyleName>s</StyleName><Datasource>{parameters}</Datasource></Layer></Map>""")
    place.zoom_to_box(mapnik.Box2d(1, 1, 3, 3))
    image = mapnik.Image(64, 64)
    mapnik.render(place, image)
    image.save(os.path.join(folder, "a.png"), "png")
    with open(os.path.join(folder, "a.png"), "rb") as file:
        return file.read()

print("Mapnik 4.3.2, GDAL", pyogrio.__gdal_version_string__)
for name, source in SOURCES.items():
    source = source | {"file": os.path.join(folder, source["file"])}
    for feature in mapnik.Datasource(**source):
        print(f"{name}, {feature.id()}:", *[f"{key} {feature.attributes[key]!r}" for key in columns])
    drawn = [rule for rule in ("[depth] = 0", "[depth] = null") if picture(source, rule) != picture(source, "false")]
    print(f"{name}: drawn by {' and '.join(drawn) or 'no rule'}")
END_OF_PYTHON
PYTHONPATH=$folder/python python3 "$folder/ask.py" "$folder" | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
Mapnik 4.3.2, GDAL 3.12.4
GeoJSON, 1: depth 7 length 0.5 made '2026-01-03T04:05:06' size 9007199254740993
GeoJSON, 2: depth None length None made '2026-01-03T04:05:06' size 0
GeoJSON: drawn by [depth] = null
GeoPackage by OGR, 2: depth 7 length 0.5 made None size 9007199254740993
GeoPackage by OGR, 3: depth 0 length 0.0 made None size 0
GeoPackage by OGR: drawn by [depth] = 0
GeoPackage by SQLite: drawn by no rule
SQLite file by SQLite, 1: depth 7 length 0.5 made '2026-01-03T04:05:06' size 9007199254740993
SQLite file by SQLite, 2: depth None length None made '2026-01-03T04:05:06' size 0
SQLite file by SQLite: drawn by [depth] = null
END_OF_FOUND
