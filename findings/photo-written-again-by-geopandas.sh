#!/bin/sh
# GeoPandas reads a layer of an app's GeoPackage and writes it again without a change: its photos are texts in Python's
# notation, and more of its columns are others, by either of the two interfaces.
#
# Guess: bytes that it reads from a BLOB it writes as a BLOB, or refuses; with use_arrow=True the types are the same but
# for integers beside NULL, which pandas has as real numbers.
# Found (pyogrio 0.13.0, by which GeoPandas reads and writes, GDAL 3.12.4), without an error or a warning:
# - By default a photo that begins with ff d8 is a text that begins with b'\xff. A day is the first moment of it, and a
#   boolean beside NULL the number 1.0.
# - Read with use_arrow=True and written by default, the day is a text, and the boolean the text True.
# - With use_arrow=True in both, photos, days and booleans are right. An integer of 54 bits beside NULL is another one
#   in each of the three, and the rows are numbered anew.
# - Right but for the numbers of the rows: read_arrow() and write_arrow().
# What follows: layers with photos are changed by SQL, or as tables of Arrow.
#
#   usage: findings/photo-written-again-by-geopandas.sh     prints the columns; ends with 1 if they change
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --only-binary :all: \
  --target "$folder/python" pyogrio==0.13.0 geopandas==1.2.0 shapely==2.2.0 pyarrow==26.0.1
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import os, sqlite3, sys, warnings

import geopandas, pyogrio, shapely

warnings.simplefilter("ignore")
folder = sys.argv[1]
source = os.path.join(folder, "app.gpkg")
pyogrio.write_dataframe(geopandas.GeoDataFrame({"name": ["seed"]}, geometry=[shapely.Point(1, 1)], crs=4326), source,
                        layer="seed", driver="GPKG")
file = sqlite3.connect(source)
file.execute("CREATE TABLE tree (fid INTEGER PRIMARY KEY, geom POINT, photo BLOB, day DATE, old BOOLEAN, "
             "owner INTEGER, id INTEGER, at DATETIME, name TEXT)")
file.execute("INSERT INTO gpkg_contents (table_name, data_type, identifier, srs_id, last_change) "
             "VALUES ('tree', 'features', 'tree', 4326, '2026-01-01T00:00:00.000Z')")
file.execute("INSERT INTO gpkg_geometry_columns VALUES ('tree', 'geom', 'POINT', 4326, 0, 0)")
point = b"GP\0\1" + (4326).to_bytes(4, "little") + shapely.to_wkb(shapely.Point(1, 1), byte_order=1)
file.execute("INSERT INTO tree VALUES (5, ?, x'ffd8ffe0', '2026-01-03', 1, 9007199254740993, 9007199254740993, "
             "'2026-07-01T12:00:00.123Z', 'oak')", [point])
file.execute("INSERT INTO tree VALUES (9, ?, NULL, NULL, NULL, NULL, 9007199254740995, NULL, 'elm')", [point])
file.commit()
file.close()

def shown(path):
    file = sqlite3.connect(path)
    types = {row[1]: row[2] for row in file.execute("PRAGMA table_info(tree)")}
    names = ["fid", "photo", "day", "old", "owner", "id", "at", "name"]
    [row] = file.execute(f"SELECT {', '.join(names)} FROM tree WHERE name = 'oak'")
    return [f"{name} {types[name]} {value!r}" for name, value in zip(names, row)]

def by_frame(path, arrow_read, arrow_write):
    frame = pyogrio.read_dataframe(source, layer="tree", use_arrow=arrow_read)
    pyogrio.write_dataframe(frame, path, layer="tree", driver="GPKG", use_arrow=arrow_write)

def by_arrow(path):
    metadata, table = pyogrio.read_arrow(source, layer="tree")
    pyogrio.write_arrow(table, path, layer="tree", driver="GPKG", geometry_name=metadata["geometry_name"],
                        geometry_type="Point", crs=metadata["crs"])

print("GDAL", ".".join(map(str, pyogrio.__gdal_version__)))
before = shown(source)
print("in the app:", *[f"\n  {column}" for column in before], sep="")
for name, write in {
    "by default": lambda path: by_frame(path, False, False), "read by Arrow": lambda path: by_frame(path, True, False),
    "read and written by Arrow": lambda path: by_frame(path, True, True), "as a table of Arrow": by_arrow,
}.items():
    path = os.path.join(folder, name.replace(" ", "-") + ".gpkg")
    write(path)
    print(f"{name}:", *[f"\n  {now}" for was, now in zip(before, shown(path)) if was != now], sep="")
END_OF_PYTHON
PYTHONPATH=$folder/python python3 "$folder/ask.py" "$folder" 2>"$folder/log" >"$folder/found" \
  || { cat "$folder/log"; exit 70; }
cat "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
GDAL 3.12.4
in the app:
  fid INTEGER 5
  photo BLOB b'\xff\xd8\xff\xe0'
  day DATE '2026-01-03'
  old BOOLEAN 1
  owner INTEGER 9007199254740993
  id INTEGER 9007199254740993
  at DATETIME '2026-07-01T12:00:00.123Z'
  name TEXT 'oak'
by default:
  fid INTEGER 1
  photo TEXT "b'\\xff\\xd8\\xff\\xe0'"
  day DATETIME '2026-01-03T00:00:00'
  old REAL 1.0
  owner REAL 9007199254740992.0
read by Arrow:
  fid INTEGER 1
  photo TEXT "b'\\xff\\xd8\\xff\\xe0'"
  day TEXT '2026-01-03'
  old TEXT 'True'
  owner REAL 9007199254740992.0
read and written by Arrow:
  fid INTEGER 1
  owner REAL 9007199254740992.0
as a table of Arrow:
  fid INTEGER 1
END_OF_FOUND
