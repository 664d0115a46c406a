"""Writes trip-updates.pb: a GTFS-Realtime feed message for the feed in port-merrow.

It needs gtfs-realtime-bindings from PyPI, and writes the same bytes each time. The morning is that of
Monday, 5 January 2026, in Port Merrow (UTC+13): midnight there is 1767524400 in POSIX time.
"""

import pathlib
import sys

from google.transit import gtfs_realtime_pb2 as gtfs

MIDNIGHT = 1767524400
DAY = "20260105"


def at(hours, minutes, seconds=0):
    return MIDNIGHT + hours * 3600 + minutes * 60 + seconds


message = gtfs.FeedMessage()
message.header.gtfs_realtime_version = "2.0"
message.header.incrementality = gtfs.FeedHeader.FULL_DATASET
message.header.timestamp = at(6, 6, 30)
message.header.feed_version = "port-merrow-2026.1"


def trip_update(relationship="SCHEDULED", **trip):
    entity = message.entity.add(id=str(len(message.entity) + 1))
    update = entity.trip_update
    for key, value in trip.items():
        setattr(update.trip, key, value)
    update.trip.schedule_relationship = gtfs.TripDescriptor.ScheduleRelationship.Value(relationship)
    return update


# A tram that is two minutes late from its third stop on, skips the sixth and is on time at the last.
tram = trip_update(trip_id="T1-WD-0-0600", start_date=DAY, route_id="T1")
tram.timestamp = at(6, 6, 12)
tram.vehicle.id = "tram-17"
tram.vehicle.label = "17"
tram.stop_time_update.add(stop_sequence=3, stop_id="2003").departure.delay = 120
tram.stop_time_update.add(
    stop_sequence=6, stop_id="CQ-1",
    schedule_relationship=gtfs.TripUpdate.StopTimeUpdate.SKIPPED)
last = tram.stop_time_update.add(stop_sequence=13, stop_id="2011").arrival
last.time = at(6, 21)
last.uncertainty = 60

# A tram in the other direction that does not run.
trip_update("CANCELED", trip_id="T1-WD-1-0615", start_date=DAY)

# A ferry from the other wharf; how late it is is unknown.
ferry = trip_update(trip_id="F1-WD-0-0630", start_date=DAY).stop_time_update.add(
    stop_sequence=1, schedule_relationship=gtfs.TripUpdate.StopTimeUpdate.NO_DATA)
ferry.stop_time_properties.assigned_stop_id = "CQ-B"

# A round of the city loop, which runs by headway.
loop = trip_update("UNSCHEDULED", trip_id="T2-WD", start_date=DAY, start_time="06:10:00")
for sequence, stop, minute in (1, "CQ-1", 11), (2, "2006", 13), (3, "CEN-3", 15):
    update = loop.stop_time_update.add(
        stop_sequence=sequence, stop_id=stop,
        schedule_relationship=gtfs.TripUpdate.StopTimeUpdate.UNSCHEDULED)
    update.departure.time = at(6, minute)

# A ferry that is not in the timetable.
extra = trip_update("NEW", trip_id="F1-EXTRA-0620", start_date=DAY, route_id="F1")
extra.trip_properties.trip_headsign = "Westhaven"
extra.stop_time_update.add(stop_sequence=1, stop_id="CQ-A").departure.time = at(6, 20)
extra.stop_time_update.add(stop_sequence=2, stop_id="WH-W1").arrival.time = at(6, 31)

# A vehicle position, which trip updates do not need.
position = message.entity.add(id=str(len(message.entity) + 1)).vehicle
position.trip.trip_id = "T1-WD-0-0600"
position.position.latitude = -43.82
position.position.longitude = 172.96

target = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).with_name(
    "trip-updates.pb")
target.write_bytes(message.SerializeToString(deterministic=True))
