#!/bin/sh
# A bus that leaves every half hour is a minute late at 09:30, and a night bus two minutes: gtfs-rt-kit says nine and a
# half hours late, and a day early.
#
# Guess: a run of frequencies.txt is told by its start_time, which a message must have for it, and its times count from
# there (https://gtfs.org/documentation/realtime/reference/#message-tripdescriptor). A trip without start_date, which is
# for those that could be of two days, belongs to the day to which its times fit, before midnight or after.
# Found (gtfs-rt-kit 0.1.0), without an error, in Berlin:
# - Its delay of a run at 09:30 is counted from the time in stop_times.txt, which is 00:00 for such trips, or any time.
#   Where the message has a delay, the run at 09:00 is expected at 06:01.
# - A bus that left at 25:10 of Tuesday's timetable, seen at 01:12 without a start_date, is one of Wednesday's: 86,280
#   seconds early, as a trip update and as a vehicle at the stop.
# - Right: the night bus with a start_date, and times on days with 23 or 25 hours.
# What follows: a message for such a reader has start_date; a delay of hours is compared with start_time.
#
#   usage: findings/delay-of-a-frequency-run.sh     prints the delays; ends with 1 if one of them changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import datetime, importlib.metadata, os, sys, zipfile, zoneinfo

from google.transit.gtfs_realtime_pb2 import FeedMessage
from gtfs_rt_kit import StaticGtfs, estimate_vehicle_delay, parse_feed, trip_delays

FILES = {
    "agency": "agency_id,agency_name,agency_url,agency_timezone\nA,Agency,https://a.example,Europe/Berlin\n",
    "calendar": "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
                "D,1,1,1,1,1,1,1,20260101,20261231\n",
    "routes": "route_id,agency_id,route_short_name,route_type\nr,A,1,3\n",
    "stops": "stop_id,stop_name,stop_lat,stop_lon\nq,Quay,52.0,13.0\nm,Mill,52.03,13.0\n",
    "trips": "route_id,service_id,trip_id\nr,D,half-hourly\nr,D,hourly\nr,D,night\nr,D,morning\n",
    "stop_times": "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
                  "half-hourly,00:00:00,00:00:00,q,1\nhalf-hourly,00:30:00,00:30:00,m,2\n"
                  "hourly,06:00:00,06:00:00,q,1\nhourly,06:30:00,06:30:00,m,2\n"
                  "night,25:10:00,25:10:00,q,1\nnight,25:40:00,25:40:00,m,2\n"
                  "morning,08:00:00,08:00:00,q,1\nmorning,08:30:00,08:30:00,m,2\n",
    "frequencies": "trip_id,start_time,end_time,headway_secs,exact_times\n"
                   "half-hourly,08:00:00,20:00:00,1800,1\nhourly,06:00:00,20:00:00,3600,1\n",
}
path = os.path.join(sys.argv[1], "feed.zip")
with zipfile.ZipFile(path, "w") as archive:
    for name, text in FILES.items():
        archive.writestr(name + ".txt", text)
static = StaticGtfs(path)

def seconds(day, hour, minute):
    zone = zoneinfo.ZoneInfo("Europe/Berlin")
    return int(datetime.datetime(*day, hour, minute, tzinfo=zone).timestamp())

def message(now):
    message = FeedMessage()
    message.header.gtfs_realtime_version = "2.0"
    message.header.timestamp = now
    return message

def describe(trip, id, date, start):
    trip.trip_id = id
    if date:
        trip.start_date = date
    if start:
        trip.start_time = start

def update(id, time, date="", start="", delay=None):
    feed = message(time)
    trip = feed.entity.add(id="1").trip_update
    describe(trip.trip, id, date, start)
    trip.timestamp = time
    departure = trip.stop_time_update.add(stop_sequence=1).departure
    if delay is None:
        departure.time = time
    else:
        departure.delay = delay
    read = parse_feed(feed.SerializeToString()).trip_updates[0]
    return ", ".join(f"{one.scheduled:%m-%d %H:%M} is {one.predicted:%m-%d %H:%M}, {one.delay} s"
                     for one in trip_delays(read, static))

def vehicle(id, time, date=""):
    feed = message(time)
    vehicle = feed.entity.add(id="1").vehicle
    describe(vehicle.trip, id, date, "")
    vehicle.timestamp, vehicle.current_stop_sequence, vehicle.current_status = time, 1, 1
    read = parse_feed(feed.SerializeToString()).vehicles[0]
    return f"{estimate_vehicle_delay(read, static)} s"

print("gtfs-rt-kit", importlib.metadata.version("gtfs-rt-kit"))
TUESDAY, NIGHT = (2026, 6, 2), (2026, 6, 3)
print("half-hourly at 09:30:", update("half-hourly", seconds(TUESDAY, 9, 31), "20260602", "09:30:00"))
print("hourly at 09:00:", update("hourly", seconds(TUESDAY, 9, 1), "20260602", "09:00:00"))
print("hourly at 09:00, by delay:", update("hourly", seconds(TUESDAY, 9, 1), "20260602", "09:00:00", delay=60))
print("night without start_date:", update("night", seconds(NIGHT, 1, 12)))
print("night with start_date:", update("night", seconds(NIGHT, 1, 12), "20260602"))
print("vehicle of night without start_date:", vehicle("night", seconds(NIGHT, 1, 12)))
print("vehicle of night with start_date:", vehicle("night", seconds(NIGHT, 1, 12), "20260602"))
for day in ((2026, 3, 29), (2026, 10, 25)):
    print("morning, the clock is changed:", update("morning", seconds(day, 8, 1), "%d%02d%02d" % day))
END_OF_PYTHON
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --no-deps \
  --only-binary :all: --target "$folder/packages" gtfs-rt-kit==0.1.0 gtfs-realtime-bindings==3.0.0 protobuf==7.36.2 \
  tzdata==2026.6
PYTHONPATH=$folder/packages python3 "$folder/ask.py" "$folder" | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
gtfs-rt-kit 0.1.0
half-hourly at 09:30: 06-02 00:00 is 06-02 09:31, 34260 s
hourly at 09:00: 06-02 06:00 is 06-02 09:01, 10860 s
hourly at 09:00, by delay: 06-02 06:00 is 06-02 06:01, 60 s
night without start_date: 06-04 01:10 is 06-03 01:12, -86280 s
night with start_date: 06-03 01:10 is 06-03 01:12, 120 s
vehicle of night without start_date: -86280 s
vehicle of night with start_date: 120 s
morning, the clock is changed: 03-29 08:00 is 03-29 08:01, 60 s
morning, the clock is changed: 10-25 08:00 is 10-25 08:01, 60 s
END_OF_FOUND
