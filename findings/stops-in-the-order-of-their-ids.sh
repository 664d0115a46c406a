#!/bin/sh
# A timetable is added to a street network by cityseer, for how far one gets from each place: stops are joined in the
# order of their ids, so that a bus goes where none does, or the import fails.
#
# Guess: an edge goes from each call of a trip to the next one, by stop_sequence, and takes the time between them; a
# feed has the same edges whatever its stops are called.
# Found (cityseer 5.8.0, whose page calls the function one in development), of a trip that takes 10 minutes to its
# second stop, and 30 to the third:
# - With the ids A, B, C in this order the edges are right. Along A, C, B they are A to B in 30 minutes and B to C in
#   10, without an error: the stop before is the one before in the alphabet, and the time is that of the way that the
#   trip took to the stop. A trip that has its first stop later in the alphabet, C, A, B, has a time that is missing,
#   and the import ends with an error about it. So it is with 9, 10, 11, which are texts.
# - A trip in the other direction, at another time, hides the error: its times count for the same edges.
# - The calendar is not read, and trips of all days are one timetable: one at 08:00 and one at 08:20 make a mean wait of
#   ten minutes, also where one of them runs on Sundays alone.
# - A time after midnight, 25:10:00, ends the import with an error.
# What follows: edges of such a graph are computed from the feed by another program.
#
#   usage: findings/stops-in-the-order-of-their-ids.sh     prints the edges; ends with 1 if one of them changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import importlib.metadata, os, sys

import networkx, pyproj, shapely
from cityseer.tools import io

os.chdir(sys.argv[1])
os.mkdir("feed")
METERS = 32633

def streets():
    """A road along the stops, for them to be linked with."""
    graph = networkx.MultiGraph(crs=METERS)
    transform = pyproj.Transformer.from_crs(4326, METERS, always_xy=True).transform
    places = [transform(13.0, 47 + number / 200) for number in range(8)]
    for number, (x, y) in enumerate(places):
        graph.add_node(str(number), x=x, y=y)
    for number in range(len(places) - 1):
        graph.add_edge(str(number), str(number + 1), geom=shapely.LineString(places[number:number + 2]))
    return io.network_structure_from_nx(graph)[2]

def ask(what, *trips):
    stops = list(dict.fromkeys(stop for stops, _ in trips for stop in stops.split()))
    with open("feed/stops.txt", "w") as file:
        file.write("stop_id,stop_name,stop_lat,stop_lon\n" + "".join(
            f"{stop},{stop},{47 + number / 100},13.0\n" for number, stop in enumerate(stops)))
    with open("feed/stop_times.txt", "w") as file:
        file.write("trip_id,arrival_time,departure_time,stop_id,stop_sequence\n" + "".join(
            f"T{number},{time},{time},{stop},{place}\n" for number, (stops, times) in enumerate(trips)
            for place, (stop, time) in enumerate(zip(stops.split(), times.split()))))
    def name(stop):
        return stop.removeprefix("gtfs-feed-")
    try:
        _, stops, edges = io.add_transport_gtfs("feed", streets(), METERS)
        print(f"{what}:", ", ".join(f"{name(before)} to {name(after)} in {seconds / 60:g} minutes"
                                    for before, after, seconds in edges.itertuples(index=False)),
              "| waits", *[f"{name(stop.stop_id)} {stop.avg_wait_time / 60:g}" for stop in stops.itertuples()])
    except ValueError as error:
        print(f"{what}: {str(error).split('(idx')[0].split('. You')[0]}")

print("cityseer", importlib.metadata.version("cityseer"))
TIMES = "08:00:00 08:10:00 08:40:00"
for stops in ("A B C", "A C B", "C A B", "9 10 11"):
    ask(f"along {stops}", (stops, TIMES))
ask("along C A B and back", ("C A B", TIMES), ("B A C", "12:00:00 12:20:00 12:25:00"))
ask("at 08:00 and 08:20", ("A B", "08:00:00 08:10:00"), ("A B", "08:20:00 08:30:00"))
ask("at night", ("A B", "25:10:00 25:20:00"))
END_OF_PYTHON
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --no-deps \
  --only-binary :all: --target "$folder/packages" cityseer==5.8.0 affine==3.0.1 attrs==26.1.0 \
  certifi==2026.10.19.post1 charset-normalizer==3.5.3 click==8.5.1 cycler==0.12.1 fonttools==4.68.0 geopandas==1.2.0 \
  idna==3.20 kiwisolver==1.5.1 matplotlib==3.11.2 networkx==3.6.1 numpy==2.4.6 osmnx==2.1.1 packaging==26.4 \
  pandas==3.1.1 pillow==13.0.0 pyparsing==3.3.3 pyproj==3.7.2 python-dateutil==4.0.0 rasterio==1.4.4 \
  requests==2.34.2 scipy==1.17.1 shapely==2.2.0 tqdm==4.70.1 urllib3==2.8.0
CITYSEER_QUIET_MODE=true PYTHONPATH=$folder/packages python3 "$folder/ask.py" "$folder" 2>"$folder/log" |
  tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
cityseer 5.8.0
along A B C: A to B in 10 minutes, B to C in 30 minutes | waits A 0 B 0 C 0
along A C B: A to B in 30 minutes, B to C in 10 minutes | waits A 0 C 0 B 0
along C A B: Invalid seconds value (NaN) for transport edge 
along 9 10 11: Invalid seconds value (NaN) for transport edge 
along C A B and back: A to B in 30 minutes, B to C in 5 minutes | waits C 132.5 A 125 B 100
at 08:00 and 08:20: A to B in 10 minutes | waits A 10 B 10
at night: time data "25:10:00" doesn't match format "%H:%M:%S"
END_OF_FOUND
