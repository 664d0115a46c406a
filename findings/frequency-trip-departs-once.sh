#!/bin/sh
# A line that runs every half hour by frequencies.txt has one departure a day in tools that read the file.
#
# Guess: a tool that lists or counts departures repeats the trip by its headways, as the reference says
# (https://gtfs.org/documentation/schedule/reference/#frequenciestxt), or says that it does not.
# Found (pygtfsie 0.1.0, gtfs-parser 0.3.0), of a trip that departs eleven times, from 06:00 to 09:30
# and from 22:00 to 24:00, without an error:
# - pygtfsie reads the file into a table of its database, and asks that nowhere: its index has the departure at 06:00.
# - gtfs-parser counts one trip between the stops. gtfs-kit 13.0.1 had one in its timetable of a stop and in its
#   statistics when it was tried; nigiri repeated the trip.
# - A stop whose time the feed leaves out, to be interpolated, has no departure in pygtfsie.
# - Right in both: a night trip of the day before, and a day by calendar_dates.txt alone.
# What follows: the departures of such a line are compared with a tool that repeats trips, as `holdfast transit
# departures` does; or the publisher writes each trip.
#
#   usage: findings/frequency-trip-departs-once.sh     prints the departures; ends with 1 if they change
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/feed"
write() { cat >"$folder/feed/$1.txt"; }
write agency <<'END_OF_TABLE'
agency_id,agency_name,agency_url,agency_timezone
1,Harbor Lines,https://example.org/,Europe/Lisbon
END_OF_TABLE
write stops <<'END_OF_TABLE'
stop_id,stop_name,stop_lat,stop_lon
quay,Quay,38.7,-9.1
pier,Pier,38.75,-9.15
island,Island,38.8,-9.2
END_OF_TABLE
write routes <<'END_OF_TABLE'
route_id,agency_id,route_short_name,route_type
f,1,F,4
END_OF_TABLE
write calendar_dates <<'END_OF_TABLE'
service_id,date,exception_type
s,20261202,1
END_OF_TABLE
write trips <<'END_OF_TABLE'
route_id,service_id,trip_id
f,s,often
f,s,night
END_OF_TABLE
write stop_times <<'END_OF_TABLE'
trip_id,arrival_time,departure_time,stop_id,stop_sequence
often,06:00:00,06:00:00,quay,1
often,,,pier,2
often,06:20:00,06:20:00,island,3
night,25:10:00,25:10:00,quay,1
night,25:30:00,25:30:00,island,2
END_OF_TABLE
write frequencies <<'END_OF_TABLE'
trip_id,start_time,end_time,headway_secs
often,06:00:00,10:00:00,1800
often,22:00:00,25:00:00,3600
END_OF_TABLE
(cd "$folder/feed" && python3 -m zipfile -c ../feed.zip ./*.txt)
cat >"$folder/ask-ie.py" <<'END_OF_PYTHON'
import datetime, importlib.metadata, pathlib, sys
from pygtfsie.db import queries, schema_index
from pygtfsie.ingest.load_feed import load_feed
from pygtfsie.ingest.materialise import materialise

folder = pathlib.Path(sys.argv[1])
loaded = load_feed(folder / "feed.zip", folder / "feed.sqlite")
day = datetime.date(2026, 12, 2)
materialise(folder / "feed.sqlite", folder / "index.sqlite", window_start=day, window_end=day, built_utc=0)
index = schema_index.open_for_read(folder / "index.sqlite")
keys = queries.resolve_stop_ids(index, ["quay", "pier"])
midnight = int(datetime.datetime(2026, 12, 2, tzinfo=datetime.timezone.utc).timestamp())
print(f"pygtfsie {importlib.metadata.version('pygtfsie')}: {loaded.counts['frequency']} rows of frequencies;", end=" ")
lists = []
for stop in ["quay", "pier"]:
    page = queries.departures_at_stops(index, [keys[stop]], midnight, midnight + 2 * 86400, 100)
    times = [datetime.timedelta(seconds=row.departure_utc - midnight) for row in page.rows]
    lists.append(f"{stop} " + (", ".join(f"{row.trip_id} at {time}" for row, time in zip(page.rows, times)) or "none"))
print("; ".join(lists))
END_OF_PYTHON
cat >"$folder/ask-parser.py" <<'END_OF_PYTHON'
import importlib.metadata, json, os, subprocess, sys

folder = sys.argv[1]
out = os.path.join(folder, "out")
os.mkdir(out)
tool = os.path.join(folder, "python", "bin", "gtfs-parser")
subprocess.run([sys.executable, tool, "aggregate", os.path.join(folder, "feed.zip"),
                out, "--aggregate_yyyymmdd", "20261202"], check=True, stdout=subprocess.DEVNULL)
with open(os.path.join(out, "aggregated_routes.geojson")) as file:
    parts = [part["properties"] for part in json.load(file)["features"]]
print("gtfs-parser", importlib.metadata.version("gtfs-parser") + ":",
      "; ".join(sorted(f"{part['prev_stop_id']} to {part['next_stop_id']} {part['frequency']}" for part in parts)))
END_OF_PYTHON
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-deps --no-compile \
  --target "$folder/python" pygtfsie==0.1.0 gtfs-parser==0.3.0 pandas==3.1.1 numpy==2.4.6 six==1.17.0 \
  python-dateutil==2.9.0.post0
for name in ie parser; do
  PYTHONPATH=$folder/python python3 -W ignore "$folder/ask-$name.py" "$folder"
done >"$folder/found"
cat "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
pygtfsie 0.1.0: 2 rows of frequencies; quay often at 6:00:00, night at 1 day, 1:10:00; pier none
gtfs-parser 0.3.0: pier to island 1; quay to island 1; quay to pier 1
END_OF_FOUND
