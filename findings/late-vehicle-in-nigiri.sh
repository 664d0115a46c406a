#!/bin/sh
# A bus is late on one trip, and the next trip of the same bus has no update: nigiri, the router of MOTIS, has it catch
# up at once, or leave without need after its time.
#
# Guess: riders who stay on the vehicle of a block (block_id) leave with its next trip when it has arrived, or at the
# time of the timetable if that is later, and the ride takes as long as the timetable says.
# Found (pynigiri 0.1.5), of a trip from Quay to Mill, 08:00 to 08:30, and one of the same block from Mill to Farm, half
# an hour, of which the message has nothing:
# - Where the second trip leaves at 08:30, 20 minutes late it leaves at 08:50 and arrives at 09:00 as planned. An hour
#   late it leaves Mill at 09:30 and is at Farm in the same minute.
# - Where it leaves at 08:45, and the bus is 10 minutes late and so in time, it leaves at 08:55 for nigiri: who goes by
#   that has missed it.
# - Right: with an update of both trips, and without a block, where the late bus is missed.
# What follows: who publishes delays has an update of each later trip of the vehicle.
#
#   usage: findings/late-vehicle-in-nigiri.sh     prints the journeys; ends with 1 if one of them changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import datetime, importlib.metadata, os, sys

import pynigiri

def timetable(name, departure, arrival, block):
    files = {
        "agency": "agency_id,agency_name,agency_url,agency_timezone\nA,Agency,https://a.example,Etc/UTC\n",
        "calendar": "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
                    "D,0,1,0,0,0,0,0,20260602,20260602\n",
        "routes": "route_id,agency_id,route_short_name,route_type\nr,A,1,3\n",
        "stops": "stop_id,stop_name,stop_lat,stop_lon\nq,Quay,52.0,13.0\nm,Mill,52.3,13.0\nf,Farm,52.6,13.0\n",
        "trips": f"route_id,service_id,trip_id,block_id\nr,D,one,{block}\nr,D,two,{block}\n",
        "stop_times": "trip_id,arrival_time,departure_time,stop_id,stop_sequence\none,08:00:00,08:00:00,q,1\n"
                      "one,08:30:00,08:30:00,m,2\n"
                      f"two,{departure}:00,{departure}:00,m,1\ntwo,{arrival}:00,{arrival}:00,f,2\n",
    }
    path = os.path.join(sys.argv[1], name)
    os.mkdir(path)
    for file, text in files.items():
        with open(os.path.join(path, file + ".txt"), "w") as out:
            out.write(text)
    return pynigiri.load_timetable([pynigiri.TimetableSource("feed", path)], "2026-06-01", "2026-06-04")

def number(field, value):
    data = bytes([field << 3])
    while value > 127:
        data, value = data + bytes([value & 127 | 128]), value >> 7
    return data + bytes([value])

def part(field, *contents):
    content = b"".join(text.encode() if isinstance(text, str) else text for text in contents)
    return bytes([field << 3 | 2, len(content)]) + content

def journey(table, origin, minutes, *trips):
    late = part(2, number(1, 1), part(3, number(1, 60 * minutes)))
    message = part(1, part(1, "2.0"), number(3, 1780380000)) + b"".join(
        part(2, part(1, trip), part(3, part(1, part(1, trip), part(3, "20260602")), late)) for trip in trips)
    day = pynigiri.create_rt_timetable(table, datetime.datetime(2026, 6, 2))
    pynigiri.gtfsrt_update_from_bytes(table, day, pynigiri.SourceIdx(0), "feed", message)
    query = pynigiri.Query()
    query.start_time = int(datetime.datetime(2026, 6, 2, 7, tzinfo=datetime.timezone.utc).timestamp()) // 60
    query.start = [pynigiri.Offset(table.find_location(origin), 0, 0)]
    query.destination = [pynigiri.Offset(table.find_location("f"), 0, 0)]
    query.max_transfers, query.max_travel_time = 3, 600
    found = [one.legs for one in pynigiri.route_with_rt(table, day, query)]
    return " ".join(f"{clock(legs[0].dep_time)}-{clock(legs[-1].arr_time)}" for legs in found) or "none"

def clock(minute):
    return f"{minute // 60 % 24:02}:{minute % 60:02}"

print("nigiri", importlib.metadata.version("pynigiri"))
cases = [("next at 08:30", "08:30", "09:00", "B"), ("next at 08:45", "08:45", "09:15", "B"),
         ("next at 08:45, no block", "08:45", "09:15", "")]
for name, departure, arrival, block in cases:
    table = timetable(name, departure, arrival, block)
    for minutes, trips in [(0, ()), (10, ("one",)), (20, ("one",)), (60, ("one",)), (20, ("one", "two"))]:
        print(f"nigiri, {name}, {' and '.join(trips) or 'none'} late by {minutes}: Quay to Farm "
              f"{journey(table, 'q', minutes, *trips)}, Mill to Farm {journey(table, 'm', minutes, *trips)}")
END_OF_PYTHON
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-deps \
  --only-binary :all: --target "$folder/packages" pynigiri==0.1.5
# It writes a line about each file that it reads.
PYTHONPATH=$folder/packages python3 "$folder/ask.py" "$folder" 2>"$folder/log" | grep '^nigiri' >"$folder/found"
cat "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
nigiri 0.1.5
nigiri, next at 08:30, none late by 0: Quay to Farm 08:00-09:00, Mill to Farm 08:30-09:00
nigiri, next at 08:30, one late by 10: Quay to Farm 08:10-09:00, Mill to Farm 08:40-09:00
nigiri, next at 08:30, one late by 20: Quay to Farm 08:20-09:00, Mill to Farm 08:50-09:00
nigiri, next at 08:30, one late by 60: Quay to Farm 09:00-09:30, Mill to Farm 09:30-09:30
nigiri, next at 08:30, one and two late by 20: Quay to Farm 08:20-09:20, Mill to Farm 08:50-09:20
nigiri, next at 08:45, none late by 0: Quay to Farm 08:00-09:15, Mill to Farm 08:45-09:15
nigiri, next at 08:45, one late by 10: Quay to Farm 08:10-09:15, Mill to Farm 08:55-09:15
nigiri, next at 08:45, one late by 20: Quay to Farm 08:20-09:15, Mill to Farm 09:05-09:15
nigiri, next at 08:45, one late by 60: Quay to Farm 09:00-09:45, Mill to Farm 09:45-09:45
nigiri, next at 08:45, one and two late by 20: Quay to Farm 08:20-09:35, Mill to Farm 09:05-09:35
nigiri, next at 08:45, no block, none late by 0: Quay to Farm 08:00-09:15, Mill to Farm 08:45-09:15
nigiri, next at 08:45, no block, one late by 10: Quay to Farm 08:10-09:15, Mill to Farm 08:45-09:15
nigiri, next at 08:45, no block, one late by 20: Quay to Farm none, Mill to Farm 08:45-09:15
nigiri, next at 08:45, no block, one late by 60: Quay to Farm none, Mill to Farm 08:45-09:15
nigiri, next at 08:45, no block, one and two late by 20: Quay to Farm 08:20-09:35, Mill to Farm 09:05-09:35
END_OF_FOUND
