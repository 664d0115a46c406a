#!/bin/sh
# Heights with holes, where nothing was measured, are written into a GeoPackage for an app: each hole is a mountain of
# 32,767 meters there, and nothing says that it is a hole.
#
# Guess: a value that stands for "no data" is in the file afterwards, in data_null of the table
# gpkg_2d_gridded_coverage_ancillary (https://docs.ogc.org/is/17-066r1/17-066r1.html), and readers mask the hole.
# Found (rasterio 1.4.4 with GDAL 3.10.3), without an error, of rasterio.open(path, "w", nodata=...):
# - data_null is NULL in each file. While it writes, the driver knows the value all the same: it writes a hole of int16
#   as the greatest number of its tiles, from which readers make 32767. Where holes are -32768 the type changes, too.
# - In uint16 and float32 a hole has its value, as a valid number. None is masked, and nodata cannot be set afterwards
#   either: "Invalid nodata value".
# - Right: the same heights as a GeoTIFF, copied into a GeoPackage by rasterio.shutil.copy(), have their holes, and call
#   them -32768.
# What follows: elevations become a GeoPackage by a copy of a GeoTIFF, and are compared with it by their masks.
#
#   usage: findings/hole-as-a-mountain-in-a-geopackage.sh     prints both files; ends with 1 if they change
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --only-binary :all: \
  --target "$folder/python" rasterio==1.4.4 numpy==2.4.6 2>"$folder/log"
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import contextlib, os, sqlite3, sys

import numpy, rasterio, rasterio.shutil
from rasterio.transform import from_origin

def write(path, driver, heights, hole):
    with rasterio.open(path, "w", driver=driver, width=256, height=256, count=1, dtype=heights.dtype, nodata=hole,
                       crs="EPSG:3857", transform=from_origin(1000000, 6000000, 100, 100)) as file:
        file.write(heights, 1)

def found(path):
    with contextlib.closing(sqlite3.connect(path)) as database:
        null, = database.execute("SELECT data_null FROM gpkg_2d_gridded_coverage_ancillary").fetchone()
    with rasterio.open(path) as file:
        heights, masked = file.read(1), int((file.read_masks(1) == 0).sum())
        return (f"{file.dtypes[0]}, data_null {null}, nodata {file.nodata}: hole {heights[15, 15]}, "
                f"valley {heights[0, 0]}, masked {masked}")

print("rasterio", rasterio.__version__, "GDAL", rasterio.__gdal_version__)
for type, hole in [("int16", -9999), ("int16", -32768), ("uint16", 65535), ("float32", -9999)]:
    heights = numpy.full((256, 256), 100, type)
    heights[0, 0] = 50
    heights[10:20, 10:20] = hole
    path = os.path.join(sys.argv[1], f"{type} {hole}")
    write(path + ".gpkg", "GPKG", heights, hole)
    print(f"{type}, holes {hole}, written | {found(path + '.gpkg')}")
    write(path + ".tif", "GTiff", heights, hole)
    rasterio.shutil.copy(path + ".tif", path + "-copied.gpkg", driver="GPKG")
    print(f"{type}, holes {hole}, copied | {found(path + '-copied.gpkg')}")
END_OF_PYTHON
PYTHONPATH=$folder/python python3 "$folder/ask.py" "$folder" 2>>"$folder/log" | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
rasterio 1.4.4 GDAL 3.10.3
int16, holes -9999, written | int16, data_null None, nodata None: hole 32767, valley 50, masked 0
int16, holes -9999, copied | int16, data_null 65535.0, nodata -32768.0: hole -32768, valley 50, masked 100
int16, holes -32768, written | float32, data_null None, nodata None: hole 32768.0, valley 50.0, masked 0
int16, holes -32768, copied | int16, data_null 65535.0, nodata -32768.0: hole -32768, valley 50, masked 100
uint16, holes 65535, written | uint16, data_null None, nodata None: hole 65535, valley 50, masked 0
uint16, holes 65535, copied | uint16, data_null 65535.0, nodata 65535.0: hole 65535, valley 50, masked 100
float32, holes -9999, written | float32, data_null None, nodata None: hole -9999.0, valley 50.0, masked 0
float32, holes -9999, copied | float32, data_null -9999.0, nodata -9999.0: hole -9999.0, valley 50.0, masked 100
END_OF_FOUND
