#!/bin/sh
# A trip is taken out of the day by a message, or replaced by one of other times: for nigiri, the router of MOTIS, it
# goes as planned, and the message counts neither as applied nor as failed.
#
# Guess: DELETED is a cancellation for who plans a journey, REPLACEMENT has the calls of the message in place of the
# trip's, and DUPLICATED is one more trip (https://gtfs.org/documentation/realtime/reference/#message-tripdescriptor);
# what a router cannot do it counts as failed.
# Found (pynigiri 0.1.5), of a trip from Quay by Mill to Hill, 08:00 to 09:30:
# - DELETED, REPLACEMENT, DUPLICATED and UNSCHEDULED leave the day as it was, with 0 of 1 applied and 0 failed.
# - Applied, and without effect: a stop of the call that is another one today (assigned_stop_id), such as another
#   platform, and a call where nobody may board today (pickup_type of stop_time_properties).
# - Right: CANCELED, SKIPPED, and NEW as ADDED was.
# What follows: who publishes DELETED for such a router has CANCELED instead; the counts do not say what is missing.
#
#   usage: findings/deleted-trip-in-nigiri.sh     prints the journeys; ends with 1 if one of them changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import datetime, importlib.metadata, os, sys

import pynigiri
from google.transit.gtfs_realtime_pb2 import FeedMessage, TripDescriptor, TripUpdate

FILES = {
    "agency": "agency_id,agency_name,agency_url,agency_timezone\nA,Agency,https://a.example,Etc/UTC\n",
    "calendar": "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
                "D,0,1,0,0,0,0,0,20260602,20260602\n",
    "routes": "route_id,agency_id,route_short_name,route_type\nr,A,1,3\n",
    "stops": "stop_id,stop_name,stop_lat,stop_lon\nq,Quay,52.0,13.0\nm,Mill,52.3,13.0\nh,Hill,52.6,13.0\n"
             "p,Mill by the road,52.301,13.0\n",
    "trips": "route_id,service_id,trip_id,direction_id\nr,D,t,0\nr,D,late,0\n",
    "stop_times": "trip_id,arrival_time,departure_time,stop_id,stop_sequence\nt,08:00:00,08:00:00,q,1\n"
                  "t,08:30:00,08:30:00,m,2\nt,09:30:00,09:30:00,h,3\n"
                  "late,20:00:00,20:00:00,q,1\nlate,20:30:00,20:30:00,p,2\nlate,21:30:00,21:30:00,h,3\n",
}
path = os.path.join(sys.argv[1], "feed")
os.mkdir(path)
for name, text in FILES.items():
    with open(os.path.join(path, name + ".txt"), "w") as file:
        file.write(text)
timetable = pynigiri.load_timetable([pynigiri.TimetableSource("feed", path)], "2026-06-01", "2026-06-04")

def seconds(hour, minute):
    return int(datetime.datetime(2026, 6, 2, hour, minute, tzinfo=datetime.timezone.utc).timestamp())

def clock(minute):
    return f"{minute // 60 % 24:02}:{minute % 60:02}"

def trip(relationship, *calls, trip_id="t"):
    update = TripUpdate()
    update.trip.trip_id, update.trip.start_date, update.trip.route_id = trip_id, "20260602", "r"
    update.trip.schedule_relationship = TripDescriptor.ScheduleRelationship.Value(relationship)
    for number, (stop, *time) in enumerate(calls, 1):
        call = update.stop_time_update.add(stop_id=stop, stop_sequence=number)
        call.arrival.time = call.departure.time = seconds(*time)
    return update

def at_another_stop():
    update = trip("SCHEDULED")
    update.stop_time_update.add(stop_sequence=2).stop_time_properties.assigned_stop_id = "p"
    return update

def without_boarding():
    update = trip("SCHEDULED")
    update.stop_time_update.add(stop_sequence=1).stop_time_properties.pickup_type = 1
    return update

def without_a_stop():
    update = trip("SCHEDULED")
    update.stop_time_update.add(stop_sequence=2, schedule_relationship="SKIPPED")
    return update

