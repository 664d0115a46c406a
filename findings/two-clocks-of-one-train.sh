#!/bin/sh
# A train of New York's subway leaves at 08:00 and is at its first stop at 12:00, says nyct-gtfs on a server: one object
# has times of two zones, and names neither.
#
# Guess: instants of a GTFS-Realtime message, which are seconds since 1970
# (https://gtfs.org/documentation/realtime/reference/#message-stoptimeevent), are times in New York, as the time of
# departure that a trip's identifier has; or they have a zone.
# Found (nyct-gtfs 2.1.0), without an error:
# - arrival, departure and last_position_update are in the zone of the machine, and departure_time is New York's, all
#   without a zone: in UTC the train stands four hours between its departure and its first stop, in Berlin six.
# - Where the machine's zone is New York's, 01:30 is said of both hours when summer time ends, an hour apart.
# - Right: trips that begin before or after midnight of their day, by the machine's zone as by New York's.
# What follows: a server that reads such a feed runs in the zone of the agency, or keeps the seconds of the message.
#
#   usage: findings/two-clocks-of-one-train.sh     prints the times; ends with 1 if they change
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --only-binary :all: \
  --target "$folder/python" nyct-gtfs==2.1.0 protobuf==4.25.3 tzdata==2026.6 2>"$folder/log"
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import datetime, importlib.metadata, os, time, zoneinfo

from nyct_gtfs import NYCTFeed
from nyct_gtfs.compiled_gtfs import gtfs_realtime_pb2, nyct_subway_pb2

def seconds(day, hour, minute, fold=0):
    zone = zoneinfo.ZoneInfo("America/New_York")
    return int(datetime.datetime(*day, hour, minute, tzinfo=zone, fold=fold).timestamp())

message = gtfs_realtime_pb2.FeedMessage()
message.header.gtfs_realtime_version = "1.0"
message.header.timestamp = seconds((2026, 6, 2), 8, 0)
SUMMER, NIGHT = (2026, 6, 2), (2026, 11, 1)
TRAINS = [("048000_1..N03R", "20260602", (seconds(SUMMER, 8, 0), seconds(SUMMER, 8, 5))),
          ("145000_1..N03R", "20260601", (seconds(SUMMER, 0, 10), seconds(SUMMER, 0, 15))),
          ("009000_1..N03R", "20261101", (seconds(NIGHT, 1, 30), seconds(NIGHT, 1, 30, fold=1)))]
for trip, day, instants in TRAINS:
    entity = message.entity.add(id=trip)
    entity.trip_update.trip.trip_id = trip
    entity.trip_update.trip.start_date = day
    entity.trip_update.trip.route_id = "1"
    train = entity.trip_update.trip.Extensions[nyct_subway_pb2.nyct_trip_descriptor]
    train.train_id, train.is_assigned = "01 0800 SFT/242", True
    for stop, instant in zip(("101N", "103N"), instants):
        entity.trip_update.stop_time_update.add(stop_id=stop).arrival.time = instant
print("nyct-gtfs", importlib.metadata.version("nyct-gtfs"))
for zone in ("America/New_York", "Etc/UTC", "Europe/Berlin"):
    os.environ["TZ"] = zone
    time.tzset()
    feed = NYCTFeed("1", fetch_immediately=False)
    feed.load_gtfs_bytes(message.SerializeToString())
    for trip in feed.trips:
        arrivals = ", ".join(str(update.arrival) for update in trip.stop_time_updates)
        print(f"{zone}, {trip.trip_id}: leaves {trip.departure_time}, arrives {arrivals}")
END_OF_PYTHON
PYTHONPATH=$folder/python python3 "$folder/ask.py" 2>>"$folder/log" | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
nyct-gtfs 2.1.0
America/New_York, 048000_1..N03R: leaves 2026-06-02 08:00:00, arrives 2026-06-02 08:00:00, 2026-06-02 08:05:00
America/New_York, 145000_1..N03R: leaves 2026-06-02 00:10:00, arrives 2026-06-02 00:10:00, 2026-06-02 00:15:00
America/New_York, 009000_1..N03R: leaves 2026-11-01 01:30:00, arrives 2026-11-01 01:30:00, 2026-11-01 01:30:00
Etc/UTC, 048000_1..N03R: leaves 2026-06-02 08:00:00, arrives 2026-06-02 12:00:00, 2026-06-02 12:05:00
Etc/UTC, 145000_1..N03R: leaves 2026-06-02 00:10:00, arrives 2026-06-02 04:10:00, 2026-06-02 04:15:00
Etc/UTC, 009000_1..N03R: leaves 2026-11-01 01:30:00, arrives 2026-11-01 05:30:00, 2026-11-01 06:30:00
Europe/Berlin, 048000_1..N03R: leaves 2026-06-02 08:00:00, arrives 2026-06-02 14:00:00, 2026-06-02 14:05:00
Europe/Berlin, 145000_1..N03R: leaves 2026-06-02 00:10:00, arrives 2026-06-02 06:10:00, 2026-06-02 06:15:00
Europe/Berlin, 009000_1..N03R: leaves 2026-11-01 01:30:00, arrives 2026-11-01 06:30:00, 2026-11-01 07:30:00
END_OF_FOUND
