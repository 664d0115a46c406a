#!/bin/sh
# The stops of a line are one feature of GeoJSON, a MultiPoint, and are cut into tiles by geojson2vt: the map of the
# country has none of them, and they come up one by one as one zooms in. Two ferries over the antimeridian end there.
#
# Guess: a port of geojson-vt to Python has the tiles of the original: a MultiPoint is in each tile in which it has a
# point, with the points there, and what crosses the antimeridian is on both sides, as RFC 7946 has it in parts.
# Found (geojson2vt 1.0.1), without an error or a warning:
# - A tile has no MultiPoint, also not one of a single point. Where a cut leaves one point, it is a Point, and there.
# - A MultiLineString of two parts or more that goes beyond 180 degrees is on the side where it begins. A LineString, a
#   Polygon and a MultiPolygon are on both sides.
# - A feature without an id has none; a number is a text, so that id 7 in a tile is "7", which a filter of a style
#   compares with 7 in vain. generateId counts from "0".
# - Right: points, and holes.
# What follows: stops are given to it as points, and ferries as lines; ids are made numbers again before tiles are
# encoded.
#
#   usage: findings/stops-of-one-line-by-geojson2vt.sh     prints the tiles; ends with 1 if one of them changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import importlib.metadata, math

from geojson2vt.geojson2vt import geojson2vt

KINDS = {1: "points", 2: "lines", 3: "areas"}
STOPS = [[13.4, 52.5], [13.5, 52.4], [16.9, 52.4]]
FERRY = [[170, 10], [190, 10]]
AREA = [[[170, 10], [190, 10], [190, 20], [170, 20], [170, 10]],
        [[175, 12], [175, 18], [185, 18], [185, 12], [175, 12]]]

def tile_of(place, zoom):
    latitude = math.radians(place[1])
    return (zoom, int((place[0] + 180) / 360 * 2**zoom),
            int((1 - math.asinh(math.tan(latitude)) / math.pi) / 2 * 2**zoom))

def ask(name, kind, coordinates, tiles, identifier=7, **options):
    feature = {"type": "Feature", "properties": None, "geometry": {"type": kind, "coordinates": coordinates}}
    if identifier is not None:
        feature["id"] = identifier
    index = geojson2vt({"type": "FeatureCollection", "features": [feature]}, {"indexMaxPoints": 0, **options})
    found = []
    for tile in tiles:
        features = (index.get_tile(*tile) or {"features": []})["features"]
        said = [f"{len(part['geometry'])} {KINDS[part['type']]} with id {part.get('id')!r}" for part in features]
        found.append("/".join(map(str, tile)) + " " + (", ".join(said) or "nothing"))
    print(f"{name}: {'; '.join(found)}")

print("geojson2vt", importlib.metadata.version("geojson2vt"))
for zoom in (0, 5, 7, 9, 10):
    tiles = sorted({tile_of(stop, zoom) for stop in STOPS})
    ask(f"MultiPoint of 3, zoom {zoom}", "MultiPoint", STOPS, tiles)
ask("MultiPoint of 1", "MultiPoint", STOPS[:1], [(0, 0, 0), tile_of(STOPS[0], 14)])
ask("Point", "Point", STOPS[0], [(0, 0, 0), tile_of(STOPS[0], 14)])
SIDES = [(1, 1, 0), (1, 0, 0)]
ask("MultiLineString across", "MultiLineString", [FERRY], SIDES)
ask("MultiLineString of 2 across", "MultiLineString", [FERRY, [[170, 20], [190, 20]]], SIDES)
ask("LineString across", "LineString", FERRY, SIDES)
ask("Polygon with a hole across", "Polygon", AREA, SIDES)
ask("MultiPolygon across", "MultiPolygon", [AREA], SIDES)
ask("without an id", "Point", STOPS[0], [(0, 0, 0)], None)
ask("generateId", "Point", STOPS[0], [(0, 0, 0)], generateId=True)
END_OF_PYTHON
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --no-deps \
  --target "$folder/packages" geojson2vt==1.0.1
PYTHONPATH=$folder/packages python3 "$folder/ask.py" | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
geojson2vt 1.0.1
MultiPoint of 3, zoom 0: 0/0/0 nothing
MultiPoint of 3, zoom 5: 5/17/10 nothing
MultiPoint of 3, zoom 7: 7/68/41 1 points with id '7'; 7/68/42 nothing; 7/70/42 1 points with id '7'
MultiPoint of 3, zoom 9: 9/275/167 1 points with id '7'; 9/275/168 1 points with id '7'; 9/280/168 1 points with id '7'
MultiPoint of 3, zoom 10: 10/550/335 1 points with id '7'; 10/550/336 1 points with id '7'; 10/560/336 1 points with id '7'
MultiPoint of 1: 0/0/0 nothing; 14/8801/5374 nothing
Point: 0/0/0 1 points with id '7'; 14/8801/5374 1 points with id '7'
MultiLineString across: 1/1/0 1 lines with id '7'; 1/0/0 1 lines with id '7'
MultiLineString of 2 across: 1/1/0 2 lines with id '7'; 1/0/0 nothing
LineString across: 1/1/0 1 lines with id '7'; 1/0/0 1 lines with id '7'
Polygon with a hole across: 1/1/0 2 areas with id '7'; 1/0/0 2 areas with id '7'
MultiPolygon across: 1/1/0 2 areas with id '7'; 1/0/0 2 areas with id '7'
without an id: 0/0/0 1 points with id None
generateId: 0/0/0 1 points with id '0'
END_OF_FOUND
