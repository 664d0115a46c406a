#!/bin/sh
# A valid GTFS feed in GDAL's driver for GTFS: calls after midnight have no time, nor have those whose hour has one digit.
#
# Guess: times are texts, as "25:10:00" is no time of a day; what a feed leaves empty is null.
# Found (GDAL 3.12.4 in pyogrio 0.13.0):
# - arrival_time and departure_time are times of a day. "25:10:00" and "7:05:00", which the reference allows, are null,
#   without an error or a warning; so a count of departures by hour has no night, and in some feeds no morning.
# - A node of a station without coordinates lies at 0, 0. An empty shape_dist_traveled is 0, not null.
# - The identifiers "007" and "01" stay texts.
# What follows: GDAL reads the times of `holdfast transit export DB OUT.sqlite` whole, as texts.
#
#   usage: findings/times-after-midnight-in-gdal.sh     prints what is read; ends with 1 if that changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --only-binary :all: \
  --target "$folder/python" pyogrio==0.13.0 pyarrow==26.0.1
mkdir "$folder/feed"
cd "$folder/feed"
cat >agency.txt <<'END'
agency_id,agency_name,agency_url,agency_timezone
A,Night lines,https://example.org,Europe/Berlin
END
cat >stops.txt <<'END'
stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station
007,Quay,52.5,13.4,0,P
008,Hill,52.6,13.5,0,
N,,,,3,P
P,Quay,52.5,13.4,1,
END
cat >routes.txt <<'END'
route_id,agency_id,route_short_name,route_type
01,A,N1,3
END
cat >calendar.txt <<'END'
service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date
W,1,1,1,1,1,0,0,20260101,20261231
END
cat >trips.txt <<'END'
route_id,service_id,trip_id
01,W,late
01,W,early
END
cat >stop_times.txt <<'END'
trip_id,arrival_time,departure_time,stop_id,stop_sequence,shape_dist_traveled
late,23:50:00,23:50:00,007,1,
late,25:10:00,25:10:00,008,2,
early,7:05:00,7:05:00,007,1,
early,07:15:00,07:15:00,008,2,
END
cat >"$folder/ask.py" <<'END'
import sys
import pyogrio

print("GDAL", ".".join(map(str, pyogrio.__gdal_version__)), file=sys.stderr)

def rows(layer):
    return pyogrio.read_arrow("GTFS:" + sys.argv[1], layer=layer)[1].to_pylist()

for call in rows("stop_times"):
    print(call["trip_id"], call["stop_id"], call["arrival_time"], call["departure_time"], call["shape_dist_traveled"])
for stop in rows("stops"):
    print(stop["stop_id"], stop["stop_lat"], stop["stop_lon"])
END
PYTHONPATH=$folder/python python3 "$folder/ask.py" "$folder/feed" | tee "$folder/found"
diff - "$folder/found" <<'END'
late 007 23:50:00 23:50:00 0.0
late 008 None None 0.0
early 007 None None 0.0
early 008 07:15:00 07:15:00 0.0
007 52.5 13.4
008 52.6 13.5
N 0.0 0.0
P 52.5 13.4
END
