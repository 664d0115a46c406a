#!/bin/sh
# DuckDB copies a layer into an app's GeoPackage, by a name of its own: the layers, tables and views that were there are
# gone, and so is all of an app's SQLite database that is named as the target.
#
# Guess: with LAYER_NAME the layer is added, as GDAL's other users add one, or COPY refuses a file that is a database;
# it replaces files of one table, such as CSV and Parquet.
# Found (DuckDB 1.5.5 with its extension spatial), without an error or a question: the file has the new layer alone. It
# is so with the drivers GPKG and SQLite, whatever wrote the file.
# Right: pyogrio 0.13.0 adds the layer, and keeps tables, views and the other layer.
# What follows: DuckDB writes into a new file, from which SQLite or pyogrio copies the layer.
#
#   usage: findings/layer-copied-over-a-database.sh     prints what is left; ends with 1 if it changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --only-binary :all: \
  --target "$folder/python" duckdb==1.5.5 duckdb-extension-spatial==1.5.5 pyogrio==0.13.0 geopandas==1.2.0 \
  shapely==2.2.0
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import glob, os, sqlite3, sys, warnings

import duckdb, geopandas, pyogrio, shapely

warnings.simplefilter("ignore")
folder = sys.argv[1]
# The extension can be loaded by its file's name alone.
[packed] = glob.glob(folder + "/python/duckdb_extension_spatial/**/*.duckdb_extension", recursive=True)
os.symlink(packed, os.path.join(folder, "spatial.duckdb_extension"))
duck = duckdb.connect(config={"autoinstall_known_extensions": False})
duck.execute(f"LOAD '{folder}/spatial.duckdb_extension'")
places = geopandas.GeoDataFrame({"name": ["a"]}, geometry=[shapely.Point(1, 2)], crs=4326)

def names(path):
    file = sqlite3.connect(path)
    known = "'tree', 'setting', 'recent', 'stop'"
    rows = file.execute(f"SELECT name FROM sqlite_schema WHERE name IN ({known}) ORDER BY name")
    return " ".join(row[0] for row in rows)

def app(driver, writer):
    path = os.path.join(folder, f"{writer}.{driver.lower()}")
    pyogrio.write_dataframe(places, path, layer="tree", driver=driver)
    file = sqlite3.connect(path)
    file.execute("CREATE TABLE setting (name TEXT PRIMARY KEY, value)")
    file.execute("CREATE VIEW recent AS SELECT * FROM setting")
    file.commit()
    file.close()
    return path

def by_duckdb(path, driver):
    duck.execute("COPY (SELECT 'a' AS name, ST_Point(1, 2) AS geom) "
                 f"TO '{path}' (FORMAT gdal, DRIVER '{driver}', LAYER_NAME 'stop')")

def by_pyogrio(path, driver):
    pyogrio.write_dataframe(places, path, layer="stop", driver=driver)

print("DuckDB", duckdb.__version__)
for driver in ["GPKG", "SQLite"]:
    for writer, write in [("DuckDB", by_duckdb), ("pyogrio", by_pyogrio)]:
        path = app(driver, writer)
        before = names(path)
        write(path, driver)
        print(f"{driver}, {writer}: {before} -> {names(path)}")
END_OF_PYTHON
PYTHONPATH=$folder/python python3 "$folder/ask.py" "$folder" >"$folder/found"
cat "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
DuckDB 1.5.5
GPKG, DuckDB: recent setting tree -> stop
GPKG, pyogrio: recent setting tree -> recent setting stop tree
SQLite, DuckDB: recent setting tree -> stop
SQLite, pyogrio: recent setting tree -> recent setting stop tree
END_OF_FOUND
