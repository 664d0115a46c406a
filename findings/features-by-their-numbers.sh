#!/bin/sh
# Features of a layer are read by their numbers, as for what a user has selected: from GeoJSON lines or GML it takes a
# time that grows with the square of the features, and 2,000 of them take seconds.
#
# Guess: features by number cost as much as reading the file once at most, since a driver without an index of its
# features can read them in one pass; they are given in the order of the file.
# Found (pyogrio 0.13.0 with GDAL 3.12.4; all of 400 and of 1,600 points by fids; processor time):
# - From GeoJSONSeq, GML and JML four times the features take some sixteen times as long: for each number the file is
#   read from its begin. 1,600 of them take more than thirty times as long as the whole file takes at once.
# - From GeoPackage, SQLite, FlatGeobuf, GeoJSON, CSV, shapefiles and MapInfo files it is as guessed.
# - Right: the features, in the order of the numbers.
# What follows: the file is read once, and the features are chosen afterwards; or it is a GeoPackage or FlatGeobuf.
#
#   usage: findings/features-by-their-numbers.sh     prints how the time grows; ends with 1 if that changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --only-binary :all: \
  --target "$folder/python" geopandas==1.2.0 pandas==3.1.1 numpy==2.4.6 shapely==2.2.0 pyogrio==0.13.0 2>"$folder/log"
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import os, sys, time, warnings

import geopandas, pyogrio, shapely

warnings.simplefilter("ignore")
FORMATS = {"gpkg": "GPKG", "sqlite": "SQLite", "fgb": "FlatGeobuf", "geojson": "GeoJSON", "csv": "CSV",
           "shp": "ESRI Shapefile", "tab": "MapInfo File", "geojsonl": "GeoJSONSeq", "gml": "GML", "jml": "JML"}
ONE = {"GPKG", "SQLite", "CSV", "MapInfo File"}  # Their features are counted from 1.

def duration(read):
    begin = time.process_time()
    return read(), time.process_time() - begin

print(f"pyogrio {pyogrio.__version__}, GDAL {'.'.join(str(part) for part in pyogrio.__gdal_version__)}")
for extension, driver in FORMATS.items():
    times = []
    for count in (400, 1600):
        path = os.path.join(sys.argv[1], f"{count}.{extension}")
        points = [shapely.Point(number / 100, 48) for number in range(count)]
        frame = geopandas.GeoDataFrame({"n": range(count)}, geometry=points, crs=4326)
        pyogrio.write_dataframe(frame, path, driver=driver, **({"GEOMETRY": "AS_WKT"} if driver == "CSV" else {}))
        numbers = [number + (driver in ONE) for number in range(count)]
        pyogrio.read_dataframe(path)
        whole, at_once = duration(lambda: pyogrio.read_dataframe(path))
        chosen, one_by_one = duration(lambda: pyogrio.read_dataframe(path, fids=numbers))
        assert list(chosen["n"]) == list(whole["n"]) and len(chosen) == count
        times.append((at_once, one_by_one))
    (_, few), (at_once, many) = times
    print(f"{driver}: {'WITH THE SQUARE' if many > few * 8 else 'less'},",
          "thirty times the whole and more" if many > at_once * 30 else "less than thirty times")
END_OF_PYTHON
PYTHONPATH=$folder/python python3 "$folder/ask.py" "$folder" | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
pyogrio 0.13.0, GDAL 3.12.4
GPKG: less, less than thirty times
SQLite: less, less than thirty times
FlatGeobuf: less, less than thirty times
GeoJSON: less, less than thirty times
CSV: less, less than thirty times
ESRI Shapefile: less, less than thirty times
MapInfo File: less, less than thirty times
GeoJSONSeq: WITH THE SQUARE, thirty times the whole and more
GML: WITH THE SQUARE, thirty times the whole and more
JML: WITH THE SQUARE, thirty times the whole and more
END_OF_FOUND
