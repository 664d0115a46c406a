#!/bin/sh
# PyRaptor finds journeys in a timetable: on a line that comes by a stop twice one arrives before one has left, one
# changes between two towns of the same name in five minutes, and with as many changes as it allows there is no journey.
#
# Guess: a journey goes forward in time; stations are told apart by their ids; whoever may change more often finds at
# least what was found with fewer changes.
# Found (PyRaptor 1.3.10), without an error:
# - A stop that a trip calls at twice has the times of its first call for both. A train from Quay by Mill, Farm and Mill
#   again to Hill: from Farm at 12:20 one is at Mill at 12:10, and who asks at Mill at 12:25 boards at 12:10.
# - Two stations called Bergen are one, and a change between their platforms takes two minutes.
# - Where a round of the search finds nothing new, all rounds behind it are empty, and the last one is the answer: with
#   five rounds, which is the default, this timetable has no journey at all, and with three it has each of them.
# - Of a slow train and a fast one that overtakes it the slow one is taken, as by ferrobus, though it arrives later.
# - Right: a train after midnight, asked for at 25:00:00.
# What follows: a small timetable is asked with few rounds, and names of stations are made unique before.
#
#   usage: findings/arrival-before-the-departure.sh     prints the journeys; ends with 1 if one of them changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import importlib.metadata, os, sys

from pyraptor.dao import read_timetable
from pyraptor.gtfs.timetable import main
from pyraptor.query_raptor import run_raptor
from pyraptor.util import sec2str, str2sec

STATIONS = [("q", "Quay", 52.0, 1), ("m", "Mill", 52.1, 1), ("f", "Farm", 52.2, 1), ("h", "Hill", 52.3, 1),
            ("n", "Bergen", 52.7, 1), ("s", "Bergen", 51.5, 2), ("t", "Town", 51.4, 1)]
TRAINS = {
    1: [("q", "08:00"), ("m", "09:30"), ("f", "10:30")],
    2: [("q", "08:30"), ("m", "09:00"), ("f", "09:30")],
    3: [("q", "08:00"), ("n", "08:40")],
    4: [("s", "08:45"), ("t", "09:15")],
    5: [("q", "12:00"), ("m", "12:10"), ("f", "12:20"), ("m", "12:30"), ("h", "12:50")],
    6: [("q", "25:10"), ("f", "25:40")],
}
FILES = {
    "agency": "agency_id,agency_name,agency_url,agency_timezone\nA,Trains,https://a.example,Etc/UTC\n",
    "routes": "route_id,agency_id,route_short_name,route_long_name,route_type\nr,A,1,Line,2\n",
    "trips": "route_id,service_id,trip_id,trip_short_name,trip_long_name\n" + "".join(
        f"r,D,t{train},{train},Train\n" for train in TRAINS),
    "calendar_dates": "service_id,date,exception_type\nD,20260602,1\n",
    "stops": "stop_id,stop_code,stop_name,stop_lat,stop_lon,location_type,parent_station,platform_code\n" + "".join(
        f"{id},{id},{name},{place},5.0,1,,\n{id}-p,{id}-p,{name},{place},5.0,0,{id},{platform}\n"
        for id, name, place, platform in STATIONS),
    "stop_times": "trip_id,stop_sequence,stop_id,arrival_time,departure_time\n" + "".join(
        f"t{train},{number},{stop}-p,{time}:00,{time}:00\n"
        for train, calls in TRAINS.items() for number, (stop, time) in enumerate(calls, 1)),
}
feed, made = (os.path.join(sys.argv[1], name) for name in ("feed", "timetable"))
os.mkdir(feed)
for name, text in FILES.items():
    with open(os.path.join(feed, name + ".txt"), "w") as file:
        file.write(text)
main(feed, made, "20260602", ["Trains"])
timetable = read_timetable(made)

def journey(origin, destination, time, rounds):
    found = run_raptor(timetable, origin, str2sec(time), rounds).get(destination)
    if found is None:
        return "none"
    return ", ".join(f"{leg.from_stop.station.name} {sec2str(leg.dep)} to {leg.to_stop.station.name} "
                     f"{sec2str(leg.arr)} by {leg.trip.hint}" for leg in found.legs)

print("PyRaptor", importlib.metadata.version("pyraptor"))
for origin, destination, time in [
    ("Quay", "Farm", "08:00:00"), ("Quay", "Farm", "08:01:00"), ("Quay", "Town", "07:30:00"),
    ("Farm", "Mill", "12:15:00"), ("Mill", "Hill", "12:25:00"), ("Quay", "Farm", "25:00:00"),
]:
    answers = {}
    for rounds in range(1, 6):
        answers.setdefault(journey(origin, destination, time, rounds), []).append(str(rounds))
    print(f"{origin} to {destination} at {time}:", "; ".join(
        f"{answer} ({', '.join(rounds)} rounds)" for answer, rounds in answers.items()))
END_OF_PYTHON
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --no-deps \
  --only-binary :all: --target "$folder/packages" pyraptor==1.3.10 pandas==3.1.1 numpy==2.4.6 \
  python-dateutil==2.9.0.post0 six==1.17.0 loguru==0.6.0 joblib==1.6.0 cloudpickle==3.1.3
PYTHONPATH=$folder/packages python3 "$folder/ask.py" "$folder" 2>"$folder/log" | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
PyRaptor 1.3.10
Quay to Farm at 08:00:00: Quay 08:00 to Mill 09:30 by 1, Mill 09:30 to Farm 10:30 by 1 (1, 2, 3, 4 rounds); none (5 rounds)
Quay to Farm at 08:01:00: Quay 08:30 to Mill 09:00 by 2, Mill 09:00 to Farm 09:30 by 2 (1, 2, 3 rounds); none (4, 5 rounds)
Quay to Town at 07:30:00: none (1, 5 rounds); Quay 08:00 to Bergen 08:40 by 3, Bergen 08:45 to Town 09:15 by 4 (2, 3, 4 rounds)
Farm to Mill at 12:15:00: Farm 12:20 to Mill 12:10 by 5 (1, 2, 3 rounds); none (4, 5 rounds)
Mill to Hill at 12:25:00: Mill 12:10 to Hill 12:50 by 5 (1, 2, 3 rounds); none (4, 5 rounds)
Quay to Farm at 25:00:00: Quay 25:10 to Farm 25:40 by 6 (1, 2, 3 rounds); none (4, 5 rounds)
END_OF_FOUND
