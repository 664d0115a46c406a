#!/bin/sh
# An express sets down only at its last stops, and nobody may board it there: ferrobus, a router, has people ride it
# from one to the next. It has them change in no time, too, where the feed says ten minutes, or that it is impossible.
#
# Guess: pickup_type and drop_off_type of 1 are obeyed, as they are in each bus to an airport, and so is transfers.txt,
# or its rows count as missing as a whole.
# Found (ferrobus 0.2.1), without an error:
# - pickup_type and drop_off_type have no effect: a call where nobody may board, or alight, is one like others.
# - A row from a stop to itself has none: with a min_transfer_time of 600, and with transfer_type 3, one changes there
#   in the same minute. Right: a row from one stop to another, whose min_transfer_time is the walk.
# - Who stays in the vehicle, by block_id, changes, and with max_transfers of 0 gets no answer.
# What follows: what such a router finds is compared with the feed before it is shown.
#
#   usage: findings/set-down-only-in-ferrobus.sh     prints the journeys; ends with 1 if one of them changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import datetime, importlib.metadata, json, os, sys

import ferrobus, osmium

STOPS = {"Quay": 52.0, "Mill": 52.3, "Farm": 52.6, "Gate": 52.9}

def streets():
    path = os.path.join(sys.argv[1], "streets.osm.pbf")
    ways = [[2 * number + 1, 2 * number + 2] for number in range(len(STOPS))] + [[1, 3, 5, 7]]
    with osmium.SimpleWriter(path) as writer:
        for number, latitude in enumerate(STOPS.values()):
            for side in (0, 1):
                place = (13 + side / 1000, latitude)
                writer.add_node(osmium.osm.mutable.Node(id=2 * number + 1 + side, version=1, location=place))
        for number, nodes in enumerate(ways, 1):
            writer.add_way(osmium.osm.mutable.Way(id=number, version=1, nodes=nodes, tags={"highway": "footway"}))
    return path

def feed(name, calls, block, transfer):
    trips = dict.fromkeys(call.split(",")[0] for call in calls)
    files = {
        "agency": "agency_id,agency_name,agency_url,agency_timezone\nA,Agency,https://a.example,Etc/UTC\n",
        "calendar": "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
                    "D,0,1,0,0,0,0,0,20260602,20260602\n",
        "routes": "route_id,agency_id,route_short_name,route_type\nr,A,1,3\n",
        "stops": "stop_id,stop_name,stop_lat,stop_lon\n" + "".join(
            f"{stop},{stop},{latitude},13.0\n" for stop, latitude in STOPS.items()),
        "trips": "route_id,service_id,trip_id,block_id\n" + "".join(f"r,D,{trip},{block}\n" for trip in trips),
        "stop_times": "trip_id,arrival_time,departure_time,stop_id,stop_sequence,pickup_type,drop_off_type\n"
                      + "".join(f"{trip},{time}:00,{time}:00,{stop},{number},{board},{alight}\n" for
                                trip, time, stop, number, board, alight in (call.split(",") for call in calls)),
        "transfers": "from_stop_id,to_stop_id,transfer_type,min_transfer_time\n" + transfer,
    }
    path = os.path.join(sys.argv[1], name)
    os.mkdir(path)
    for file, text in files.items():
        with open(os.path.join(path, file + ".txt"), "w") as out:
            out.write(text)
    return path

def clock(seconds):
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}"

def journey(calls, origin, destination, block="", transfer="", changes=3):
    path = feed(str(len(os.listdir(sys.argv[1]))), calls, block, transfer)
    model = ferrobus.create_transit_model(roads, [path], datetime.date(2026, 6, 2), 1200)
    points = [ferrobus.create_transit_point(STOPS[stop], 13.0, model, 600, 10) for stop in (origin, destination)]
    found = ferrobus.detailed_journey(model, *points, 7 * 3600, changes)
    if found is None:
        return "none"
    legs = [feature["properties"] for feature in json.loads(found)["features"]]
    rides = [leg for leg in legs if leg["leg_type"] == "transit"]
    return ", ".join(f"{ride['trip_id']} {clock(ride['departure_time'])}-{clock(ride['arrival_time'])}"
                     for ride in rides) or "on foot"

EXPRESS = ["express,08:00,Quay,1,0,1", "express,08:30,Mill,2,1,0", "express,09:00,Farm,3,1,0"]
PASSED = ["express,08:00,Quay,1,0,1", "express,08:30,Mill,2,1,1", "express,09:00,Farm,3,1,0"]
FIRST = ["first,08:00,Quay,1,0,0", "first,08:30,Mill,2,0,0"]
AT_MILL = FIRST + ["second,08:30,Mill,1,0,0", "second,09:00,Farm,2,0,0"]
AT_GATE = FIRST + ["second,08:35,Gate,1,0,0", "second,08:45,Gate,2,0,0", "second,09:00,Farm,3,0,0"]
print("ferrobus", importlib.metadata.version("ferrobus"))
roads = streets()
print("nobody boards at Mill, Mill to Farm:", journey(EXPRESS, "Mill", "Farm"))
print("nobody alights at Mill, Quay to Mill:", journey(PASSED, "Quay", "Mill"))
for transfer in ("", "Mill,Mill,2,600\n", "Mill,Mill,3,\n"):
    print(f"change at Mill, {transfer.strip() or 'no transfer'}: {journey(AT_MILL, 'Quay', 'Farm', transfer=transfer)}")
for transfer in ("", "Mill,Gate,2,600\n", "Mill,Gate,2,1200\n"):
    print(f"change to Gate, {transfer.strip() or 'no transfer'}: {journey(AT_GATE, 'Quay', 'Farm', transfer=transfer)}")
for block in ("", "B"):
    print(f"block {block or 'none'}, without a change: {journey(AT_MILL, 'Quay', 'Farm', block, changes=0)}")
END_OF_PYTHON
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --no-deps \
  --only-binary :all: --target "$folder/packages" ferrobus==0.2.1 osmium==4.3.2
# It writes a line about each file of a feed that is not there.
PYTHONPATH=$folder/packages python3 "$folder/ask.py" "$folder" 2>"$folder/log" | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
ferrobus 0.2.1
nobody boards at Mill, Mill to Farm: express 08:30-09:00
nobody alights at Mill, Quay to Mill: express 08:00-08:30
change at Mill, no transfer: first 08:00-08:30, second 08:30-09:00
change at Mill, Mill,Mill,2,600: first 08:00-08:30, second 08:30-09:00
change at Mill, Mill,Mill,3,: first 08:00-08:30, second 08:30-09:00
change to Gate, no transfer: none
change to Gate, Mill,Gate,2,600: first 08:00-08:30, second 08:45-09:00
change to Gate, Mill,Gate,2,1200: none
block none, without a change: none
block B, without a change: none
END_OF_FOUND
