#!/bin/sh
# Of a tileset in the format MLT, features with a boolean property are not drawn by MapLibre Native, without an error.
#
# Guess: an engine draws what it can decode, and ends with an error else, as it does for a broken vector tile in MVT.
# Found (freestiler 0.3.0, mapli 0.4.1), of the same features written as MVT and as MLT:
# - With a boolean column nothing is drawn of one feature, of two or of eight, and nothing of a hundred that are all
#   true; of a hundred that alternate there is a picture.
# - Without it, and with integers, reals, texts and missing texts, both are drawn.
# What follows: `map check` warns of MLT; who writes it looks at each layer with the engine, or writes 0 and 1.
#
#   usage: findings/mlt-with-a-boolean-column.sh     prints what is drawn; ends with 1 if one of the results changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: \
  freestiler==0.3.0 geopandas==1.2.0 shapely==2.2.0 mapli==0.4.1
cat >"$folder/ask.py" <<'END'
import json, os, sys
import freestiler, geopandas, mapli, shapely

def draw(path=None):
    sources = {"s": {"type": "vector", "url": "pmtiles://file://" + path}} if path else {}
    layer = {"id": "a", "type": "circle", "source": "s", "source-layer": "a", "paint": {"circle-radius": 9}}
    pool = mapli.RenderPool()
    pool.register_style("a", json=json.dumps({"version": 8, "sources": sources, "layers": [layer] if path else []}))
    return pool.render("a", lon=0, lat=0, zoom=1, width=256, height=256)

def ask(label, count, columns):
    places = [shapely.Point(number % 20 * 4 - 40, number // 20 * 4) for number in range(count)]
    frame = geopandas.GeoDataFrame(columns, geometry=places, crs=4326)
    results = []
    for kind in ["mvt", "mlt"]:
        path = os.path.join(sys.argv[1], f"{label} {count} {kind}.pmtiles".replace(" ", "-"))
        freestiler.freestile(frame, path, layer_name="a", tile_format=kind, max_zoom=1, quiet=True)
        results.append(f"{kind} {'drawn' if draw(path) != draw() else 'nothing'}")
    print(label, count, "|", ", ".join(results))

for count in [1, 2, 8]:
    ask("no column", count, {})
    ask("true", count, {"open": [True] * count})
ask("integer", 2, {"number": [1, 2]})
ask("real", 2, {"number": [0.5, 2.5]})
ask("text", 2, {"name": ["Quay", "Mill"]})
ask("text or none", 2, {"name": ["Quay", None]})
ask("false", 2, {"open": [False] * 2})
ask("true", 100, {"open": [True] * 100})
ask("alternating", 100, {"open": [number % 2 == 0 for number in range(100)]})
END
EGL_PLATFORM=surfaceless "$folder/python/bin/python" "$folder/ask.py" "$folder" 2>/dev/null | tee "$folder/found"
diff - "$folder/found" <<'END'
no column 1 | mvt drawn, mlt drawn
true 1 | mvt drawn, mlt nothing
no column 2 | mvt drawn, mlt drawn
true 2 | mvt drawn, mlt nothing
no column 8 | mvt drawn, mlt drawn
true 8 | mvt drawn, mlt nothing
integer 2 | mvt drawn, mlt drawn
real 2 | mvt drawn, mlt drawn
text 2 | mvt drawn, mlt drawn
text or none 2 | mvt drawn, mlt drawn
false 2 | mvt drawn, mlt nothing
true 100 | mvt drawn, mlt nothing
alternating 100 | mvt drawn, mlt drawn
END
