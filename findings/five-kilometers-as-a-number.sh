#!/bin/sh
# A style makes numbers of texts, "5 km", "12:05" or "1,5", with another number where that is not possible: MapLibre
# Native takes what the text begins with, 5, 12 and 1; and true is no number.
#
# Guess: a text is read as JavaScript reads it, as a whole or not at all, an empty one is 0, and true is 1, as the
# style's specification has it (https://maplibre.org/maplibre-style-spec/expressions/#to-number). What number-format
# cuts off it rounds as JavaScript's Intl.NumberFormat does, halves away from zero.
# Found (mapli 0.4.1), without an error:
# - to-number of "5 km" is 5, of "12:05" 12, of "1,5" 1, of "2026-06-02" 2026, and of "7a" and "7b" 7 both. Of an empty
#   text, of true and of false it is the other number, or an error where there is none, which draws nothing.
# - number-format of 0.5, 1.5 and 2.5 without digits behind the point is 0, 2 and 2; of 1.25 with one digit 1.2.
# - Right: spaces around, 0x10, 1e3, null, and round.
# What follows: texts are compared as texts, or tiles have numbers; halves are rounded by round before they are written.
#
#   usage: findings/five-kilometers-as-a-number.sh     prints the numbers; ends with 1 if one of them changes
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

def which(expression, value, candidates):
    source = {"type": "geojson", "data": {"type": "Feature", "properties": {"value": value},
                                          "geometry": {"type": "Point", "coordinates": [0, 0]}}}
    return [candidate for candidate in candidates if draw({"s": source}, [
        {"id": "a", "type": "circle", "source": "s", "paint": {"circle-radius": 20},
         "filter": ["==", expression, candidate]}]) != EMPTY] or ["nothing"]

VALUE = ["get", "value"]
print("mapli", importlib.metadata.version("mapli"))
for value in ("5", " 5 ", "5 km", "km 5", "12:05", "1,5", "2026-06-02", "7a", "7b", "0x10", "1e3", "", True, False,
              None):
    numbers = [*range(17), 1000, 2026]
    print(f"to-number of {json.dumps(value)}: {which(['to-number', VALUE, -99], value, [*numbers, -99])[0]},",
          "alone", which(["to-number", VALUE], value, numbers)[0])
for value in (0.5, 1.5, 2.5, -2.5):
    candidates = ["-3", "-2", "-1", "-0", "0", "1", "2", "3"]
    print(f"{value} without digits:", *which(
        ["number-format", VALUE, {"locale": "en", "max-fraction-digits": 0}], value, candidates),
          "| by round:", *which(["round", VALUE], value, [-3, -2, 0, 1, 2, 3]))
print("1.25 with one digit:", *which(["number-format", VALUE, {"locale": "en", "max-fraction-digits": 1}], 1.25,
                                     ["1.2", "1.3"]))
END_OF_PYTHON
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --no-deps \
  --only-binary :all: --target "$folder/packages" mapli==0.4.1 2>"$folder/log"
EGL_PLATFORM=surfaceless PYTHONPATH=$folder/packages python3 "$folder/ask.py" 2>"$folder/log" | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
mapli 0.4.1
to-number of "5": 5, alone 5
to-number of " 5 ": 5, alone 5
to-number of "5 km": 5, alone 5
to-number of "km 5": -99, alone nothing
to-number of "12:05": 12, alone 12
to-number of "1,5": 1, alone 1
to-number of "2026-06-02": 2026, alone 2026
to-number of "7a": 7, alone 7
to-number of "7b": 7, alone 7
to-number of "0x10": 16, alone 16
to-number of "1e3": 1000, alone 1000
to-number of "": -99, alone nothing
to-number of true: -99, alone nothing
to-number of false: -99, alone nothing
to-number of null: 0, alone 0
0.5 without digits: 0 | by round: 1
1.5 without digits: 2 | by round: 2
2.5 without digits: 2 | by round: 3
-2.5 without digits: -2 | by round: -3
1.25 with one digit: 1.2
END_OF_FOUND
