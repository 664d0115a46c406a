#!/bin/sh
# Zones are compared with stops and with each other in SQLite by sqlite-tg: a zone does not contain the two stops of a
# line if one of them is on its border, does not touch its neighbor, and another zone that fills its hole is within it.
#
# Guess: tg_contains, tg_within and tg_touches are the predicates of Simple Features, as they are in GEOS and as SQL/MM
# has them: a geometry is contained if no point of it is outside and one is inside.
# Found (sqlite-tg 0.0.1a21 in apsw's SQLite 3.54.1, beside GEOS in Shapely 2.2.0), without an error:
# - tg_contains and tg_within of a MultiPoint with one point inside and another one on the border, or on that of a hole,
#   are 0, and of a line from corner to corner that goes on along the border. tg_covers of the points is right.
# - A polygon that fills the hole of another one is within it and covered by it, by all four predicates.
# - tg_touches of a zone and some of its neighbors is 0, such as one whose side is a part of the zone's side, and of a
#   line that runs along a border and beyond both of its ends.
# - tg_within and tg_coveredby of a line in another line are 1 if its first two points are on that one, though it goes
#   elsewhere from there.
# - Right: tg_intersects, tg_disjoint, and single points.
# What follows: stops are compared one by one, or by tg_covers; lines and neighbors by another library.
#
#   usage: findings/stop-on-the-border-of-a-zone.sh     prints what differs; ends with 1 if it changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import random

import apsw, shapely, sqlite_tg

app = apsw.Connection(":memory:")
app.enable_load_extension(True)
app.load_extension(sqlite_tg.loadable_path())
PREDICATES = {"intersects": "intersects", "disjoint": "disjoint", "contains": "contains", "within": "within",
              "covers": "covers", "coveredby": "covered_by", "touches": "touches"}

def by_tg(predicate, a, b):
    return [answer for answer, in app.execute(f"SELECT tg_{predicate}(?, ?)", [a, b])][0]

def by_geos(predicate, a, b):
    return int(getattr(shapely.from_wkt(a), PREDICATES[predicate])(shapely.from_wkt(b)))

def ask(predicate, a, b):
    answers = by_tg(predicate, a, b), by_geos(predicate, a, b)
    print(f"tg_{predicate}({a}, {b}) is {answers[0]}{'' if answers[0] == answers[1] else f', IN GEOS {answers[1]}'}")

[version] = app.execute("SELECT tg_version()").fetchone()
print("sqlite-tg", version, "| SQLite", apsw.sqlite_lib_version(), "| Shapely", shapely.__version__)
ZONE = "POLYGON((0 0,4 0,4 4,0 4,0 0))"
HOLE = "POLYGON((0 0,9 0,9 9,0 9,0 0),(2 2,2 4,4 4,4 2,2 2))"
for predicate in ("contains", "covers"):
    for stops in ("POINT(0 2)", "POINT(2 2)", "MULTIPOINT(2 2,3 3)", "MULTIPOINT(2 2,0 2)", "MULTIPOINT(0 2,2 2)"):
        ask(predicate, ZONE, stops)
    ask(predicate, HOLE, "MULTIPOINT(6 6,2 3)")
ask("within", "LINESTRING(0 4,4 0,4 3)", ZONE)
ask("within", "LINESTRING(1 1,3 3,3 1)", ZONE)
for line in ("LINESTRING(0 1,0 3)", "LINESTRING(0 0,0 4)", "LINESTRING(0 -1,0 3)", "LINESTRING(0 -1,0 5)"):
    ask("touches", ZONE, line)
for neighbor in ("POLYGON((4 0,8 0,8 4,4 4,4 0))", "POLYGON((4 1,8 1,8 3,4 3,4 1))",
                 "POLYGON((4 -1,8 -1,8 5,4 5,4 -1))"):
    ask("touches", ZONE, neighbor)
    ask("touches", neighbor, ZONE)
