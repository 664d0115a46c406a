#!/bin/sh
# A style colors by step what is 0.7 or more, or vehicles by the time at which they were last seen, in seconds: a value
# of exactly 0.7 is below 0.7 for MapLibre Native, and a vehicle has the other color a minute too early or too late.
#
# Guess: step takes the output of the last stop that is not above the input
# (https://maplibre.org/maplibre-style-spec/expressions/#step), and numbers are those of JavaScript, 64 bits wide, as
# they are in comparisons.
# Found (mapli 0.4.1), without an error:
# - The input of step and of interpolate has 32 bits, and the stops have 64: of the 89 values from 1.1 to 9.9 in tenths,
#   36 are below a stop that is written with the same digits. Halves and whole numbers up to 16777216 are right.
# - Seconds since 1970 are rounded to multiples of 128: at a stop a vehicle changes up to 64 seconds too early or too
#   late, and a color between two stops moves in steps of two minutes. Ids of nodes of OpenStreetMap are rounded to 1024.
# - Right: >=, which takes 0.7 for 0.7, case and match, and step of a difference, ["-", ["get", …], 1767225600].
# What follows: a stop lies between two values that occur, 0.65, and instants are compared, or counted from a near one.
#
#   usage: findings/value-at-its-stop.sh     prints what is on the wrong side; ends with 1 if one of the results changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import importlib.metadata, json

import mapli

pool = mapli.RenderPool()
count = 0

def draw(sources, layers):
    global count
    count += 1
    pool.register_style(str(count), json=json.dumps({"version": 8, "sources": sources, "layers": layers}))
    return pool.render(str(count), lon=0, lat=0, zoom=2, width=16, height=16)

EMPTY = draw({}, [])
VALUE = ["get", "value"]

def is_true(condition, value):
    source = {"type": "geojson", "data": {"type": "Feature", "properties": {"value": value},
                                          "geometry": {"type": "Point", "coordinates": [0, 0]}}}
    return draw({"s": source}, [{"id": "a", "type": "circle", "source": "s", "paint": {"circle-radius": 20},
                                 "filter": condition}]) != EMPTY

def is_above(stop, value, input=VALUE):
    return is_true(["==", ["step", input, "below", stop, "above"], "above"], value)

print("mapli", importlib.metadata.version("mapli"))
tenths = [number / 10 for number in range(11, 100)]
below = [tenth for tenth in tenths if not is_above(tenth, tenth)]
print(f"of {len(tenths)} tenths {len(below)} are below themselves:", *below[:6], "…")
print("by >=:", sum(not is_true([">=", VALUE, tenth], tenth) for tenth in tenths))
for stop in (0.7, 0.5, 48.1, 16777216, 16777217):
    print(f"{stop} at its stop:", "above" if is_above(stop, stop) else "BELOW")
for stop in (1767225600, 1767225665, 1767225663, 12000000001):
    wrong = [late for late in (-600, -64, -63, -35, -1, 0, 1, 30, 63, 64, 600)
             if is_above(stop, stop + late) != (late >= 0)]
    print(f"a stop at {stop}: on the wrong side by", *wrong or ["none"])
print("of a difference:", *[late for late in (-64, -1, 0, 1, 63) if is_above(0, 1767225600 + late, [
    "-", VALUE, 1767225600]) != (late >= 0)] or ["none"])
FADE = ["interpolate", ["linear"], VALUE, 1767225600, 0, 1767225900, 300]
TENS = ["*", 10, ["round", ["/", FADE, 10]]]
print("seconds of 300:", *[f"{late} is {number}," for late in (30, 60, 90, 120, 200, 290) for number in range(0, 310, 10)
                           if is_true(["==", TENS, number], 1767225600 + late)])
END_OF_PYTHON
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --no-deps \
  --only-binary :all: --target "$folder/packages" mapli==0.4.1 2>"$folder/log"
EGL_PLATFORM=surfaceless PYTHONPATH=$folder/packages python3 "$folder/ask.py" 2>"$folder/log" | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
mapli 0.4.1
of 89 tenths 36 are below themselves: 1.3 1.4 1.8 1.9 2.1 2.3 …
by >=: 0
0.7 at its stop: BELOW
0.5 at its stop: above
48.1 at its stop: BELOW
16777216 at its stop: above
16777217 at its stop: BELOW
a stop at 1767225600: on the wrong side by -64 -63 -35 -1
a stop at 1767225665: on the wrong side by none
a stop at 1767225663: on the wrong side by 0 1
a stop at 12000000001: on the wrong side by 0 1 30 63 64
of a difference: none
seconds of 300: 30 is 0, 60 is 0, 90 is 150, 120 is 150, 200 is 300, 290 is 300,
END_OF_FOUND
