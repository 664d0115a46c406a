#!/bin/sh
# A feed is packed by gtfs-proto, to a tenth of its size: a line that runs each ten minutes in the morning runs from
# nine on, and a stop without a time moves those behind it by hours.
#
# Guess: what the format leaves out is in its list (block_id, stop_sequence, fares and more), and times are rounded to
# five seconds; all else comes back as the feed has it.
# Found (gtfs-proto 0.1.0), without an error or a warning:
# - Of several rows of frequencies.txt for a trip the last one is kept. exact_times is lost.
# - A time is the sum of the differences up to it. A stop without a time has 0, and the next one the whole time of the
#   day again: 08:00, no time, 09:00 is 08:00, 08:00, 17:00. Such stops are allowed between timepoints.
# - pickup_type and drop_off_type are lost, since those of the trip are filled from continuous_pickup and
#   continuous_drop_off: where nobody may board, and where one stops on demand, is not told.
# - Right: times after midnight, a trip that begins at 00:00:00, and a stay at a stop.
# What follows: frequencies.txt and stop_times.txt are compared before such a pack is shipped in their place.
#
#   usage: findings/last-period-of-a-line.sh     prints the trips; ends with 1 if one of them changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import importlib.metadata, os, subprocess, sys, zipfile

import gtfs_proto

FILES = {
    "agency": "agency_id,agency_name,agency_url,agency_timezone\nA,Agency,https://a.example,Etc/UTC\n",
    "calendar": "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
                "D,1,1,1,1,1,1,1,20260101,20991231\n",
    "routes": "route_id,agency_id,route_short_name,route_type\nr,A,1,3\n",
    "stops": "stop_id,stop_name,stop_lat,stop_lon\nq,Quay,52.0,13.0\nm,Mill,52.03,13.0\nf,Farm,52.06,13.0\n",
    "shapes": "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence\ns,52.0,13.0,1\ns,52.06,13.0,2\n",
    "trips": "route_id,service_id,trip_id\n" + "".join(
        f"r,D,{trip}\n" for trip in ("often", "exact", "plain", "night", "midnight", "untimed")),
    "stop_times": "trip_id,arrival_time,departure_time,stop_id,stop_sequence,pickup_type,drop_off_type\n"
                  "often,06:00:00,06:00:00,q,1,0,0\noften,06:30:00,06:30:00,m,2,0,0\n"
                  "exact,06:00:00,06:00:00,q,1,0,0\nexact,06:30:00,06:30:00,m,2,0,0\n"
                  "plain,08:00:00,08:00:00,q,1,0,1\nplain,08:30:00,08:35:00,m,2,1,3\nplain,09:00:00,09:00:00,f,3,1,0\n"
                  "night,25:10:00,25:10:00,q,1,0,0\nnight,25:40:00,25:40:00,m,2,0,0\n"
                  "midnight,00:00:00,00:00:00,q,1,0,0\nmidnight,00:30:00,00:30:00,m,2,0,0\n"
                  "untimed,08:00:00,08:00:00,q,1,0,0\nuntimed,,,m,2,0,0\nuntimed,09:00:00,09:00:00,f,3,0,0\n",
    "frequencies": "trip_id,start_time,end_time,headway_secs,exact_times\noften,06:00:00,09:00:00,600,0\n"
                   "often,09:00:00,20:00:00,1800,0\nexact,06:00:00,20:00:00,600,1\n",
}
source, target = (os.path.join(sys.argv[1], name) for name in ("feed.zip", "feed.gtp"))
with zipfile.ZipFile(source, "w") as archive:
    for name, text in FILES.items():
        archive.writestr(name + ".txt", text)
subprocess.run([sys.executable, "-m", "gtfs_proto", "pack", source, "-o", target], check=True)

def clock(seconds):
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}"

print("gtfs-proto", importlib.metadata.version("gtfs-proto"))
with open(target, "rb") as file:
    feed = gtfs_proto.GtfsProto(file)
    names = {number: name for name, number in feed.id_store[gtfs_proto.gtfs.B_TRIPS].ids.items()}
    for trip in feed.trips:
        departures, arrivals, sum = [], [], 0
        stays = list(trip.arrivals) + [0] * len(trip.departures)
        for difference, stay in zip(trip.departures, stays):
            sum += difference * 5
            departures.append(clock(sum))
            arrivals.append(clock(sum - stay * 5))
        print(f"{names[trip.trip_id]}: departures {' '.join(departures)}, arrivals {' '.join(arrivals)}", end="")
        if trip.interval:
            print(f", from {clock(trip.start_time * 60)} to {clock(trip.end_time * 60)} each {trip.interval} s", end="")
        print(f", approximate {trip.approximate}, pickup {list(trip.pickup_types)}, "
              f"drop-off {list(trip.dropoff_types)}")
END_OF_PYTHON
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --no-deps \
  --only-binary :all: --target "$folder/packages" gtfs-proto==0.1.0 protobuf==7.36.2 zstandard==0.25.0
PYTHONPATH=$folder/packages python3 "$folder/ask.py" "$folder" | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
gtfs-proto 0.1.0
often: departures 06:00 06:30, arrivals 06:00 06:30, from 09:00 to 20:00 each 1800 s, approximate False, pickup [], drop-off []
exact: departures 06:00 06:30, arrivals 06:00 06:30, from 06:00 to 20:00 each 600 s, approximate False, pickup [], drop-off []
plain: departures 08:00 08:35 09:00, arrivals 08:00 08:30 09:00, approximate False, pickup [], drop-off []
night: departures 25:10 25:40, arrivals 25:10 25:40, approximate False, pickup [], drop-off []
midnight: departures 00:00 00:30, arrivals 00:00 00:30, approximate False, pickup [], drop-off []
untimed: departures 08:00 08:00 17:00, arrivals 08:00 08:00 17:00, approximate False, pickup [], drop-off []
END_OF_FOUND
