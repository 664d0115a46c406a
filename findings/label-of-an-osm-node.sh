#!/bin/sh
# A map's labels show the ids of nodes of OpenStreetMap, or instants in milliseconds, which a style makes texts of:
# MapLibre Native writes -2147483648 for each of them.
#
# Guess: to-string writes a number as JavaScript does, 12000000000 and 1e+21, as the style's specification has it
# (https://maplibre.org/maplibre-style-spec/expressions/#to-string), from whatever source it comes.
# Found (mapli 0.4.1, on x86-64), of GeoJSON and of a tile, without an error:
# - A whole number of 2147483648 or more, or below -2147483648, is "-2147483648" in to-string and concat, whether it was
#   written as an integer or as a real number: all such labels are the same, and to-number of the text is that number.
# - One with a fraction is right, 12000000000.25, and so is what is compared as a number, up to 2^53.
# - number-format without digits behind the point has it right.
# What follows: ids are texts in the tiles, or the style has ["number-format", …] in place of to-string; `map check`
# cannot see it, as it depends on the values.
#
#   usage: findings/label-of-an-osm-node.sh     prints the texts; ends with 1 if one of them changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import importlib.metadata, json, os, sqlite3, sys

import mapbox_vector_tile, mapli

pool = mapli.RenderPool()
count = 0

def draw(sources, layers):
    global count
    count += 1
    pool.register_style(str(count), json=json.dumps({"version": 8, "sources": sources, "layers": layers}))
    return pool.render(str(count), lon=10, lat=10, zoom=0, width=16, height=16)

EMPTY = draw({}, [])
SQUARE = [[-90, -60], [90, -60], [90, 60], [-90, 60], [-90, -60]]

def geojson(value):
    return {"type": "geojson", "data": {"type": "Feature", "properties": {"value": value},
                                        "geometry": {"type": "Polygon", "coordinates": [SQUARE]}}}

def tileset(value):
    path = os.path.join(sys.argv[1], f"{count}.mbtiles")
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE metadata (name, value)")
        database.executemany("INSERT INTO metadata VALUES (?, ?)", [
            ("name", "nodes"), ("format", "pbf"), ("minzoom", "0"), ("maxzoom", "0")])
        database.execute("CREATE TABLE tiles (zoom_level, tile_column, tile_row, tile_data)")
        tile = mapbox_vector_tile.encode([{"name": "nodes", "features": [
            {"geometry": "POLYGON((0 0,4096 0,4096 4096,0 4096,0 0))", "properties": {"value": value}}]}])
        database.execute("INSERT INTO tiles VALUES (0, 0, 0, ?)", [tile])
    database.close()
    return {"type": "vector", "url": "mbtiles://" + path}

def is_true(source, condition):
    layer = {"id": "a", "type": "fill", "source": "s", "filter": condition, "paint": {"fill-color": "#000"}}
    if source["type"] == "vector":
        layer["source-layer"] = "nodes"
    return draw({"s": source}, [layer]) != EMPTY

def text(source, expression):
    found = ""
    while True:
        for character in "0123456789-.,e+":
            if is_true(source, ["==", ["slice", expression, len(found), len(found) + 1], character]):
                found += character
                break
        else:
            return found

VALUE = ["get", "value"]
print("mapli", importlib.metadata.version("mapli"))
for value in (2147483647, 2147483648, 12000000000, 12000000000.25, 1767225600000, -2147483649):
    for source in (geojson(value), tileset(value)):
        print(f"{value} in {source['type']}: to-string {text(source, ['to-string', VALUE])},"
              f" concat {text(source, ['concat', '', VALUE])},",
              "the same number" if is_true(source, ["==", VALUE, value]) else "ANOTHER NUMBER")
source = geojson(12000000000)
print("number-format", text(source, ["number-format", VALUE, {"locale": "en", "max-fraction-digits": 0}]))
print("to-number of the text:", [number for number in (12000000000, -2147483648)
                                 if is_true(source, ["==", ["to-number", ["to-string", VALUE]], number])])
END_OF_PYTHON
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --only-binary :all: \
  --target "$folder/packages" mapli==0.4.1 mapbox-vector-tile==2.2.0 protobuf==6.33.6 pyclipper==1.4.0 shapely==2.2.0 \
  numpy==2.4.6 2>"$folder/log"
EGL_PLATFORM=surfaceless PYTHONPATH=$folder/packages python3 "$folder/ask.py" "$folder" 2>"$folder/log" |
  tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
mapli 0.4.1
2147483647 in geojson: to-string 2147483647, concat 2147483647, the same number
2147483647 in vector: to-string 2147483647, concat 2147483647, the same number
2147483648 in geojson: to-string -2147483648, concat -2147483648, the same number
2147483648 in vector: to-string -2147483648, concat -2147483648, the same number
12000000000 in geojson: to-string -2147483648, concat -2147483648, the same number
12000000000 in vector: to-string -2147483648, concat -2147483648, the same number
12000000000.25 in geojson: to-string 12000000000.25, concat 12000000000.25, the same number
12000000000.25 in vector: to-string 12000000000.25, concat 12000000000.25, the same number
1767225600000 in geojson: to-string -2147483648, concat -2147483648, the same number
1767225600000 in vector: to-string -2147483648, concat -2147483648, the same number
-2147483649 in geojson: to-string -2147483648, concat -2147483648, the same number
-2147483649 in vector: to-string -2147483648, concat -2147483648, the same number
number-format 12,000,000,000
to-number of the text: [-2147483648]
END_OF_FOUND
