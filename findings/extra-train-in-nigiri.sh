#!/bin/sh
# A train runs beside the timetable, as a message says: nigiri, the router of MOTIS, applies it, and finds it only where
# the timetable has a way of its own from each stop of the train to the destination.
#
# Guess: a NEW trip is there for journeys as those of the timetable are, also where it is the only one.
# Found (pynigiri 0.1.5), of a feed with a trip from Quay by Mill to Hill at 08:00, and a NEW one at 08:10:
# - From Quay to Wood, where no trip of the timetable calls, the train is applied, and there is no journey.
# - From Quay by Wood to Hill it is found to Hill for who asks until 08:00, and from 08:01, when the trip of the
#   timetable is gone, it is not; nor is it to Wood, or from Wood.
# - One trip from Quay to Wood at 20:00 makes it found to Wood, and one from Wood to Hill to Hill, at 08:10 as well.
# - Right: a train to Hill without a stop on its way, at any time.
# What follows: a journey is looked for along the ways of the timetable. Buses that replace trains, at stops of their
# own, belong into the timetable, be it by a trip at another time of the day.
#
#   usage: findings/extra-train-in-nigiri.sh     prints the journeys; ends with 1 if one of them changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import datetime, importlib.metadata, os, sys

import pynigiri
from google.transit.gtfs_realtime_pb2 import FeedMessage, TripDescriptor

def load(name, evening):
    calls = [("t", "08:00:00", "q", 1), ("t", "08:30:00", "m", 2), ("t", "09:30:00", "h", 3)]
    calls += [("u", time, stop, number) for number, (time, stop) in enumerate(evening, 1)]
    files = {
        "agency": "agency_id,agency_name,agency_url,agency_timezone\nA,Agency,https://a.example,Etc/UTC\n",
        "calendar": "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
                    "D,0,1,0,0,0,0,0,20260602,20260602\n",
        "routes": "route_id,agency_id,route_short_name,route_type\nr,A,1,2\n",
        "stops": "stop_id,stop_name,stop_lat,stop_lon\nq,Quay,52.0,13.0\nm,Mill,52.3,13.0\nh,Hill,52.6,13.0\n"
                 "w,Wood,52.9,13.0\nf,Farm,53.2,13.0\n",
        "trips": "route_id,service_id,trip_id\nr,D,t\n" + ("r,D,u\n" if evening else ""),
        "stop_times": "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n" + "".join(
            f"{trip},{time},{time},{stop},{number}\n" for trip, time, stop, number in calls),
    }
    path = os.path.join(sys.argv[1], name)
    os.mkdir(path)
    for file, text in files.items():
        with open(os.path.join(path, file + ".txt"), "w") as out:
            out.write(text)
    return pynigiri.load_timetable([pynigiri.TimetableSource("feed", path)], "2026-06-01", "2026-06-04")

def seconds(hour, minute):
    return int(datetime.datetime(2026, 6, 2, hour, minute, tzinfo=datetime.timezone.utc).timestamp())

def clock(minute):
    return f"{minute // 60 % 24:02}:{minute % 60:02}"

def journey(timetable, calls, origin, destination, hour, minute):
    message = FeedMessage()
    message.header.gtfs_realtime_version = "2.0"
    message.header.timestamp = seconds(6, 0)
    update = message.entity.add(id="1").trip_update
    update.trip.trip_id, update.trip.start_date, update.trip.route_id = "x", "20260602", "r"
    update.trip.schedule_relationship = TripDescriptor.NEW
    for number, (stop, *time) in enumerate(calls, 1):
        call = update.stop_time_update.add(stop_id=stop, stop_sequence=number)
        call.arrival.time = call.departure.time = seconds(*time)
    day = pynigiri.create_rt_timetable(timetable, datetime.datetime(2026, 6, 2))
    applied = pynigiri.gtfsrt_update_from_bytes(
        timetable, day, pynigiri.SourceIdx(0), "feed", message.SerializeToString())
    assert applied.total_entities_success == 1
    query = pynigiri.Query()
    query.start_time = seconds(hour, minute) // 60
    query.start = [pynigiri.Offset(timetable.find_location(origin), 0, 0)]
    query.destination = [pynigiri.Offset(timetable.find_location(destination), 0, 0)]
    query.max_transfers, query.max_travel_time = 3, 600
    found = [one.legs for one in pynigiri.route_with_rt(timetable, day, query)]
    times = " ".join(f"{clock(legs[0].dep_time)}-{clock(legs[-1].arr_time)}" for legs in found)
    return f"{origin} to {destination} {times or 'none'}"

