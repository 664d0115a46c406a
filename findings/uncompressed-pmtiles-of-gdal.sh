#!/bin/sh
# GDAL cannot read the PMTiles that it writes with COMPRESS=NO: the header says gzip, the tiles are not compressed.
#
# Guess: the option changes the header too, so that a reader knows, or the format refuses it; MBTiles alone has no field
# for it, and a reader must look at the bytes.
# Found (GDAL 3.12.4 in pyogrio 0.13.0): tile_compression is 2 (gzip) either way. Its own driver then lists the layer
# with no feature, and without an error. Of an MBTiles file it reads both.
# What follows: `map check` warns of each such tile, and `map convert` writes it as its header says.
#
#   usage: findings/uncompressed-pmtiles-of-gdal.sh     prints what is read back; ends with 1 if that changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --only-binary :all: \
  --target "$folder/python" pyogrio==0.13.0 geopandas==1.2.0 shapely==2.2.0
cat >"$folder/ask.py" <<'END'
import os, sys, warnings
import geopandas, pyogrio, shapely

warnings.simplefilter("ignore")
print("GDAL", ".".join(map(str, pyogrio.__gdal_version__)), file=sys.stderr)
places = geopandas.GeoDataFrame({"name": ["a"]}, geometry=[shapely.Point(10, 20)], crs=4326)
for format in ["PMTiles", "MBTiles"]:
    for compress in ["YES", "NO"]:
        path = os.path.join(sys.argv[1], f"{compress}.{format.lower()}")
        options = {"MAXZOOM": 1, "COMPRESS": compress}
        pyogrio.write_dataframe(places, path, driver=format, layer="places", dataset_options=options)
        with open(path, "rb") as file:
            header = f"tile_compression {file.read(127)[98]}, " if format == "PMTiles" else ""
        print(f"{format}, COMPRESS={compress}: {header}{len(pyogrio.read_dataframe(path))} of 1 feature")
END
PYTHONPATH=$folder/python python3 "$folder/ask.py" "$folder" | tee "$folder/found"
diff - "$folder/found" <<'END'
PMTiles, COMPRESS=YES: tile_compression 2, 1 of 1 feature
PMTiles, COMPRESS=NO: tile_compression 2, 0 of 1 feature
MBTiles, COMPRESS=YES: 1 of 1 feature
MBTiles, COMPRESS=NO: 1 of 1 feature
END