FILLING = "POLYGON((2 2,4 2,4 4,2 4,2 2))"
ask("within", FILLING, HOLE)
ask("coveredby", FILLING, HOLE)
ask("covers", HOLE, FILLING)
ask("contains", HOLE, FILLING)
for line in ("LINESTRING(0 1,0 2)", "LINESTRING(0 1,0 2,3 2)", "LINESTRING(3 2,0 2,0 1)", "LINESTRING(0 1,3 2)"):
    ask("within", line, "LINESTRING(5 5,0 4,0 0)")
    ask("coveredby", line, "LINESTRING(5 5,0 4,0 0)")

random.seed(1)
def place():
    return f"{random.randint(0, 8)} {random.randint(0, 8)}"
def square(west, south, side):
    east, north = west + side, south + side
    return f"({west} {south},{east} {south},{east} {north},{west} {north},{west} {south})"
def polygon():
    west, south, side = random.randint(0, 8), random.randint(0, 8), random.randint(1, 5)
    return f"POLYGON({square(west, south, side)}{',' + square(west + 1, south + 1, 1) if side > 2 else ''})"
KINDS = {"a point": lambda: f"POINT({place()})", "points": lambda: f"MULTIPOINT({place()},{place()})",
         "a line": lambda: f"LINESTRING({place()},{place()},{place()})", "a polygon": polygon}
wrong = {}
for first in KINDS:
    for second in KINDS:
        for _ in range(400):
            a, b = KINDS[first](), KINDS[second]()
            if shapely.is_valid(shapely.from_wkt(a)) and shapely.is_valid(shapely.from_wkt(b)):
                for predicate in PREDICATES:
                    if by_tg(predicate, a, b) != by_geos(predicate, a, b):
                        wrong.setdefault(predicate, {}).setdefault(f"{first} and {second}", []).append((a, b))
for predicate in PREDICATES:
    print(f"at random, tg_{predicate}:", ", ".join(
        f"{kinds} {len(pairs)}" for kinds, pairs in wrong.get(predicate, {}).items()) or "as GEOS has it")
END_OF_PYTHON
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --only-binary :all: \
  --target "$folder/packages" sqlite-tg==0.0.1a21 apsw==3.54.1.0 shapely==2.2.0 numpy==2.4.6 2>"$folder/log"