print("nigiri", importlib.metadata.version("pynigiri"))
TRAINS = {
    "to Hill": ([("q", 8, 10), ("h", 8, 30)], ["qh"]),
    "to Wood": ([("q", 8, 10), ("w", 8, 40)], ["qw"]),
    "by Wood to Hill": ([("q", 8, 10), ("w", 8, 40), ("h", 9, 10)], ["qh", "qw", "wh"]),
}
for name, evening in {
    "no trip at Wood": [],
    "Quay to Wood at 20:00": [("20:00:00", "q"), ("20:30:00", "w")],
    "Wood to Hill at 20:00": [("20:00:00", "w"), ("20:30:00", "h")],
}.items():
    timetable = load(name, evening)
    for train, (calls, pairs) in TRAINS.items():
        for hour, minute in ((8, 0), (8, 1)):
            print(f"nigiri, {name}, train {train}, asked at {hour:02}:{minute:02}:", ", ".join(
                journey(timetable, calls, *pair, hour, minute) for pair in pairs))
END_OF_PYTHON
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --no-deps \
  --only-binary :all: --target "$folder/packages" pynigiri==0.1.5 protobuf==7.36.2 gtfs-realtime-bindings==3.0.0
# It writes a line about each file that it reads.
PYTHONPATH=$folder/packages python3 "$folder/ask.py" "$folder" 2>"$folder/log" | grep '^nigiri' >"$folder/found"
cat "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
nigiri 0.1.5
nigiri, no trip at Wood, train to Hill, asked at 08:00: q to h 08:10-08:30
nigiri, no trip at Wood, train to Hill, asked at 08:01: q to h 08:10-08:30
nigiri, no trip at Wood, train to Wood, asked at 08:00: q to w none
nigiri, no trip at Wood, train to Wood, asked at 08:01: q to w none
nigiri, no trip at Wood, train by Wood to Hill, asked at 08:00: q to h 08:10-09:10, q to w none, w to h none
nigiri, no trip at Wood, train by Wood to Hill, asked at 08:01: q to h none, q to w none, w to h none
nigiri, Quay to Wood at 20:00, train to Hill, asked at 08:00: q to h 08:10-08:30
nigiri, Quay to Wood at 20:00, train to Hill, asked at 08:01: q to h 08:10-08:30
nigiri, Quay to Wood at 20:00, train to Wood, asked at 08:00: q to w 08:10-08:40
nigiri, Quay to Wood at 20:00, train to Wood, asked at 08:01: q to w 08:10-08:40
nigiri, Quay to Wood at 20:00, train by Wood to Hill, asked at 08:00: q to h 08:10-09:10, q to w 08:10-08:40, w to h none
nigiri, Quay to Wood at 20:00, train by Wood to Hill, asked at 08:01: q to h none, q to w 08:10-08:40, w to h none
nigiri, Wood to Hill at 20:00, train to Hill, asked at 08:00: q to h 08:10-08:30
nigiri, Wood to Hill at 20:00, train to Hill, asked at 08:01: q to h 08:10-08:30
nigiri, Wood to Hill at 20:00, train to Wood, asked at 08:00: q to w none
nigiri, Wood to Hill at 20:00, train to Wood, asked at 08:01: q to w none
nigiri, Wood to Hill at 20:00, train by Wood to Hill, asked at 08:00: q to h 08:10-09:10, q to w none, w to h 08:40-09:10
nigiri, Wood to Hill at 20:00, train by Wood to Hill, asked at 08:01: q to h 08:10-09:10, q to w none, w to h 08:40-09:10
END_OF_FOUND
