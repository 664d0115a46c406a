#!/bin/sh
# A map clusters the stops of a country and writes their number on each cluster: from ten thousand stops on MapLibre
# Native writes 10.000000k, and where one stop has no number of departures, the cluster has no sum of them.
#
# Guess: point_count_abbreviated is short, "2.3k" or "12k", as in the JavaScript library and its documentation
# (https://maplibre.org/maplibre-style-spec/sources/#cluster); a sum by clusterProperties passes over a point whose
# value is missing, or each such point counts as 0, wherever it is in the file.
# Found (mapli 0.4.1), without an error:
# - From 1,000 to 9,999 points the text has one digit behind the point, 1.0k, and from 10,000 on six of them.
# - One point whose value is null or missing makes the sum null, and so the largest value, at whatever place; a text in
#   place of a number does, too. If the point has no property at all, the sum is that of the others, or null, depending
#   on its place in the file.
# - Right: sums and counts where each point has a value, coalesce, number with a default and case in the sum.
# What follows: a style computes the text from point_count, and each sum has ["coalesce", ["get", …], 0].
#
#   usage: findings/ten-thousand-points-in-a-cluster.sh     prints texts and sums; ends with 1 if one of them changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import importlib.metadata, json

import mapli

pool = mapli.RenderPool()
count = 0

def draw(sources, layers):
    global count
    count += 1
    pool.register_style(str(count), json=json.dumps({"version": 8, "sources": sources, "layers": layers}))
    return pool.render(str(count), lon=0, lat=0, zoom=0, width=16, height=16)

EMPTY = draw({}, [])

def clusters(points, **properties):
    return {"type": "geojson", "cluster": True, "clusterProperties": properties, "data": {
        "type": "FeatureCollection", "features": [
            {"type": "Feature", "properties": point, "geometry": {"type": "Point", "coordinates": [number / 1000, 0]}}
            for number, point in enumerate(points)]}}

def is_true(source, condition):
    return draw({"s": source}, [{"id": "a", "type": "circle", "source": "s", "paint": {"circle-radius": 9},
                                 "filter": ["all", ["has", "point_count"], condition]}]) != EMPTY

def text(source, name):
    found = ""
    while True:
        for character in "0123456789.k":
            if is_true(source, ["==", ["slice", ["get", name], len(found), len(found) + 1], character]):
                found += character
                break
        else:
            return found

def value(source):
    return [number for number in (None, *range(16)) if is_true(source, ["==", ["get", "sum"], number])]

print("mapli", importlib.metadata.version("mapli"))
for number in (999, 1000, 9940, 10000, 12345):
    source = clusters([{}] * number)
    assert is_true(source, ["==", ["get", "point_count"], number])
    print(number, "is", text(source, "point_count_abbreviated"))
SUM, MAXIMUM = ["+", ["get", "calls"]], ["max", ["get", "calls"]]
print("each with a value:", *value(clusters([{"calls": number} for number in (1, 2, 3, 4)], sum=SUM)))
for what, other in [("null", {"calls": None}), ("missing", {"name": "Quay"}), ("a text", {"calls": "5"}),
                    ("no property", {}), ("0", {"calls": 0})]:
    sums, maxima = [], []
    for place in range(5):
        points = [{"calls": number} for number in (1, 2, 3, 4)]
        points.insert(place, other)
        sums += value(clusters(points, sum=SUM))
        maxima += value(clusters(points, sum=MAXIMUM))
    print(f"{what}, at each of five places: sums", *sums, "| maxima", *maxima)
points = [{"calls": 1}, {"name": "Quay"}, {"calls": 3}]
for expression in (["coalesce", ["get", "calls"], 0], ["number", ["get", "calls"], 0],
                   ["case", ["has", "calls"], ["get", "calls"], 0]):
    print(json.dumps(expression), *value(clusters(points, sum=["+", expression])))
END_OF_PYTHON
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --no-deps \
  --only-binary :all: --target "$folder/packages" mapli==0.4.1 2>"$folder/log"
EGL_PLATFORM=surfaceless PYTHONPATH=$folder/packages python3 "$folder/ask.py" 2>"$folder/log" | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
mapli 0.4.1
999 is 999
1000 is 1.0k
9940 is 9.9k
10000 is 10.000000k
12345 is 12.345000k
each with a value: 10
null, at each of five places: sums None None None None None | maxima None None None None None
missing, at each of five places: sums None None None None None | maxima None None None None None
a text, at each of five places: sums None None None None None | maxima None None None None None
no property, at each of five places: sums None 10 None 10 10 | maxima None 4 None 4 4
0, at each of five places: sums 10 10 10 10 10 | maxima 4 4 4 4 4
["coalesce", ["get", "calls"], 0] 4
["number", ["get", "calls"], 0] 4
["case", ["has", "calls"], ["get", "calls"], 0] 4
END_OF_FOUND
