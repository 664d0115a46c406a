#!/bin/sh
# An app keeps the zones of demand-responsive services in SQLite's geopoly and reads them as JSON for its map: a stop's
# forecourt of thirty meters is a line on it, and once it is written back, nobody is in it.
#
# Guess: geopoly stores coordinates in 32 bits, as documented (https://www.sqlite.org/geopoly.html), which is a meter at
# most; geopoly_json() writes what is stored, so that it can be read again without a change.
# Found (apsw's wheels of SQLite 3.40 to 3.54), in all versions:
# - geopoly_json() and geopoly_svg() write six significant digits of a coordinate, though seven to nine are stored: at
#   13.404954 degrees three decimals are left, and above 100 degrees as well. Corners are moved by up to 60 meters.
# - A square of thirty meters has two corners at each of two places then. Inserted again from its own JSON it has an
#   area of 0 and contains no point, and a search by a small square in it does not find it any more.
# - geopoly_bbox() and geopoly_xform(), whose results are read as JSON, are cut in the same way.
# - Right: geopoly_blob(), which is less than a meter off, and the answers for what was inserted first.
# What follows: corners are read from the blob, four bytes each behind a header of four, or kept beside it.
#
#   usage: findings/zone-out-of-geopoly.sh     prints how far corners are moved; ends with 1 if it changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import json, math, struct

import apsw

app = apsw.Connection(":memory:")

def ask(statement, *values):
    return list(app.execute(statement, values))[0]

def meters(a, b):
    return math.hypot((a[0] - b[0]) * 111320 * math.cos(math.radians(b[1])), (a[1] - b[1]) * 110574)

def square(west, south, side):
    east, north = west + side, south + side
    return json.dumps([[west, south], [east, south], [east, north], [west, north], [west, south]])

version = (apsw.sqlite_lib_version if hasattr(apsw, "sqlite_lib_version") else apsw.sqlitelibversion)()
print(f"SQLite {version}")
for place in [(13.404954, 52.520008), (-0.127758, 51.507351), (139.767549, 35.681549), (100.000499, 0.000499)]:
    text, blob = ask("SELECT geopoly_json(?1), geopoly_blob(?1)", square(*place, 0.01))
    written, stored = json.loads(text)[0], struct.unpack("<ff", blob[4:12])
    print(f"  {place}: {written}, {meters(written, place):.0f} m off; stored {meters(stored, place):.1f} m off")
print("  as SVG:", *ask("SELECT geopoly_svg(?)", square(139.767549, 35.681549, 0.01)))
print("  turned by nothing:", *ask("SELECT geopoly_json(geopoly_xform(?, 1, 0, 0, 1, 0, 0))",
                                   square(139.767549, 35.681549, 0.01)))
app.execute("CREATE VIRTUAL TABLE zone USING geopoly()")
app.execute("INSERT INTO zone (_shape) VALUES (?)", [square(113.4049, 22.5203, 0.0003)])
for what in ("inserted", "inserted again from its JSON"):
    text, area, inside, found, box = ask(
        "SELECT geopoly_json(_shape), geopoly_area(_shape), geopoly_contains_point(_shape, ?1, ?2),"
        " (SELECT count(*) FROM zone WHERE geopoly_overlap(_shape, ?3)), geopoly_json(geopoly_bbox(_shape)) FROM zone",
        113.40505, 22.52045, square(113.40504, 22.52044, 0.00002))
    print(f"  {what}: {text}\n    box {box}\n    area {area:.1e}, contains its middle: {inside}, found by it: {found}")
    app.execute("UPDATE zone SET _shape = ?", [text])
END_OF_PYTHON
for version in 3.40.1.0 3.46.1.0 3.54.1.0; do
  python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --no-deps \
    --only-binary :all: --target "$folder/$version" "apsw==$version"
  PYTHONPATH=$folder/$version python3 "$folder/ask.py"
done | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
SQLite 3.40.1
  (13.404954, 52.520008): [13.405, 52.52], 3 m off; stored 0.0 m off
  (-0.127758, 51.507351): [-0.127758, 51.5074], 5 m off; stored 0.0 m off
  (139.767549, 35.681549): [139.768, 35.6815], 41 m off; stored 0.1 m off
  (100.000499, 0.000499): [100.0, 0.000499], 56 m off; stored 0.3 m off
  as SVG: <polyline points='139.768,35.6815 139.778,35.6815 139.778,35.6915 139.768,35.6915 139.768,35.6815'></polyline>
  turned by nothing: [[139.768,35.6815],[139.778,35.6815],[139.778,35.6915],[139.768,35.6915],[139.768,35.6815]]
  inserted: [[113.405,22.5203],[113.405,22.5203],[113.405,22.5206],[113.405,22.5206],[113.405,22.5203]]
    box [[113.405,22.5203],[113.405,22.5203],[113.405,22.5206],[113.405,22.5206],[113.405,22.5203]]
    area 8.9e-08, contains its middle: 2, found by it: 1
  inserted again from its JSON: [[113.405,22.5203],[113.405,22.5203],[113.405,22.5206],[113.405,22.5206],[113.405,22.5203]]
    box [[113.405,22.5203],[113.405,22.5203],[113.405,22.5206],[113.405,22.5206],[113.405,22.5203]]
    area 0.0e+00, contains its middle: 0, found by it: 0
SQLite 3.46.1
  (13.404954, 52.520008): [13.405, 52.52], 3 m off; stored 0.0 m off
  (-0.127758, 51.507351): [-0.127758, 51.5074], 5 m off; stored 0.0 m off
  (139.767549, 35.681549): [139.768, 35.6815], 41 m off; stored 0.1 m off
  (100.000499, 0.000499): [100.0, 0.000499], 56 m off; stored 0.3 m off
  as SVG: <polyline points='139.768,35.6815 139.778,35.6815 139.778,35.6915 139.768,35.6915 139.768,35.6815'></polyline>
  turned by nothing: [[139.768,35.6815],[139.778,35.6815],[139.778,35.6915],[139.768,35.6915],[139.768,35.6815]]
  inserted: [[113.405,22.5203],[113.405,22.5203],[113.405,22.5206],[113.405,22.5206],[113.405,22.5203]]
    box [[113.405,22.5203],[113.405,22.5203],[113.405,22.5206],[113.405,22.5206],[113.405,22.5203]]
    area 8.9e-08, contains its middle: 2, found by it: 1
  inserted again from its JSON: [[113.405,22.5203],[113.405,22.5203],[113.405,22.5206],[113.405,22.5206],[113.405,22.5203]]
    box [[113.405,22.5203],[113.405,22.5203],[113.405,22.5206],[113.405,22.5206],[113.405,22.5203]]
    area 0.0e+00, contains its middle: 0, found by it: 0
SQLite 3.54.1
  (13.404954, 52.520008): [13.405, 52.52], 3 m off; stored 0.0 m off
  (-0.127758, 51.507351): [-0.127758, 51.5074], 5 m off; stored 0.0 m off
  (139.767549, 35.681549): [139.768, 35.6815], 41 m off; stored 0.1 m off
  (100.000499, 0.000499): [100.0, 0.000499], 56 m off; stored 0.3 m off
  as SVG: <polyline points='139.768,35.6815 139.778,35.6815 139.778,35.6915 139.768,35.6915 139.768,35.6815'></polyline>
  turned by nothing: [[139.768,35.6815],[139.778,35.6815],[139.778,35.6915],[139.768,35.6915],[139.768,35.6815]]
  inserted: [[113.405,22.5203],[113.405,22.5203],[113.405,22.5206],[113.405,22.5206],[113.405,22.5203]]
    box [[113.405,22.5203],[113.405,22.5203],[113.405,22.5206],[113.405,22.5206],[113.405,22.5203]]
    area 8.9e-08, contains its middle: 2, found by it: 1
  inserted again from its JSON: [[113.405,22.5203],[113.405,22.5203],[113.405,22.5206],[113.405,22.5206],[113.405,22.5203]]
    box [[113.405,22.5203],[113.405,22.5203],[113.405,22.5206],[113.405,22.5206],[113.405,22.5203]]
    area 0.0e+00, contains its middle: 0, found by it: 0
END_OF_FOUND
