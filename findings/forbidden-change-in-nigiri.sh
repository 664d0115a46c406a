#!/bin/sh
# nigiri, the router of MOTIS, changes vehicles where transfers.txt forbids it, and cuts the time of a change to minutes.
#
# Guess: a row of transfer_type 3 takes a change out, be it of a stop, of two stops, of routes or of trips, and
# min_transfer_time is rounded up, if at all (https://gtfs.org/documentation/schedule/reference/#transferstxt).
# Found (pynigiri 0.1.5):
# - None of the four rows has an effect; type 2 of the same stops, and of the same trips, has.
# - Of a min_transfer_time of 61 seconds 60 are kept, and of 30 none: a vehicle that departs in the minute of the
#   arrival is caught.
# What follows: a journey that another router finds and Holdfast does not may have a change that its feed forbids.
#
#   usage: findings/forbidden-change-in-nigiri.sh     prints the changes; ends with 1 if one of them changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import datetime, importlib.metadata, os, sys

import pynigiri

FILES = {
    "agency": "agency_id,agency_name,agency_url,agency_timezone\nA,Agency,https://a.example,Europe/Berlin\n",
    "calendar": "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
                "D,0,1,0,0,0,0,0,20260602,20260602\n",
    "routes": "route_id,agency_id,route_short_name,route_type\nr1,A,1,3\nr2,A,2,3\n",
    "stops": "stop_id,stop_name,stop_lat,stop_lon\n"
             "a,Quay,52.0,13.0\nb,Mill,52.3,13.0\nc,Mill Lane,52.3003,13.0\nd,Farm,52.6,13.0\n",
    "trips": "route_id,service_id,trip_id\nr1,D,t\nr2,D,u\n",
}
HEADER = "from_stop_id,to_stop_id,transfer_type,min_transfer_time,from_trip_id,to_trip_id,from_route_id,to_route_id\n"

def changes(row, stop, departure):
    path = os.path.join(sys.argv[1], "feed")
    os.makedirs(path, exist_ok=True)
    times = (f"t,08:00:00,08:00:00,a,1\nt,08:30:00,08:30:00,b,2\n"
             f"u,{departure},{departure},{stop},1\nu,09:00:00,09:00:00,d,2\n")
    files = dict(FILES, transfers=HEADER + row,
                 stop_times="trip_id,arrival_time,departure_time,stop_id,stop_sequence\n" + times)
    for name, text in files.items():
        with open(os.path.join(path, name + ".txt"), "w") as file:
            file.write(text)
    timetable = pynigiri.load_timetable([pynigiri.TimetableSource("feed", path)], "2026-06-01", "2026-06-04")
    query = pynigiri.Query()
    query.start_time = int(datetime.datetime(2026, 6, 2, 5, tzinfo=datetime.timezone.utc).timestamp()) // 60
    query.start = [pynigiri.Offset(timetable.find_location("a"), 0, 0)]
    query.destination = [pynigiri.Offset(timetable.find_location("d"), 0, 0)]
    query.max_transfers, query.max_travel_time = 3, 600
    return "change" if pynigiri.route(timetable, query) else "no change"

print("pynigiri", importlib.metadata.version("pynigiri"), "|", "; ".join(
    f"{name}: {changes(row, stop, departure)}" for name, row, stop, departure in [
        ("forbidden at a stop", "b,b,3,,,,,\n", "b", "08:35:00"),
        ("from stop to stop", "b,c,3,,,,,\n", "c", "08:40:00"),
        ("of routes", "b,b,3,,,,r1,r2\n", "b", "08:35:00"),
        ("of trips", "b,b,3,,t,u,,\n", "b", "08:35:00"),
        ("600 s at a stop", "b,b,2,600,,,,\n", "b", "08:35:00"),
        ("600 s of trips", "b,b,2,600,t,u,,\n", "b", "08:35:00"),
        ("61 s, a minute later", "b,b,2,61,,,,\n", "b", "08:31:00"),
        ("61 s, the same minute", "b,b,2,61,,,,\n", "b", "08:30:00"),
        ("30 s", "b,b,2,30,,,,\n", "b", "08:30:00"),
    ]))
END_OF_PYTHON
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-deps \
  --only-binary :all: --target "$folder/packages" pynigiri==0.1.5
# It writes a line about each file that it reads.
PYTHONPATH=$folder/packages python3 "$folder/ask.py" "$folder" 2>"$folder/log" | grep '^pynigiri' | tee "$folder/found"
diff - "$folder/found" <<'END'
pynigiri 0.1.5 | forbidden at a stop: change; from stop to stop: change; of routes: change; of trips: change; 600 s at a stop: no change; 600 s of trips: no change; 61 s, a minute later: change; 61 s, the same minute: no change; 30 s: change
END
