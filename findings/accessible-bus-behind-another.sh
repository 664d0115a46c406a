#!/bin/sh
# A way for a wheelchair is looked for by NxTransit: it is the next bus, if one can board it, and else the way on foot,
# for hours, though the bus after that one has a ramp.
#
# Guess: with wheelchair=True the vehicles of which trips.txt says that they are not accessible count as not there. A
# connection is the one that arrives first, also where a faster vehicle leaves later. A service runs from its start_date
# to its end_date.
# Found (NxTransit 0.4.1), without an error, of two buses on a road of 40 km:
# - Not accessible at 08:00, accessible at 08:10: who asks at 07:55 walks, and is there at 16:45. Who asks at 08:05 gets
#   the bus. wheelchair_accessible that is left out counts as not accessible.
# - A bus at 08:00 that arrives at 10:00, and a train at 08:30 that arrives at 09:00: who asks at 07:55 is there at
#   10:00.
# - A service that ended last year runs on its weekdays: the graph is one of a weekday, and asks for no date.
# - Right: changes, a trip that comes by a stop twice, and a bus at 25:10, for who asks at 25:00.
# What follows: before such a search trips that are not accessible are taken out of the feed, and services of other
# times as well.
#
#   usage: findings/accessible-bus-behind-another.sh     prints the ways; ends with 1 if one of them changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import contextlib, io, logging, os, sys

import networkx, nxtransit, osmnx

os.chdir(sys.argv[1])
os.mkdir("feed")
logging.disable(logging.WARNING)
road = networkx.MultiDiGraph(crs="epsg:4326")
for number in range(5):
    road.add_node(number, x=13.001, y=52 + number / 10, type="street")
    for ends in ((number - 1, number), (number, number - 1)):
        if number > 0:
            road.add_edge(*ends, 0, length=11000.0, weight=11000.0 / 1.39, type="street")
osmnx.save_graphml(road, "road.graphml")

def clock(seconds):
    return f"{int(seconds) // 3600:02}:{int(seconds) // 60 % 60:02}"

def ask(what, start, origin, destination, *trips, wheelchair=False):
    """Each trip is its stops, its times, its service, and what it says of wheelchairs."""
    stops = sorted({stop for calls, *_ in trips for stop in calls.split()})
    tables = {
        "agency": "agency_id,agency_name,agency_url,agency_timezone\nA,A,https://a.example,Europe/Berlin\n",
        "stops": "stop_id,stop_name,stop_lat,stop_lon\n" + "".join(
            f"{stop},{stop},{52 + index * 0.4},13.0\n" for index, stop in enumerate(stops)),
        "routes": "route_id,agency_id,route_short_name,route_long_name,route_type\n" + "".join(
            f"line {number},A,{number},,3\n" for number in range(1, len(trips) + 1)),
        "calendar": "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
                    "now,1,1,1,1,1,1,1,20260101,20261231\nlast year,1,1,1,1,1,1,1,20250101,20251231\n",
        "trips": "route_id,service_id,trip_id,wheelchair_accessible\n" + "".join(
            f"line {number},{service},{number},{ramp}\n" for number, (_, _, service, ramp) in enumerate(trips, 1)),
        "stop_times": "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n" + "".join(
            f"{number},{time}:00,{time}:00,{stop},{place}\n" for number, (calls, times, *_) in enumerate(trips, 1)
            for place, (stop, time) in enumerate(zip(calls.split(), times.split()))),
    }
    for name, text in tables.items():
        with open(f"feed/{name}.txt", "w") as file:
            file.write(text)
    with contextlib.redirect_stdout(io.StringIO()):
        graph = nxtransit.feed_to_graph("feed", "00:00:00", "monday", 172800, multiprocessing=False, load_graphml=True,
                                        input_graph_path="road.graphml")
    _, arrival, _, lines = nxtransit.time_dependent_dijkstra(
        graph, origin, destination, nxtransit.parse_time_to_seconds(f"{start}:00"), track_used_routes=True,
        wheelchair=wheelchair)
    print(f"{what}, asked at {start}: {clock(arrival)} by", *[line or "foot" for line in sorted(lines, key=str)])

print("NxTransit", nxtransit.__version__)
BUSES = ("A B", "08:00 08:30", "now", 2), ("A B", "08:10 08:40", "now", 1)
ask("for all", "07:55", "A", "B", *BUSES)
ask("wheelchair", "07:55", "A", "B", *BUSES, wheelchair=True)
ask("wheelchair", "08:05", "A", "B", *BUSES, wheelchair=True)
ask("wheelchair, nothing said", "07:55", "A", "B", ("A B", "08:00 08:30", "now", ""), wheelchair=True)
ask("a slow bus and a fast train", "07:55", "A", "B", ("A B", "08:00 10:00", "now", 1),
    ("A B", "08:30 09:00", "now", 1))
ask("last year's service", "07:55", "A", "B", ("A B", "08:00 08:30", "last year", 1))
ask("a change", "07:55", "A", "C", ("A B", "08:00 08:30", "now", 1), ("B C", "08:35 09:00", "now", 1))
ask("a loop", "07:55", "A", "C", ("A B A C", "08:00 08:10 08:20 08:50", "now", 1))
for start in ("25:00", "01:00"):
    ask("a night bus at 25:10", start, "A", "B", ("A B", "25:10 25:30", "now", 1))
END_OF_PYTHON
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --no-deps \
  --only-binary :all: --target "$folder/packages" NxTransit==0.4.1 affine==3.0.1 appdirs==1.4.4 attrs==26.1.0 \
  cachetools==8.0.2 certifi==2026.10.19.post1 charset-normalizer==3.5.3 click==8.5.1 geocube==0.7.1 \
  geopandas==1.1.4 idna==3.20 networkx==3.6.1 numpy==1.26.4 odc-geo==0.5.3 osmnx==2.1.1 packaging==26.4 \
  pandas==3.0.6 pyproj==3.7.2 python-dateutil==4.0.0 rasterio==1.4.4 requests==2.34.2 rioxarray==0.19.0 \
  scipy==1.17.1 shapely==2.2.0 urllib3==2.8.0 xarray==2026.9.0
PYTHONPATH=$folder/packages python3 "$folder/ask.py" "$folder" 2>"$folder/log" | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
NxTransit 0.4.1
for all, asked at 07:55: 08:30 by line 1
wheelchair, asked at 07:55: 16:45 by foot
wheelchair, asked at 08:05: 08:40 by line 2
wheelchair, nothing said, asked at 07:55: 16:45 by foot
a slow bus and a fast train, asked at 07:55: 10:00 by line 1
last year's service, asked at 07:55: 08:30 by line 1
a change, asked at 07:55: 09:00 by line 1 line 2
a loop, asked at 07:55: 08:50 by line 1
a night bus at 25:10, asked at 25:00: 25:30 by line 1
a night bus at 25:10, asked at 01:00: 09:50 by foot
END_OF_FOUND
