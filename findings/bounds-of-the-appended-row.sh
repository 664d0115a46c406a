#!/bin/sh
# A layer of a GeoPackage whose bounds nobody has written, as the standard allows: GDAL appends one row, and the bounds
# of the layer are those of that row alone.
#
# Guess: min_x to max_y of gpkg_contents, which may be NULL (https://www.geopackage.org/spec131/#_contents), stay so, or
# become those of all rows; who asks for bounds that are computed has those of the geometries.
# Found (GDAL 3.12.4 in pyogrio 0.13.0), without an error, of three rows at 1, 2 and 3, and one at 9 that is appended:
# - Without bounds in the table GDAL gives 1 to 3, from the index. Then it writes 9 to 9, and gives that from now on,
#   also where they are forced to be computed: a map that shows all of the layer shows the new row.
# - It is so with and without an index (an R*Tree). Rows are found by their place all the same.
# - pygeopkg 0.1.3 and geopackage-toolkit 0.4.2 make such layers; one of pygeopkg had the bounds of its last row.
# - Right: bounds that were there are extended, those of 1 to 3 to 1 to 9, and the rows are counted, also where the
#   count of gpkg_ogr_contents is NULL.
# What follows: SQL that makes a layer writes its bounds into gpkg_contents, before something else appends.
#
#   usage: findings/bounds-of-the-appended-row.sh     prints the bounds; ends with 1 if they change
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --only-binary :all: \
  --target "$folder/python" pyogrio==0.13.0 numpy==2.4.6
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import contextlib, os, sqlite3, struct, sys

import numpy, pyogrio

def write(path, places, **options):
    points = numpy.array([struct.pack("<BIdd", 1, 1, place, place) for place in places], dtype=object)
    names = numpy.array([f"stop {place}" for place in places], dtype=object)
    pyogrio.raw.write(path, points, [names], ["name"], driver="GPKG", layer="stop", geometry_type="Point",
                      crs="EPSG:4326", **options)

def run(path, sql):
    with contextlib.closing(sqlite3.connect(path)) as connection:
        rows = connection.execute(sql).fetchall()
        connection.commit()
        return rows

def bounds(path):
    stated = run(path, "SELECT min_x, max_x FROM gpkg_contents")[0]
    forced = pyogrio.read_info(path, layer="stop", force_total_bounds=True, force_feature_count=True)
    found = len(pyogrio.raw.read(path, layer="stop", bbox=(0, 0, 5, 5))[2])
    low, _, high, _ = forced["total_bounds"]
    return f"stated {stated[0]} to {stated[1]}, GDAL {low} to {high}, rows {forced['features']}, below 5: {found}"

print("GDAL", pyogrio.__gdal_version_string__)
CHANGES = {
    "bounds as they were": "SELECT 1",
    "no count": "UPDATE gpkg_ogr_contents SET feature_count = NULL",
    "no bounds": "UPDATE gpkg_contents SET min_x = NULL, min_y = NULL, max_x = NULL, max_y = NULL",
}
for change, sql in CHANGES.items():
    for index in ("YES", "NO"):
        path = os.path.join(sys.argv[1], f"{change} {index}.gpkg")
        write(path, [1, 2, 3], layer_options={"SPATIAL_INDEX": index})
        run(path, sql)
        before = bounds(path)
        write(path, [9], append=True)
        print(f"{change}, index {index}: {before} | appended: {bounds(path)}")
END_OF_PYTHON
PYTHONPATH=$folder/python python3 "$folder/ask.py" "$folder" | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
GDAL 3.12.4
bounds as they were, index YES: stated 1.0 to 3.0, GDAL 1.0 to 3.0, rows 3, below 5: 3 | appended: stated 1.0 to 9.0, GDAL 1.0 to 9.0, rows 4, below 5: 3
bounds as they were, index NO: stated 1.0 to 3.0, GDAL 1.0 to 3.0, rows 3, below 5: 3 | appended: stated 1.0 to 9.0, GDAL 1.0 to 9.0, rows 4, below 5: 3
no count, index YES: stated 1.0 to 3.0, GDAL 1.0 to 3.0, rows 3, below 5: 3 | appended: stated 1.0 to 9.0, GDAL 1.0 to 9.0, rows 4, below 5: 3
no count, index NO: stated 1.0 to 3.0, GDAL 1.0 to 3.0, rows 3, below 5: 3 | appended: stated 1.0 to 9.0, GDAL 1.0 to 9.0, rows 4, below 5: 3
no bounds, index YES: stated None to None, GDAL 1.0 to 3.0, rows 3, below 5: 3 | appended: stated 9.0 to 9.0, GDAL 9.0 to 9.0, rows 4, below 5: 3
no bounds, index NO: stated None to None, GDAL 1.0 to 3.0, rows 3, below 5: 3 | appended: stated 9.0 to 9.0, GDAL 9.0 to 9.0, rows 4, below 5: 3
END_OF_FOUND
