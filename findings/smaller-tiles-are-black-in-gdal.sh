#!/bin/sh
# Raster tiles are made smaller without loss by oxipng before they are shipped: for GDAL the white ones are black.
#
# Guess: a PNG with fewer bits to a pixel is the same picture to whatever reads tiles, as it is to an image viewer; GDAL
# has palettes in its reader of MBTiles, and transparent pixels.
# Found (pyoxipng 9.1.1, GDAL 3.10.3 in rasterio 1.4.4, mapli 0.4.1), of one tile in MBTiles, without an error:
# - A tile of grays becomes one of 1, 2 or 4 bits where it has few of them, and GDAL takes the bits for the color: white
#   is 1, 3 or 15 of 255.
# - With optimize_alpha a transparent picture of many colors becomes an opaque one with a color that counts as
#   transparent, which is opaque in GDAL.
# - A hillshade of 16 bits is cut at 255: three of its four grays are white.
# - Right in GDAL: palettes of 1 to 8 bits, also with transparent entries, and grays of 8 bits. MapLibre Native draws
#   all of them rightly.
# What follows: tiles for GIS tools keep 8 bits to a channel, as oxipng does without reductions of bits and colors.
#
#   usage: findings/smaller-tiles-are-black-in-gdal.sh     prints the colors; ends with 1 if one of them changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --only-binary :all: \
  --target "$folder/python" pyoxipng==9.1.1 rasterio==1.4.4 mapli==0.4.1 pillow==13.0.0 numpy==1.26.4
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import io, json, os, sqlite3, sys, warnings

import mapli, numpy, oxipng, rasterio
from PIL import Image

warnings.simplefilter("ignore")
folder = sys.argv[1]
AT = [(64, 64), (192, 64), (64, 192), (192, 192)]

def picture(mode, colors):
    image = Image.new(mode, (256, 256))
    for (x, y), color in zip(AT, colors):
        image.paste(color, (x - 64, y - 64, x + 64, y + 64))
    return image

def many_colors():
    image = Image.new("RGBA", (256, 256))
    image.putdata([(x, y, x * y % 256, 255 if x >= 128 else 0) for y in range(256) for x in range(256)])
    return image

def encoded(image):
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()

def tileset(tile):
    path = os.path.join(folder, f"{len(os.listdir(folder))}.mbtiles")
    file = sqlite3.connect(path)
    file.execute("CREATE TABLE metadata (name TEXT, value TEXT)")
    file.executemany("INSERT INTO metadata VALUES (?, ?)", [
        ("name", "x"), ("format", "png"), ("minzoom", "0"), ("maxzoom", "0"), ("bounds", "-180,-85.0511,180,85.0511")])
    file.execute("CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB)")
    file.execute("INSERT INTO tiles VALUES (0, 0, 0, ?)", [tile])
    file.commit()
    file.close()
    return path

def in_gdal(path):
    with rasterio.open(path) as file:
        bands = file.read()
    return [tuple(int(value) for value in bands[:, y, x]) for x, y in AT]

def drawn(path):
    source = {"type": "raster", "url": "mbtiles://" + path, "tileSize": 256}
    style = {"version": 8, "sources": {"s": source}, "layers": [
        {"id": "b", "type": "background", "paint": {"background-color": "magenta"}},
        {"id": "r", "type": "raster", "source": "s", "paint": {"raster-resampling": "nearest"}}]}
    pool = mapli.RenderPool()
    pool.register_style("a", json=json.dumps(style))
    image = Image.open(io.BytesIO(pool.render("a", lon=0, lat=0, zoom=0, width=512, height=512))).convert("RGB")
    return [image.getpixel((2 * x, 2 * y)) for x, y in AT]

def shown(colors):
    def name(color):
        if color[:3] == (255, 0, 255) or color[3:] == (0,):
            return "clear"
        return str(color[0]) if len(set(color[:3])) == 1 else "/".join(map(str, color[:3]))
    return " ".join(map(name, colors))

grays = [(0, 0, 0), (85, 85, 85), (170, 170, 170), (255, 255, 255)]
tiles = {
    "white": (picture("RGB", [(255, 255, 255)] * 4), {}),
    "black and white": (picture("RGB", grays[::3] * 2), {}),
    "four grays": (picture("RGB", grays), {}),
    "gray, and clear": (picture("RGBA", [(0, 0, 0, 0)] * 2 + [(255, 255, 255, 255)] * 2), {}),
    "many colors": (many_colors(), {"optimize_alpha": True}),
    "four colors": (picture("RGB", [(200, 0, 0), (0, 200, 0), (0, 0, 200), (255, 255, 255)]), {}),
}
print("GDAL", rasterio.__gdal_version__)
for name, (image, options) in tiles.items():
    before = encoded(image)
    after = oxipng.optimize_from_memory(before, **options)
    bits, kind = after[24], {0: "gray", 2: "RGB", 3: "palette", 4: "gray, alpha", 6: "RGBA"}[after[25]]
    assert Image.open(io.BytesIO(after)).convert("RGBA").getchannel("A").tobytes() \
        == image.convert("RGBA").getchannel("A").tobytes(), name
    paths = tileset(before), tileset(after)
    assert drawn(paths[0]) == drawn(paths[1]), name
    print(f"{name}: GDAL {shown(in_gdal(paths[0]))} -> {kind} of {bits}: GDAL {shown(in_gdal(paths[1]))}, "
          f"drawn {shown(drawn(paths[1]))}")
deep = tileset(encoded(Image.fromarray(numpy.array(picture("L", [0, 85, 170, 255])).astype("uint16") * 257)))
print(f"four grays of 16 bits: GDAL {shown(in_gdal(deep))}, drawn {shown(drawn(deep))}")
END_OF_PYTHON
EGL_PLATFORM=surfaceless PYTHONPATH=$folder/python python3 "$folder/ask.py" "$folder" 2>"$folder/log" >"$folder/found" \
  || { cat "$folder/log"; exit 70; }
cat "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
GDAL 3.10.3
white: GDAL 255 255 255 255 -> gray of 1: GDAL 1 1 1 1, drawn 255 255 255 255
black and white: GDAL 0 255 0 255 -> gray of 1: GDAL 0 1 0 1, drawn 0 255 0 255
four grays: GDAL 0 85 170 255 -> gray of 2: GDAL 0 1 2 3, drawn 0 85 170 255
gray, and clear: GDAL clear clear 255 255 -> palette of 1: GDAL clear clear 255 255, drawn clear clear 255 255
many colors: GDAL clear 192/64/0 clear 192/192/0 -> RGB of 8: GDAL 0 192/64/0 0 192/192/0, drawn clear 192/64/0 clear 192/192/0
four colors: GDAL 200/0/0 0/200/0 0/0/200 255 -> palette of 2: GDAL 200/0/0 0/200/0 0/0/200 255, drawn 200/0/0 0/200/0 0/0/200 255
four grays of 16 bits: GDAL 0 255 255 255, drawn 0 85 170 255
END_OF_FOUND