def copied():
    update = trip("DUPLICATED")
    update.trip_properties.trip_id, update.trip_properties.start_date = "copy", "20260602"
    update.trip_properties.start_time = "07:30:00"
    return update

def journeys(update):
    message = FeedMessage()
    message.header.gtfs_realtime_version = "2.0"
    message.header.timestamp = seconds(6, 0)
    message.entity.add(id="1").trip_update.CopyFrom(update)
    day = pynigiri.create_rt_timetable(timetable, datetime.datetime(2026, 6, 2))
    applied = pynigiri.gtfsrt_update_from_bytes(
        timetable, day, pynigiri.SourceIdx(0), "feed", message.SerializeToString())
    found = []
    for origin, destination in (("q", "h"), ("q", "m"), ("q", "p")):
        query = pynigiri.Query()
        query.start_time = seconds(7, 0) // 60
        query.start = [pynigiri.Offset(timetable.find_location(origin), 0, 0)]
        query.destination = [pynigiri.Offset(timetable.find_location(destination), 0, 0)]
        query.max_transfers, query.max_travel_time = 3, 180
        legs = [one.legs for one in pynigiri.route_with_rt(timetable, day, query)]
        found.append(f"{origin} to {destination} " + (" ".join(
            f"{clock(first[0].dep_time)}-{clock(first[-1].arr_time)}" for first in legs) or "none"))
    return f"{', '.join(found)} | {applied.total_entities_success} applied, {applied.total_entities_fail} failed"

OTHER = [("q", 8, 10), ("h", 9, 10)]
print("nigiri", importlib.metadata.version("pynigiri"))
for name, update in {
    "CANCELED": trip("CANCELED"), "DELETED": trip("DELETED"), "REPLACEMENT": trip("REPLACEMENT", *OTHER),
    "DUPLICATED": copied(), "UNSCHEDULED": trip("UNSCHEDULED", *OTHER, trip_id="x"),
    "NEW": trip("NEW", *OTHER, trip_id="x"), "ADDED": trip("ADDED", *OTHER, trip_id="x"),
    "at another stop": at_another_stop(), "without boarding": without_boarding(), "SKIPPED": without_a_stop(),
}.items():
    print(f"nigiri, {name}: {journeys(update)}")
END_OF_PYTHON
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --no-deps \
  --only-binary :all: --target "$folder/packages" pynigiri==0.1.5 protobuf==7.36.2 gtfs-realtime-bindings==3.0.0
# It writes a line about each file that it reads.
PYTHONPATH=$folder/packages python3 "$folder/ask.py" "$folder" 2>"$folder/log" | grep '^nigiri' >"$folder/found"
cat "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
nigiri 0.1.5
nigiri, CANCELED: q to h none, q to m none, q to p none | 1 applied, 0 failed
nigiri, DELETED: q to h 08:00-09:30, q to m 08:00-08:30, q to p none | 0 applied, 0 failed
nigiri, REPLACEMENT: q to h 08:00-09:30, q to m 08:00-08:30, q to p none | 0 applied, 0 failed
nigiri, DUPLICATED: q to h 08:00-09:30, q to m 08:00-08:30, q to p none | 0 applied, 0 failed
nigiri, UNSCHEDULED: q to h 08:00-09:30, q to m 08:00-08:30, q to p none | 0 applied, 0 failed
nigiri, NEW: q to h 08:10-09:10, q to m 08:00-08:30, q to p none | 1 applied, 0 failed
nigiri, ADDED: q to h 08:10-09:10, q to m 08:00-08:30, q to p none | 1 applied, 0 failed
nigiri, at another stop: q to h 08:00-09:30, q to m 08:00-08:30, q to p none | 1 applied, 0 failed
nigiri, without boarding: q to h 08:00-09:30, q to m 08:00-08:30, q to p none | 1 applied, 0 failed
nigiri, SKIPPED: q to h 08:00-09:30, q to m none, q to p none | 1 applied, 0 failed
END_OF_FOUND
