#!/bin/sh
# Rows are appended to a layer of a GeoPackage whose column makes an identifier by DEFAULT: GDAL writes the expression
# itself as the identifier, the same for each row.
#
# Guess: a column that the new rows lack is left out of the INSERT, so that SQLite computes its default, as it does for
# an INTEGER column and in GDAL's driver for SQLite files.
# Found (GDAL 3.12.4 in pyogrio 0.13.0), without an error, in layers with and without geometry:
# - In a TEXT column DEFAULT (lower(hex(randomblob(16)))) is the text lower(hex(randomblob(16))), (datetime('now')) is
#   datetime('now'), and CURRENT_TIMESTAMP is that word. Where the column is UNIQUE the second row is an error.
# - DEFAULT NULL is the text NULL, 007 is 007 where SQLite has 7, and '7' in an INTEGER column is 0.
# - Right: texts in single quotes, numbers, blobs, times in a DATETIME column, and expressions in an INTEGER column.
# - The same tables in a SQLite file, by GDAL's driver for them, are right. So were Turso, libSQL, ADBC and pandas when
#   they were tried, and DuckDB, which refuses a default with a function that it does not have.
# What follows: who appends to an app's GeoPackage by GDAL gives the values of such columns, or the app makes them in a
# trigger instead.
#
#   usage: findings/defaults-that-gdal-writes-as-text.sh     prints the rows; ends with 1 if they change
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --only-binary :all: \
  --target "$folder/python" pyogrio==0.13.0 geopandas==1.2.0 shapely==2.2.0
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import os, re, sqlite3, sys, warnings

import geopandas, pandas, pyogrio, shapely

warnings.simplefilter("ignore")
folder = sys.argv[1]
COLUMNS = {
    "uuid": "TEXT DEFAULT (lower(hex(randomblob(16))))", "at": "TEXT DEFAULT (datetime('now'))",
    "stamp": "TEXT DEFAULT CURRENT_TIMESTAMP", "none": "TEXT DEFAULT NULL", "zeros": "TEXT DEFAULT 007",
    "seven": "INTEGER DEFAULT '7'", "kind": "TEXT DEFAULT 'it''s'", "sum": "INTEGER DEFAULT (1 + 1)",
    "time": "DATETIME DEFAULT CURRENT_TIMESTAMP",
}

def shown(value):
    text = str(value)
    text = re.sub(r"^[0-9a-f]{32}$", "an identifier", text)
    return re.sub(r"^20\d\d-\d\d-\d\d[ T]\d\d:\d\d:\d\dZ?$", "a time", text)

def rows(driver, is_spatial):
    path = os.path.join(folder, f"{driver}{is_spatial}")
    seed = geopandas.GeoDataFrame({"name": ["seed"]}, geometry=[shapely.Point(1, 1)], crs=4326)
    pyogrio.write_dataframe(seed, path, layer="seed", driver=driver)
    file = sqlite3.connect(path)
    columns = ["fid INTEGER PRIMARY KEY", *["geom POINT"] * is_spatial, "name TEXT"]
    columns += [f'"{name}" {column}' for name, column in COLUMNS.items()]
    file.execute(f"CREATE TABLE tree ({', '.join(columns)})")
    if driver == "GPKG":
        file.execute("INSERT INTO gpkg_contents (table_name, data_type, identifier, srs_id, last_change) "
                     "VALUES ('tree', ?, 'tree', ?, '2026-01-01T00:00:00.000Z')",
                     ["features" if is_spatial else "attributes", 4326 if is_spatial else 0])
        if is_spatial:
            file.execute("INSERT INTO gpkg_geometry_columns VALUES ('tree', 'geom', 'POINT', 4326, 0, 0)")
    file.commit()
    file.close()
    trees = pandas.DataFrame({"name": ["oak", "elm"]})
    if is_spatial:
        trees = geopandas.GeoDataFrame(trees, geometry=[shapely.Point(2, 2), shapely.Point(3, 3)], crs=4326)
    pyogrio.write_dataframe(trees, path, layer="tree", driver=driver, append=True)
    file = sqlite3.connect(path)
    [oak, elm] = file.execute(f"SELECT {', '.join(COLUMNS)} FROM tree ORDER BY fid").fetchall()
    return [f"{name} {shown(one)}" for name, one in zip(COLUMNS, oak)], oak[0] == elm[0]

print("GDAL", ".".join(map(str, pyogrio.__gdal_version__)))
for driver, is_spatial in [("GPKG", True), ("GPKG", False), ("SQLite", False)]:
    values, is_same = rows(driver, is_spatial)
    kind = "features" if is_spatial else "attributes"
    print(f"{driver}, {kind}: the second uuid is {'' if is_same else 'not '}the first")
    print("  " + "\n  ".join(values))
END_OF_PYTHON
PYTHONPATH=$folder/python python3 "$folder/ask.py" "$folder" >"$folder/found"
cat "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
GDAL 3.12.4
GPKG, features: the second uuid is the first
  uuid lower(hex(randomblob(16)))
  at datetime('now')
  stamp CURRENT_TIMESTAMP
  none NULL
  zeros 007
  seven 0
  kind it's
  sum 2
  time a time
GPKG, attributes: the second uuid is the first
  uuid lower(hex(randomblob(16)))
  at datetime('now')
  stamp CURRENT_TIMESTAMP
  none NULL
  zeros 007
  seven 0
  kind it's
  sum 2
  time a time
SQLite, attributes: the second uuid is not the first
  uuid an identifier
  at a time
  stamp a time
  none None
  zeros 7
  seven 7
  kind it's
  sum 2
  time a time
END_OF_FOUND
