#!/bin/sh
# nigiri, the router of MOTIS, lets a delay go on behind a stop without data, and passes over a delay of the whole trip.
#
# Guess: NO_DATA ends a delay, "is propagated through subsequent stops"; a trip update whose only content is its delay
# delays each stop; a trip is found by its route, direction, day and start where trip_id is left out
# (https://gtfs.org/documentation/realtime/reference/#message-tripupdate).
# Found (pynigiri 0.1.5), of a trip that arrives at 09:30 by its schedule:
# - 10 minutes late at its first stop, and without data from the third one on, it arrives at 09:40.
# - With a delay of 7 minutes and no stop it arrives at 09:30, and the message counts as applied.
# - Without trip_id it arrives at 09:30, and the message counts neither as applied nor as failed.
# What follows: the three messages change the journeys of one router and not those of another; who publishes them names
# each trip and each stop.
#
#   usage: findings/delay-in-nigiri.sh     prints the arrivals; ends with 1 if one of them changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import datetime, importlib.metadata, os, sys

import pynigiri

FILES = {
    "agency": "agency_id,agency_name,agency_url,agency_timezone\nA,Agency,https://a.example,Etc/UTC\n",
    "calendar": "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
                "D,0,1,0,0,0,0,0,20260602,20260602\n",
    "routes": "route_id,agency_id,route_short_name,route_type\nr,A,1,3\n",
    "stops": "stop_id,stop_name,stop_lat,stop_lon\n"
             "a,Quay,52.0,13.0\nb,Mill,52.3,13.0\nc,Farm,52.6,13.0\nd,Hill,52.9,13.0\n",
    "trips": "route_id,service_id,trip_id,direction_id\nr,D,t,0\n",
    "stop_times": "trip_id,arrival_time,departure_time,stop_id,stop_sequence\nt,08:00:00,08:00:00,a,1\n"
                  "t,08:30:00,08:30:00,b,2\nt,09:00:00,09:00:00,c,3\nt,09:30:00,09:30:00,d,4\n",
}
path = os.path.join(sys.argv[1], "feed")
os.mkdir(path)
for name, text in FILES.items():
    with open(os.path.join(path, name + ".txt"), "w") as file:
        file.write(text)
timetable = pynigiri.load_timetable([pynigiri.TimetableSource("feed", path)], "2026-06-01", "2026-06-04")

def number(field, value):
    data = bytes([field << 3])
    while value > 127:
        data, value = data + bytes([value & 127 | 128]), value >> 7
    return data + bytes([value])

def part(field, *contents):
    content = b"".join(text.encode() if isinstance(text, str) else text for text in contents)
    return bytes([field << 3 | 2, len(content)]) + content

def arrival(trip, *updates):
    header = part(1, part(1, "2.0"), number(3, 1780380000))
    message = header + part(2, part(1, "1"), part(3, part(1, *trip), *updates))
    day = pynigiri.create_rt_timetable(timetable, datetime.datetime(2026, 6, 2))
    applied = pynigiri.gtfsrt_update_from_bytes(timetable, day, pynigiri.SourceIdx(0), "feed", message)
    query = pynigiri.Query()
    query.start_time = int(datetime.datetime(2026, 6, 2, 7, tzinfo=datetime.timezone.utc).timestamp()) // 60
    query.start = [pynigiri.Offset(timetable.find_location("a"), 0, 0)]
    query.destination = [pynigiri.Offset(timetable.find_location("d"), 0, 0)]
    query.max_transfers, query.max_travel_time = 3, 600
    minutes = pynigiri.route_with_rt(timetable, day, query)[0].arrival_time() % 1440
    return f"{minutes // 60:02}:{minutes % 60:02} ({applied.total_entities_success} applied)"

NAMED = [part(1, "t"), part(3, "20260602")]
LATE = part(2, number(1, 1), part(3, number(1, 600)))
print("pynigiri", importlib.metadata.version("pynigiri"), "|", "; ".join([
    "late at a stop: " + arrival(NAMED, LATE),
    "without data from the third: " + arrival(NAMED, LATE, part(2, number(1, 3), number(5, 2))),
    "late as a whole: " + arrival(NAMED, number(5, 420)),
    "without trip_id: " + arrival([part(2, "08:00:00"), part(3, "20260602"), part(5, "r"), number(6, 0)], LATE),
]))
END_OF_PYTHON
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-deps \
  --only-binary :all: --target "$folder/packages" pynigiri==0.1.5
# It writes a line about each file that it reads.
PYTHONPATH=$folder/packages python3 "$folder/ask.py" "$folder" 2>"$folder/log" | grep '^pynigiri' | tee "$folder/found"
diff - "$folder/found" <<'END'
pynigiri 0.1.5 | late at a stop: 09:40 (1 applied); without data from the third: 09:40 (1 applied); late as a whole: 09:30 (1 applied); without trip_id: 09:30 (0 applied)
END
