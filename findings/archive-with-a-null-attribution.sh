#!/bin/sh
# What rio-pmtiles writes without --attribution is refused by MapLibre Native, tiles and all.
#
# Guess: a member of the metadata that is null counts as absent, as in TileJSON's optional members.
# Found (rio-pmtiles 1.2.2, mapli 0.4.1): the metadata has "attribution": null, and the engine ends the picture with
# "source attribution must be a string". Without the member it draws the archive.
# What follows: `map check` says so, and `map convert` and `map extract` leave the member out.
#
#   usage: findings/archive-with-a-null-attribution.sh     prints both results; ends with 1 if one of them changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --only-binary :all: \
  --target "$folder/python" rio-pmtiles==1.2.2 mapli==0.4.1
cat >"$folder/ask.py" <<'END'
import gzip, json, os, struct, sys
import mapli, numpy, rasterio
from click.testing import CliRunner
from rasterio.rio.main import main_group
from rasterio.transform import from_bounds

folder = sys.argv[1]
picture, archive, other = (os.path.join(folder, name) for name in ("a.tif", "a.pmtiles", "b.pmtiles"))
place = from_bounds(10, 40, 20, 50, 256, 256)
with rasterio.open(picture, "w", driver="GTiff", width=256, height=256, count=3, dtype="uint8", crs="EPSG:4326",
                   transform=place) as file:
    file.write(numpy.full((3, 256, 256), 200, "uint8"))
CliRunner().invoke(main_group, ["pmtiles", picture, archive, "--zoom-levels", "3..4", "-j", "1"], catch_exceptions=False)
with open(archive, "rb") as file:
    data = bytearray(file.read())
start, length = struct.unpack_from("<QQ", data, 24)
metadata = json.loads(gzip.decompress(data[start:start + length]))
said = metadata.pop("attribution", "absent")
stored = gzip.compress(json.dumps(metadata).encode())
struct.pack_into("<QQ", data, 24, len(data), len(stored))
with open(other, "wb") as file:
    file.write(data + stored)

def draw(path):
    source = {"type": "raster", "url": "pmtiles://file://" + path, "tileSize": 256}
    style = {"version": 8, "sources": {"s": source}, "layers": [{"id": "r", "type": "raster", "source": "s"}]}
    pool = mapli.RenderPool()
    pool.register_style("a", json=json.dumps(style))
    try:
        pool.render("a", lon=15, lat=45, zoom=4, width=64, height=64)
        return "drawn"
    except mapli.RenderError as error:
        return str(error).split(": ")[-1]

print(f"{said}: {draw(archive)}; without: {draw(other)}")
END
EGL_PLATFORM=surfaceless PYTHONPATH=$folder/python python3 "$folder/ask.py" "$folder" 2>/dev/null | tee "$folder/found"
diff - "$folder/found" <<'END'
None: source attribution must be a string; without: drawn
END
