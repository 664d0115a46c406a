#!/bin/sh
# A layer is replaced by GeoPandas, and a value of a later row cannot be written: the error is said, and the layer that
# was to be replaced is gone, or empty, or half of the new one.
#
# Guess: in a GeoPackage, which is a database, the layer is replaced in one transaction, as rows are appended in one; a
# file of another format is replaced once the new one is whole.
# Found (pyogrio 0.13.0, by which GeoPandas writes, GDAL 3.12.4), of a layer with three rows:
# - An unsigned identifier beyond 2^63 in the third new row: the GeoPackage has no such layer any more, the SQLite file
#   an empty one, and FlatGeobuf and GeoJSON have the first two new rows, in a file that is read without an error.
# - A duration, which no format takes, is found before the first row, and the layer is empty all the same.
# - Right: rows that are appended are all taken back, also 150,000 when it was tried. DuckDB's COPY left the old file
#   when a row failed, and PMTiles is not replaced at all.
# What follows: a layer is written under another name or into another file, and renamed when it is whole.
#
#   usage: findings/layer-lost-by-a-failed-write.sh     prints what is left; ends with 1 if it changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --only-binary :all: \
  --target "$folder/python" pyogrio==0.13.0 geopandas==1.2.0 shapely==2.2.0
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import os, sqlite3, sys, warnings

import geopandas, pandas, pyogrio, shapely

warnings.simplefilter("ignore")
folder = sys.argv[1]

ENDINGS = {"FlatGeobuf": "fgb"}

def layer(**columns):
    return geopandas.GeoDataFrame(columns, geometry=[shapely.Point(number, 1) for number in range(3)], crs=4326)

before = layer(name=["a", "b", "c"])
FRAMES = {
    "identifier": layer(name=["d", "e", "f"], id=pandas.Series([1, 2, 2 ** 63 + 5], dtype="uint64")),
    "duration": layer(name=["d", "e", "f"], takes=pandas.to_timedelta([1, 2, 3], unit="min")),
    "good": layer(name=["d", "e", "f"]),
}

def left(path):
    if "tree" not in [name for name, _ in pyogrio.list_layers(path)]:
        return "no layer"
    frame = pyogrio.read_dataframe(path, layer="tree")
    return " ".join(sorted(frame["name"])) if len(frame) else "no row"

def replaced(frame, driver):
    path = os.path.join(folder, f"{len(os.listdir(folder))}.{ENDINGS.get(driver, driver).lower()}")
    pyogrio.write_dataframe(before, path, layer="tree", driver=driver)
    if driver in ["GPKG", "SQLite"]:
        pyogrio.write_dataframe(before, path, layer="other", driver=driver)
    try:
        pyogrio.write_dataframe(frame, path, layer="tree", driver=driver)
        said = "written"
    except Exception as error:
        said = type(error).__name__
    return f"{driver}: {said}, {left(path)}"

def appended():
    path = os.path.join(folder, "appended.gpkg")
    pyogrio.write_dataframe(before, path, layer="seed", driver="GPKG")
    file = sqlite3.connect(path)
    file.execute("CREATE TABLE tree (fid INTEGER PRIMARY KEY, name TEXT CHECK (name <> 'f'))")
    file.execute("INSERT INTO tree (name) VALUES ('a')")
    file.execute("INSERT INTO gpkg_contents (table_name, data_type, identifier, last_change) "
                 "VALUES ('tree', 'attributes', 'tree', '2026-01-01T00:00:00.000Z')")
    file.commit()
    try:
        rows = pandas.DataFrame({"name": ["d", "e", "f"]})
        pyogrio.write_dataframe(rows, path, layer="tree", driver="GPKG", append=True)
        said = "written"
    except Exception as error:
        said = type(error).__name__
    return f"GPKG: {said}, {' '.join(row[0] for row in file.execute('SELECT name FROM tree'))}"

print("GDAL", ".".join(map(str, pyogrio.__gdal_version__)))
for name, frame in FRAMES.items():
    for driver in ["GPKG", "SQLite", "FlatGeobuf", "GeoJSON"]:
        print(f"{name}, {replaced(frame, driver)}")
print(f"appended, {appended()}")
END_OF_PYTHON
PYTHONPATH=$folder/python python3 "$folder/ask.py" "$folder" 2>"$folder/log" >"$folder/found" \
  || { cat "$folder/log"; exit 70; }
cat "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
GDAL 3.12.4
identifier, GPKG: OverflowError, no layer
identifier, SQLite: OverflowError, no row
identifier, FlatGeobuf: OverflowError, d e
identifier, GeoJSON: OverflowError, d e
duration, GPKG: NotImplementedError, no row
duration, SQLite: NotImplementedError, no row
duration, FlatGeobuf: NotImplementedError, no row
duration, GeoJSON: NotImplementedError, no row
good, GPKG: written, d e f
good, SQLite: written, d e f
good, FlatGeobuf: written, d e f
good, GeoJSON: written, d e f
appended, GPKG: FeatureError, a
END_OF_FOUND
