#!/bin/sh
# A slow ferry and a fast one call at the same quays, and the fast one overtakes: ferrobus, a router, takes the slow
# one, and sends people on foot, though a ferry comes.
#
# Guess: trips along a route of a router, as RAPTOR has them, do not overtake one another; those that do are two
# routes.
# Found (ferrobus 0.2.1), without an error, of a slow ferry, 08:00 to 10:30, and a fast one, 08:30 to 09:30:
# - Who asks at 08:00 for a way from Quay to Farm gets the slow one, and is there an hour later than need be.
# - At Mill, on their way, the fast one leaves at 09:00 and the slow one at 09:30. Who asks there at 08:45 waits for the
#   slow one. Who asks at 09:10 walks for six and a half hours, though it is still to come.
# - Right: the same two ferries where one of them skips Mill.
# What follows: before such a router a feed's trips are looked through for those that overtake one another.
#
#   usage: findings/fast-ferry-in-ferrobus.sh     prints the journeys; ends with 1 if one of them changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import datetime, importlib.metadata, json, os, sys

import ferrobus, osmium

STOPS = {"Quay": 52.0, "Mill": 52.3, "Farm": 52.6}

def streets():
    path = os.path.join(sys.argv[1], "streets.osm.pbf")
    ways = [[2 * number + 1, 2 * number + 2] for number in range(len(STOPS))] + [[1, 3, 5]]
    with osmium.SimpleWriter(path) as writer:
        for number, latitude in enumerate(STOPS.values()):
            for side in (0, 1):
                place = (13 + side / 1000, latitude)
                writer.add_node(osmium.osm.mutable.Node(id=2 * number + 1 + side, version=1, location=place))
        for number, nodes in enumerate(ways, 1):
            writer.add_way(osmium.osm.mutable.Way(id=number, version=1, nodes=nodes, tags={"highway": "footway"}))
    return path

def feed(name, calls):
    trips = dict.fromkeys(call.split(",")[0] for call in calls)
    files = {
        "agency": "agency_id,agency_name,agency_url,agency_timezone\nA,Agency,https://a.example,Etc/UTC\n",
        "calendar": "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
                    "D,0,1,0,0,0,0,0,20260602,20260602\n",
        "routes": "route_id,agency_id,route_short_name,route_type\nr,A,1,4\n",
        "stops": "stop_id,stop_name,stop_lat,stop_lon\n" + "".join(
            f"{stop},{stop},{latitude},13.0\n" for stop, latitude in STOPS.items()),
        "trips": "route_id,service_id,trip_id\n" + "".join(f"r,D,{trip}\n" for trip in trips),
        "stop_times": "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n" + "".join(
            f"{trip},{time}:00,{time}:00,{stop},{number}\n" for trip, time, stop, number in (
                call.split(",") for call in calls)),
    }
    path = os.path.join(sys.argv[1], name)
    os.mkdir(path)
    for file, text in files.items():
        with open(os.path.join(path, file + ".txt"), "w") as out:
            out.write(text)
    return path

def clock(seconds):
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}"

def journey(model, origin, destination, hour, minute):
    points = [ferrobus.create_transit_point(STOPS[stop], 13.0, model, 600, 10) for stop in (origin, destination)]
    found = ferrobus.detailed_journey(model, *points, hour * 3600 + minute * 60, 3)
    question = f"{origin} to {destination} at {hour:02}:{minute:02}: "
    if found is None:
        return question + "none"
    legs = [feature["properties"] for feature in json.loads(found)["features"]]
    rides = [leg for leg in legs if leg["leg_type"] == "transit"]
    return question + (", ".join(
        f"{ride['trip_id']} {clock(ride['departure_time'])}-{clock(ride['arrival_time'])}" for ride in rides)
        or f"on foot until {clock(legs[-1]['arrival_time'])}")

SLOW = ["slow,08:00,Quay,1", "slow,09:30,Mill,2", "slow,10:30,Farm,3"]
FAST = ["fast,08:30,Quay,1", "fast,09:00,Mill,2", "fast,09:30,Farm,3"]
print("ferrobus", importlib.metadata.version("ferrobus"))
roads = streets()
for name, calls in {
    "both by Mill": SLOW + FAST, "both by Mill, fast first": FAST + SLOW, "one skips Mill": SLOW + [FAST[0], FAST[2]],
}.items():
    model = ferrobus.create_transit_model(roads, [feed(name, calls)], datetime.date(2026, 6, 2), 1200)
    for question in [("Quay", "Farm", 8, 0), ("Quay", "Farm", 8, 1), ("Mill", "Farm", 8, 45), ("Mill", "Farm", 9, 10)]:
        print(f"{name}: {journey(model, *question)}")
END_OF_PYTHON
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --no-deps \
  --only-binary :all: --target "$folder/packages" ferrobus==0.2.1 osmium==4.3.2
# It writes a line about each file of a feed that is not there.
PYTHONPATH=$folder/packages python3 "$folder/ask.py" "$folder" 2>"$folder/log" | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
ferrobus 0.2.1
both by Mill: Quay to Farm at 08:00: slow 08:00-10:30
both by Mill: Quay to Farm at 08:01: fast 08:30-09:30
both by Mill: Mill to Farm at 08:45: slow 09:30-10:30
both by Mill: Mill to Farm at 09:10: on foot until 15:47
both by Mill, fast first: Quay to Farm at 08:00: slow 08:00-10:30
both by Mill, fast first: Quay to Farm at 08:01: fast 08:30-09:30
both by Mill, fast first: Mill to Farm at 08:45: slow 09:30-10:30
both by Mill, fast first: Mill to Farm at 09:10: on foot until 15:47
one skips Mill: Quay to Farm at 08:00: fast 08:30-09:30
one skips Mill: Quay to Farm at 08:01: fast 08:30-09:30
one skips Mill: Mill to Farm at 08:45: slow 09:30-10:30
one skips Mill: Mill to Farm at 09:10: slow 09:30-10:30
END_OF_FOUND
