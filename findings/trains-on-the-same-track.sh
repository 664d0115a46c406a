#!/bin/sh
# A feed is cut into the ways from stop to stop, for a map of delays: local trains, expresses and a second line have one
# shape, as they have one track, and whichever trip comes first in the file decides which ways there are.
#
# Guess: each pair of stops that some trip serves one behind the other has its way, along the shape of that trip.
# Found (gtfs-route-segments 0.1.1), without a warning, and with an empty list of failures:
# - Of each shape one trip is cut, the first in trips.txt. The ways of an express on it are absent; or with the express
#   first, all of the local trains. A second line on the shape has none.
# - In a real feed, Caltrain's of 2018, 68 of 130 pairs of stops were absent, over which a fifth of the rides go.
# - Trips without a shape are not mentioned.
# - Right: loops, ways out and back, and rows in another order.
# What follows: shapes are made per pattern of stops before, by new identifiers, and the pairs are counted afterwards.
#
#   usage: findings/trains-on-the-same-track.sh     prints the ways; ends with 1 if they change
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --only-binary :all: \
  --target "$folder/python" gtfs-route-segments==0.1.1 geopandas==1.2.0 pandas==3.1.1 numpy==2.4.6 shapely==2.2.0 \
  2>"$folder/log"
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import contextlib, importlib.metadata, io, os, sys, warnings

from gtfs_segments import segment_feed

warnings.simplefilter("ignore")
STOPS = {"Port": (48, 9.0), "Quay": (48, 9.01), "Mill": (48, 9.02), "Town": (48, 9.03), "Farm": (48.01, 9.02)}
LOCAL, EXPRESS = ("7", "track", "Port Quay Mill Town"), ("7", "track", "Port Town")
SECOND = ("8", "track", "Port Mill Town")
FEEDS = {
    "local first": [LOCAL, EXPRESS, SECOND],
    "express first": [EXPRESS, LOCAL, SECOND],
    "out and back": [("7", "back", "Port Quay Mill Quay Port")],
    "loop": [("7", "loop", "Quay Mill Farm Quay")],
    "no shape": [LOCAL, ("8", "", "Mill Farm")],
}
SHAPES = {"track": "Port Quay Mill Town", "back": "Port Quay Mill Quay Port", "loop": "Quay Mill Farm Quay"}

def write(folder, trips):
    os.makedirs(folder)
    tables = {
        "agency": ["agency_id,agency_name,agency_url,agency_timezone", "a,Rail,https://www.bahn.de,Europe/Berlin"],
        "routes": ["route_id,agency_id,route_short_name,route_type", "7,a,7,2", "8,a,8,2"],
        "calendar": ["service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date",
                     "s,1,1,1,1,1,1,1,20260101,20261231"],
        "stops": ["stop_id,stop_name,stop_lat,stop_lon",
                  *(f"{id},{id},{lat},{lon}" for id, (lat, lon) in STOPS.items())],
        "trips": ["route_id,service_id,trip_id,shape_id"],
        "stop_times": ["trip_id,stop_id,stop_sequence,arrival_time,departure_time"],
        "shapes": ["shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence"],
    }
    for number, (route, shape, stops) in enumerate(trips):
        tables["trips"].append(f"{route},s,trip {number},{shape}")
        tables["stop_times"] += [f"trip {number},{stop},{place},08:{place:02}:00,08:{place:02}:00"
                                 for place, stop in enumerate(stops.split())]
    for shape in sorted({shape for _, shape, _ in trips if shape}):
        tables["shapes"] += [f"{shape},{STOPS[stop][0]},{STOPS[stop][1]},{place}"
                             for place, stop in enumerate(SHAPES[shape].split())]
    for name, lines in tables.items():
        with open(os.path.join(folder, name + ".txt"), "w") as file:
            file.write("\n".join(lines) + "\n")

print("gtfs-route-segments", importlib.metadata.version("gtfs-route-segments"))
for name, trips in FEEDS.items():
    folder = os.path.join(sys.argv[1], name)
    write(folder, trips)
    with contextlib.redirect_stdout(io.StringIO()):
        result = segment_feed(folder)
    found = [(str(first), str(second)) for first, second in
             result["segments"][["from_stop_id", "to_stop_id"]].itertuples(index=False)]
    served = {pair for _, _, stops in trips for pair in zip(stops.split(), stops.split()[1:])}
    absent = served - set(found)
    print(f"{name}: {', '.join(f'{first} {second}' for first, second in found)} | absent:",
          ", ".join(sorted(" ".join(pair) for pair in absent)) or "none", "| failures:", len(result["failures"]))
END_OF_PYTHON
PYTHONPATH=$folder/python python3 "$folder/ask.py" "$folder" | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
gtfs-route-segments 0.1.1
local first: Port Quay, Quay Mill, Mill Town | absent: Port Mill, Port Town | failures: 0
express first: Port Town | absent: Mill Town, Port Mill, Port Quay, Quay Mill | failures: 0
out and back: Port Quay, Quay Mill, Mill Quay, Quay Port | absent: none | failures: 0
loop: Quay Mill, Mill Farm, Farm Quay | absent: none | failures: 0
no shape: Port Quay, Quay Mill, Mill Town | absent: Mill Farm | failures: 0
END_OF_FOUND
