#!/bin/sh
# MapProxy seeds a map into MBTiles and into a GeoPackage by the same grid: one of the two is upside down, and which one
# depends on the grid.
#
# Guess: rows count from the south in MBTiles and from the north in a GeoPackage, as both formats say; the grid's origin
# is for URLs and services, and what is written is turned as the format needs it. A grid that does not fit is refused.
# Found (MapProxy 7.0.0, and what GDAL 3.10.3 in rasterio 1.4.4 reads), without an error:
# - Rows are written as the grid counts them. By GLOBAL_MERCATOR, which is taken where no grid is named, MBTiles is
#   right, and the GeoPackage has the south in the north. By GLOBAL_WEBMERCATOR it is the other way round.
# - MapProxy itself reads both as it wrote them, so that its own maps are right.
# - The metadata of the MBTiles file has no row: no name, format, bounds or levels.
# What follows: who seeds for an app writes MBTiles by a grid of origin sw, GeoPackages by one of origin nw, and looks
# at one tile of the north; `map check` cannot see it.
#
#   usage: findings/one-grid-for-two-containers.sh     prints what lies where; ends with 1 if it changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --only-binary :all: \
  --target "$folder/python" MapProxy==7.0.0 rasterio==1.4.4
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import contextlib, http.server, io, json, os, sqlite3, sys, threading, warnings

import rasterio
from PIL import Image
from mapproxy.seed.script import main as seed_caches

warnings.simplefilter("ignore")
folder = sys.argv[1]
COLORS = {"north": (250, 0, 0), "south": (0, 0, 250)}

class Tiles(http.server.BaseHTTPRequestHandler):
    """A server of tiles as all are, z/x/y from the north, red where it is north of the equator."""
    def do_GET(self):
        z, _, y = (int(part) for part in self.path[1:].removesuffix(".png").split("/"))
        image, file = Image.new("RGB", (256, 256), COLORS["south"]), io.BytesIO()
        north = min(max(0, (128 << z) - 256 * y), 256)
        image.paste(COLORS["north"], (0, 0, 256, north))
        image.save(file, "PNG")
        self.send_response(200)
        self.send_header("Content-Type", "image/png")
        self.send_header("Content-Length", str(file.tell()))
        self.end_headers()
        self.wfile.write(file.getvalue())

    def log_message(self, *arguments):
        pass

server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Tiles)
threading.Thread(target=server.serve_forever, daemon=True).start()

def seed(name, grid, cache):
    path = os.path.join(folder, name)
    url = f"http://127.0.0.1:{server.server_port}/%(z)s/%(x)s/%(y)s.png"
    settings = {
        "services": {"tms": {}}, "grids": {"web": {"base": "GLOBAL_WEBMERCATOR"}},
        "sources": {"world": {"type": "tile", "url": url, "grid": "web"}},
        "caches": {"c": {"sources": ["world"], "format": "image/png", "cache": {**cache, "filename": path}}},
        "layers": [{"name": "c", "title": "c", "sources": ["c"]}],
    }
    if grid:
        settings["caches"]["c"]["grids"] = [grid]
    for file, content in {"map": settings, "seed": {"seeds": {"s": {"caches": ["c"], "levels": {"to": 2}}}}}.items():
        with open(os.path.join(folder, file + ".yaml"), "w") as out:
            json.dump(content, out)
    files = [os.path.join(folder, file + ".yaml") for file in ["map", "seed"]]
    sys.argv = ["seed", "-f", files[0], "-s", files[1], "-c", "1", "-q"]
    with contextlib.redirect_stdout(sys.stderr):
        seed_caches()
    return path

def colors(path):
    with rasterio.open(path) as file:
        places = [(1_000_000, 15_000_000), (1_000_000, -15_000_000)]
        values = [tuple(int(value) for value in bands[:3]) for bands in file.sample(places)]
    names = {color: name for name, color in COLORS.items()}
    return ", ".join(names.get(value, str(value)) for value in values)

for grid in [None, "GLOBAL_MERCATOR", "GLOBAL_WEBMERCATOR"]:
    tiles = seed(f"{grid}.mbtiles", grid, {"type": "mbtiles"})
    package = seed(f"{grid}.gpkg", grid, {"type": "geopackage", "table_name": "tiles"})
    rows = sqlite3.connect(tiles).execute("SELECT count(*) FROM metadata").fetchone()[0]
    print(f"{grid or 'no grid'}: north and south in the MBTiles: {colors(tiles)}; "
          f"in the GeoPackage: {colors(package)}; {rows} rows of metadata")
END_OF_PYTHON
PYTHONPATH=$folder/python python3 "$folder/ask.py" "$folder" 2>"$folder/log" >"$folder/found" \
  || { cat "$folder/log"; exit 70; }
cat "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
no grid: north and south in the MBTiles: north, south; in the GeoPackage: south, north; 0 rows of metadata
GLOBAL_MERCATOR: north and south in the MBTiles: north, south; in the GeoPackage: south, north; 0 rows of metadata
GLOBAL_WEBMERCATOR: north and south in the MBTiles: south, north; in the GeoPackage: north, south; 0 rows of metadata
END_OF_FOUND
