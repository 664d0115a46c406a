#!/bin/sh
# An extract of OpenStreetMap is made smaller by osmium, in ways that its format has: GDAL reads it as an empty one.
#
# Guess: a reader of PBF knows each of the format's compressions, or says which one it lacks; nodes are read either way
# (https://wiki.openstreetmap.org/wiki/PBF_Format). Of ways that have their own coordinates only those readers have
# lines that know them.
# Found (osmium 4.3.2, GDAL 3.12.4 in pyogrio 0.13.0, pyrosm 0.25.0), of a village, two roads and a house:
# - Compressed by LZ4 (pbf_compression=lz4) GDAL has no feature in any layer, and no error. pyrosm says that it cannot
#   read the compression.
# - With nodes one by one (pbf_dense_nodes=false) each layer of GDAL is an error. pyrosm reads them.
# - With coordinates in the ways, and no node without tags, as `osmium add-locations-to-ways` writes, both have the
#   village alone, without an error. tilemaker 2.2 of Debian had all of them when it was tried.
# - Right: without compression, without metadata, ways before nodes, and numbers beyond 2^34.
# What follows: what cuts and compresses an extract keeps to zlib and dense nodes, and counts the features before they
# become tiles.
#
#   usage: findings/extract-of-fewer-bytes.sh     prints what is read; ends with 1 if it changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --only-binary :all: \
  --target "$folder/python" osmium==4.3.2 pyogrio==0.13.0 pyrosm==0.25.0 numpy==2.4.6
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import importlib.metadata, os, sys, warnings

import osmium, pyogrio, pyrosm
from osmium.osm.mutable import Node, Way

warnings.filterwarnings("ignore")
DAY = {"version": 1, "timestamp": "2026-01-01T00:00:00Z"}

def write(name, options="", order="nodes ways", first=0, located=False):
    path = os.path.join(sys.argv[1], name.replace(" ", "-") + ".osm.pbf")
    places = [(13, 52), (13.1, 52), (13.1, 52.1), (13, 52.1), (13.05, 52.05)]
    nodes = [Node(id=first + number, location=place, tags={"place": "village"} if number == 5 else {}, **DAY)
             for number, place in enumerate(places, 1)]
    ways = [Way(id=10 + number, nodes=[first + node for node in corners], tags=tags, **DAY)
            for number, (corners, tags) in enumerate([
                ((1, 2, 3), {"highway": "primary"}), ((3, 4), {"highway": "track"}),
                ((1, 2, 3, 4, 1), {"building": "yes"})])]
    with osmium.SimpleWriter(osmium.io.File(path, "pbf" + options)) as writer:
        for kind in order.split():
            for entity in {"nodes": nodes, "ways": ways}[kind]:
                (writer.add_node if kind == "nodes" else writer.add_way)(entity)
    return moved(path) if located else path

def moved(path):
    """Returns a copy with coordinates in the ways, and without nodes that have no tags."""
    result = path + ".osm.pbf"
    with osmium.SimpleWriter(osmium.io.File(result, "pbf,locations_on_ways=true")) as writer:
        for entity in osmium.FileProcessor(path).with_locations():
            if entity.is_way():
                writer.add_way(entity)
            elif entity.tags:
                writer.add_node(entity)
    return result

def by_gdal(path):
    try:
        return " ".join(str(len(pyogrio.raw.read(path, layer=layer)[2])) for layer in (
            "points", "lines", "multipolygons"))
    except pyogrio.errors.FeatureError:
        return "error"

def by_pyrosm(path):
    try:
        osm = pyrosm.OSM(path)
        found = [osm.get_data_by_custom_criteria({"place": True}), osm.get_network("all"), osm.get_buildings()]
        return " ".join(str(0 if part is None else len(part)) for part in found)
    except ValueError as error:
        return str(error).split(" ", 1)[1]

print("osmium", importlib.metadata.version("osmium"), "GDAL", pyogrio.__gdal_version_string__,
      "pyrosm", importlib.metadata.version("pyrosm"))
CASES = {
    "as it is": {}, "no compression": {"options": ",pbf_compression=none"},
    "no metadata": {"options": ",add_metadata=false"}, "ways before nodes": {"order": "ways nodes"},
    "numbers beyond 2^34": {"first": 1 << 34}, "LZ4": {"options": ",pbf_compression=lz4"},
    "nodes one by one": {"options": ",pbf_dense_nodes=false"}, "coordinates in ways": {"located": True},
}
for name, options in CASES.items():
    path = write(name, **options)
    print(f"{name}: GDAL {by_gdal(path)} | pyrosm {by_pyrosm(path)}")
END_OF_PYTHON
PYTHONPATH=$folder/python python3 "$folder/ask.py" "$folder" 2>"$folder/log" | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
osmium 4.3.2 GDAL 3.12.4 pyrosm 0.25.0
as it is: GDAL 1 2 1 | pyrosm 1 2 1
no compression: GDAL 1 2 1 | pyrosm 1 2 1
no metadata: GDAL 1 2 1 | pyrosm 1 2 1
ways before nodes: GDAL 1 2 1 | pyrosm 1 2 1
numbers beyond 2^34: GDAL 1 2 1 | pyrosm 1 2 1
LZ4: GDAL 0 0 0 | pyrosm uses a blob compression other than raw and zlib, which pyrosm does not read.
nodes one by one: GDAL error | pyrosm 1 2 1
coordinates in ways: GDAL 1 0 0 | pyrosm 1 0 0
END_OF_FOUND
