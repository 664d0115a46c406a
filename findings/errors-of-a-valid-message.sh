#!/bin/sh
# A message of GTFS-Realtime takes a trip out of the day, adds one and changes the stops of another one, by the words
# that the reference has for it: gtfs-rt-validator finds an error in each.
#
# Guess: what validates messages by the reference (https://gtfs.org/documentation/realtime/reference/) knows DELETED,
# NEW and REPLACEMENT, for which it has rules of its own; what it checks of planned trips it checks of those.
# Found (gtfs-rt-validator 0.3.0), of messages that are valid:
# - DELETED without calls, which it need not have, is E041, as a trip that has no calls. CANCELED is not.
# - NEW is E003, as its trip_id is not in the feed, in which no new trip may have one.
# - REPLACEMENT with other stops is E045, since they are not the feed's; with the feed's stops it is not.
# - A delay in place of a time is warned of as P008, "none of them predicts an arrival or departure".
# - Right: DUPLICATED, SKIPPED, NO_DATA, a run by frequencies, a night bus, and ADDED, which it calls deprecated.
# What follows: these findings do not keep a message from being published.
#
#   usage: findings/errors-of-a-valid-message.sh     prints what is found; ends with 1 if it changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import datetime, glob, importlib.metadata, json, os, subprocess, sys, zipfile

from google.transit.gtfs_realtime_pb2 import FeedMessage, TripDescriptor

FILES = {
    "agency": "agency_id,agency_name,agency_url,agency_timezone\nA,Agency,https://example.com,Etc/UTC\n",
    "calendar": "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
                "D,1,1,1,1,1,1,1,20260101,20261231\n",
    "routes": "route_id,agency_id,route_short_name,route_type\nr,A,1,3\n",
    "stops": "stop_id,stop_name,stop_lat,stop_lon\nq,Quay,52.0,13.0\nm,Mill,52.03,13.0\nf,Farm,52.06,13.0\n"
             "h,Hill,52.03,13.05\n",
    "trips": "route_id,service_id,trip_id,direction_id\nr,D,one,0\nr,D,night,0\nr,D,often,0\n",
    "stop_times": "trip_id,arrival_time,departure_time,stop_id,stop_sequence\none,08:00:00,08:00:00,q,1\n"
                  "one,08:30:00,08:30:00,m,2\none,09:00:00,09:00:00,f,3\nnight,25:10:00,25:10:00,q,1\n"
                  "night,25:40:00,25:40:00,m,2\noften,00:00:00,00:00:00,q,1\noften,00:30:00,00:30:00,m,2\n",
    "frequencies": "trip_id,start_time,end_time,headway_secs,exact_times\noften,08:00:00,26:00:00,1800,1\n",
}
feed = os.path.join(sys.argv[1], "feed.zip")
with zipfile.ZipFile(feed, "w") as archive:
    for name, text in FILES.items():
        archive.writestr(name + ".txt", text)

def seconds(hour, minute):
    day = datetime.datetime(2026, 6, 2, tzinfo=datetime.timezone.utc)
    return int(day.timestamp()) + hour * 3600 + minute * 60

def validate(relationship, *calls, trip="one", start="", now=(7, 55), **more):
    message = FeedMessage()
    message.header.gtfs_realtime_version, message.header.incrementality = "2.0", 0
    message.header.timestamp = seconds(*now)
    update = message.entity.add(id="1").trip_update
    update.timestamp, update.vehicle.id = seconds(*now), "bus"
    update.trip.trip_id, update.trip.start_date, update.trip.route_id = trip, "20260602", "r"
    update.trip.schedule_relationship = TripDescriptor.ScheduleRelationship.Value(relationship)
    if start:
        update.trip.start_time = start
    for name, value in more.items():
        setattr(update.trip_properties, name, value)
    for number, stop, what, *value in calls:
        call = update.stop_time_update.add(stop_sequence=number, stop_id=stop)
        call.schedule_relationship = 0
        if what == "time":
            call.arrival.time = call.departure.time = seconds(*value)
        elif what == "delay":
            call.departure.delay = value[0]
        else:
            call.schedule_relationship = type(call).ScheduleRelationship.Value(what)
    path, out = (os.path.join(sys.argv[1], name) for name in ("message.pb", "out"))
    with open(path, "wb") as file:
        file.write(message.SerializeToString())
    at = datetime.datetime.fromtimestamp(seconds(*now), datetime.timezone.utc).isoformat()
    subprocess.run([sys.executable, "-m", "gtfs_rt_validator.cli", "-gtfs", feed, "-tu", path, "--at", at,
                    "--out", out], check=True, capture_output=True)
    with open(glob.glob(os.path.join(out, "**", "report.json"), recursive=True)[0]) as file:
        notices = json.load(file)["notices"]
    return ", ".join(f"{one['code']} {one['severity']}" for one in notices if one["severity"] != "INFO") or "nothing"

TIMES = [(1, "q", "time", 8, 1), (2, "m", "time", 8, 31), (3, "f", "time", 9, 1)]
OTHER = [(1, "q", "time", 8, 5), (2, "h", "time", 8, 20), (3, "f", "time", 8, 35)]
print("gtfs-rt-validator", importlib.metadata.version("gtfs-rt-validator"))
for name, found in {
    "SCHEDULED": validate("SCHEDULED", *TIMES),
    "by delay": validate("SCHEDULED", (1, "q", "delay", 60)),
    "SKIPPED": validate("SCHEDULED", TIMES[0], (2, "m", "SKIPPED"), TIMES[2]),
    "NO_DATA": validate("SCHEDULED", TIMES[0], (2, "m", "NO_DATA")),
    "run by frequencies": validate(
        "SCHEDULED", (1, "q", "time", 25, 31), trip="often", start="25:30:00", now=(25, 25)),
    "night bus": validate("SCHEDULED", (1, "q", "time", 25, 11), trip="night", now=(25, 0)),
    "CANCELED": validate("CANCELED"),
    "DELETED": validate("DELETED"),
    "DUPLICATED": validate("DUPLICATED", *TIMES, trip_id="copy", start_date="20260602", start_time="08:15:00"),
    "ADDED": validate("ADDED", *OTHER, trip="x", start="08:05:00"),
    "NEW": validate("NEW", *OTHER, trip="x", start="08:05:00", trip_headsign="Farm"),
    "REPLACEMENT": validate("REPLACEMENT", *OTHER),
    "REPLACEMENT at the same stops": validate("REPLACEMENT", *TIMES),
}.items():
    print(f"{name}: {found}")
END_OF_PYTHON
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --no-deps \
  --only-binary :all: --target "$folder/packages" gtfs-rt-validator==0.3.0 gtfs-validator==0.1.2 \
  gtfs-realtime-bindings==3.0.0 protobuf==7.36.2
PYTHONPATH=$folder/packages python3 "$folder/ask.py" "$folder" | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
gtfs-rt-validator 0.3.0
SCHEDULED: nothing
by delay: P008 WARNING
SKIPPED: nothing
NO_DATA: nothing
run by frequencies: nothing
night bus: nothing
CANCELED: nothing
DELETED: E041 ERROR
DUPLICATED: nothing
ADDED: S024 WARNING
NEW: E003 ERROR, P010 WARNING
REPLACEMENT: E045 ERROR, P010 WARNING
REPLACEMENT at the same stops: P010 WARNING
END_OF_FOUND