PYTHONPATH=$folder/packages python3 "$folder/ask.py" | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
sqlite-tg v0.0.1-alpha.21 | SQLite 3.54.1 | Shapely 2.2.0
tg_contains(POLYGON((0 0,4 0,4 4,0 4,0 0)), POINT(0 2)) is 0
tg_contains(POLYGON((0 0,4 0,4 4,0 4,0 0)), POINT(2 2)) is 1
tg_contains(POLYGON((0 0,4 0,4 4,0 4,0 0)), MULTIPOINT(2 2,3 3)) is 1
tg_contains(POLYGON((0 0,4 0,4 4,0 4,0 0)), MULTIPOINT(2 2,0 2)) is 0, IN GEOS 1
tg_contains(POLYGON((0 0,4 0,4 4,0 4,0 0)), MULTIPOINT(0 2,2 2)) is 0, IN GEOS 1
tg_contains(POLYGON((0 0,9 0,9 9,0 9,0 0),(2 2,2 4,4 4,4 2,2 2)), MULTIPOINT(6 6,2 3)) is 0, IN GEOS 1
tg_covers(POLYGON((0 0,4 0,4 4,0 4,0 0)), POINT(0 2)) is 1
tg_covers(POLYGON((0 0,4 0,4 4,0 4,0 0)), POINT(2 2)) is 1
tg_covers(POLYGON((0 0,4 0,4 4,0 4,0 0)), MULTIPOINT(2 2,3 3)) is 1
tg_covers(POLYGON((0 0,4 0,4 4,0 4,0 0)), MULTIPOINT(2 2,0 2)) is 1
tg_covers(POLYGON((0 0,4 0,4 4,0 4,0 0)), MULTIPOINT(0 2,2 2)) is 1
tg_covers(POLYGON((0 0,9 0,9 9,0 9,0 0),(2 2,2 4,4 4,4 2,2 2)), MULTIPOINT(6 6,2 3)) is 1
tg_within(LINESTRING(0 4,4 0,4 3), POLYGON((0 0,4 0,4 4,0 4,0 0))) is 0, IN GEOS 1
tg_within(LINESTRING(1 1,3 3,3 1), POLYGON((0 0,4 0,4 4,0 4,0 0))) is 1
tg_touches(POLYGON((0 0,4 0,4 4,0 4,0 0)), LINESTRING(0 1,0 3)) is 1
tg_touches(POLYGON((0 0,4 0,4 4,0 4,0 0)), LINESTRING(0 0,0 4)) is 1
tg_touches(POLYGON((0 0,4 0,4 4,0 4,0 0)), LINESTRING(0 -1,0 3)) is 1
tg_touches(POLYGON((0 0,4 0,4 4,0 4,0 0)), LINESTRING(0 -1,0 5)) is 0, IN GEOS 1
tg_touches(POLYGON((0 0,4 0,4 4,0 4,0 0)), POLYGON((4 0,8 0,8 4,4 4,4 0))) is 1
tg_touches(POLYGON((4 0,8 0,8 4,4 4,4 0)), POLYGON((0 0,4 0,4 4,0 4,0 0))) is 1
tg_touches(POLYGON((0 0,4 0,4 4,0 4,0 0)), POLYGON((4 1,8 1,8 3,4 3,4 1))) is 0, IN GEOS 1
tg_touches(POLYGON((4 1,8 1,8 3,4 3,4 1)), POLYGON((0 0,4 0,4 4,0 4,0 0))) is 0, IN GEOS 1
tg_touches(POLYGON((0 0,4 0,4 4,0 4,0 0)), POLYGON((4 -1,8 -1,8 5,4 5,4 -1))) is 1
tg_touches(POLYGON((4 -1,8 -1,8 5,4 5,4 -1)), POLYGON((0 0,4 0,4 4,0 4,0 0))) is 1
tg_within(POLYGON((2 2,4 2,4 4,2 4,2 2)), POLYGON((0 0,9 0,9 9,0 9,0 0),(2 2,2 4,4 4,4 2,2 2))) is 1, IN GEOS 0
tg_coveredby(POLYGON((2 2,4 2,4 4,2 4,2 2)), POLYGON((0 0,9 0,9 9,0 9,0 0),(2 2,2 4,4 4,4 2,2 2))) is 1, IN GEOS 0
tg_covers(POLYGON((0 0,9 0,9 9,0 9,0 0),(2 2,2 4,4 4,4 2,2 2)), POLYGON((2 2,4 2,4 4,2 4,2 2))) is 1, IN GEOS 0
tg_contains(POLYGON((0 0,9 0,9 9,0 9,0 0),(2 2,2 4,4 4,4 2,2 2)), POLYGON((2 2,4 2,4 4,2 4,2 2))) is 1, IN GEOS 0
tg_within(LINESTRING(0 1,0 2), LINESTRING(5 5,0 4,0 0)) is 1
tg_coveredby(LINESTRING(0 1,0 2), LINESTRING(5 5,0 4,0 0)) is 1
tg_within(LINESTRING(0 1,0 2,3 2), LINESTRING(5 5,0 4,0 0)) is 1, IN GEOS 0
tg_coveredby(LINESTRING(0 1,0 2,3 2), LINESTRING(5 5,0 4,0 0)) is 1, IN GEOS 0
tg_within(LINESTRING(3 2,0 2,0 1), LINESTRING(5 5,0 4,0 0)) is 0
tg_coveredby(LINESTRING(3 2,0 2,0 1), LINESTRING(5 5,0 4,0 0)) is 0
tg_within(LINESTRING(0 1,3 2), LINESTRING(5 5,0 4,0 0)) is 0
tg_coveredby(LINESTRING(0 1,3 2), LINESTRING(5 5,0 4,0 0)) is 0
at random, tg_intersects: as GEOS has it
at random, tg_disjoint: as GEOS has it
at random, tg_contains: a line and points 1, a polygon and points 3
at random, tg_within: points and a line 2, points and a polygon 4, a line and a polygon 1, a polygon and a polygon 1
at random, tg_covers: as GEOS has it
at random, tg_coveredby: a line and a polygon 1, a polygon and a polygon 1
at random, tg_touches: a line and points 1, a line and a line 2, a line and a polygon 5, a polygon and a line 7, a polygon and a polygon 7
END_OF_FOUND
