#!/bin/sh
# A day of a timetable is made into traffic by SUMO's gtfs2pt: the bus that is on its way at midnight is on the road
# twice, the night bus of the night before is missing, and a line that runs every half hour runs once, at midnight.
#
# Guess: a day has the trips of its service days, those after midnight of the day before among them, each once; or those
# of one service day up to their end. Runs of frequencies.txt are repeated
# (https://gtfs.org/documentation/schedule/reference/#frequenciestxt), or the tool says that it leaves them out.
# Found (eclipse-sumo 1.28.0), without an error or a warning about it, of two days from 2026-06-09:
# - A bus from 23:50 to 24:20 leaves at 23:50, and a second one, "trimmed", leaves the first stop after midnight at
#   24:06. It stands for the bus of the night before, which would be there at 00:06, and keeps the time in the file.
# - A night bus that leaves at 25:10 is there twice in the same minute if its stop_sequence begins at 5, and once if it
#   begins with the least number of the feed, 1.
# - With 24:00 as the end, which is the default, none of those that leave after midnight is left.
# - The trip of frequencies.txt leaves once, at the time that stop_times.txt has, 0:00.
# - Right: trips of the day, and days by calendar_dates.txt. Departures are ten seconds early, for the time of a stop.
# What follows: before such an import a night bus gets a time of the next service day, and runs are written out.
#
#   usage: findings/night-bus-twice-in-sumo.sh     prints the departures; ends with 1 if one of them changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import os, re, subprocess, sys, zipfile

folder = sys.argv[1]
os.chdir(folder)
SUMO = f"{folder}/packages/sumo"
environment = {**os.environ, "SUMO_HOME": SUMO, "PYTHONPATH": f"{folder}/packages:{SUMO}/tools"}
PLACES = {"Quay": (52.0, 13.0), "Mill": (52.01, 13.01), "Hill": (52.02, 13.02)}

def calls(trip, first, *times):
    return "".join(f"{trip},{time},{time},{stop},{place}\n"
                   for place, (stop, time) in enumerate(zip(PLACES, times), first))

with zipfile.ZipFile("feed.zip", "w") as feed:
    for name, text in {
        "agency": "agency_id,agency_name,agency_url,agency_timezone\nA,A,https://a.example,Europe/Berlin\n",
        "stops": "stop_id,stop_name,stop_lat,stop_lon\n" + "".join(
            f"{stop},{stop},{latitude},{longitude}\n" for stop, (latitude, longitude) in PLACES.items()),
        "routes": "route_id,agency_id,route_short_name,route_long_name,route_type\nR,A,1,One,3\n",
        "calendar": "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
                    "W,1,1,1,1,1,0,0,20260101,20261231\n",
        "calendar_dates": "service_id,date,exception_type\nX,20260609,1\nW,20260501,2\n",
        "trips": "route_id,service_id,trip_id,direction_id\nR,W,day,0\nR,X,extra,0\nR,W,over,0\nR,W,night,0\n"
                 "R,W,night_from_5,0\nR,W,each_half_hour,0\n",
        "stop_times": "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
                      + calls("day", 1, "08:00:00", "08:10:00", "08:30:00")
                      + calls("extra", 1, "10:00:00", "10:10:00", "10:30:00")
                      + calls("over", 1, "23:50:00", "24:06:00", "24:20:00")
                      + calls("night", 1, "25:10:00", "25:20:00", "25:40:00")
                      + calls("night_from_5", 5, "25:10:00", "25:20:00", "25:40:00")
                      + calls("each_half_hour", 1, "00:00:00", "00:10:00", "00:30:00"),
        "frequencies": "trip_id,start_time,end_time,headway_secs,exact_times\n"
                       "each_half_hour,06:00:00,09:00:00,1800,1\n",
    }.items():
        feed.writestr(f"{name}.txt", text)
with open("road.osm", "w") as road:
    nodes = [(51.999, 12.999), *PLACES.values(), (52.021, 13.021)]
    road.write('<osm version="0.6">' + "".join(f'<node id="{number}" version="1" lat="{latitude}" lon="{longitude}"/>'
                                               for number, (latitude, longitude) in enumerate(nodes, 1))
               + '<way id="1" version="1">' + "".join(f'<nd ref="{number}"/>' for number in range(1, len(nodes) + 1))
               + '<tag k="highway" v="primary"/></way></osm>')

def run(*command):
    answer = subprocess.run(command, env=environment, capture_output=True, text=True)
    if answer.returncode:
        sys.exit(answer.stderr)
    return answer.stdout

print(run(f"{SUMO}/bin/netconvert", "--version").splitlines()[0])
run(f"{SUMO}/bin/netconvert", "--osm-files", "road.osm", "-o", "road.net.xml")
for days in (1, 2):
    run(sys.executable, f"{SUMO}/tools/import/gtfs/gtfs2pt.py", "-n", "road.net.xml", "--gtfs", "feed.zip", "--date",
        "20260609", "--modes", "bus", "-e", str(days * 86400), "--skip-access")
    print(f"in {days} day{'s' * (days > 1)}:")
    with open("gtfs_pt_vehicles.add.xml") as vehicles:
        found = re.findall(r'<vehicle id="(.*?)" .*? depart="(\d+)"', vehicles.read())
    for trip, seconds in sorted(found, key=lambda vehicle: (int(vehicle[1]), vehicle[0])):
        hours, minutes, rest = int(seconds) // 3600, int(seconds) // 60 % 60, int(seconds) % 60
        print(f"  {hours:02}:{minutes:02}:{rest:02} {trip}")
END_OF_PYTHON
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --no-deps \
  --only-binary :all: --target "$folder/packages" eclipse-sumo==1.28.0 pandas==3.1.1 numpy==2.4.6 rtree==1.4.1 \
  pyproj==3.7.2 python-dateutil==4.0.0 certifi==2026.10.19.post1
python3 "$folder/ask.py" "$folder" | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
Eclipse SUMO netconvert 1.28.0
in 1 day:
  00:00:00 each_half_hour.0
  07:59:50 day.0
  09:59:50 extra.0
  23:49:50 over.0
in 2 days:
  00:00:00 each_half_hour.0
  07:59:50 day.0
  09:59:50 extra.0
  23:49:50 over.0
  23:59:50 each_half_hour.1
  24:05:50 over.trimmed.0
  25:09:50 night.0
  25:09:50 night_from_5.0
  25:09:50 night_from_5.trimmed.0
  31:59:50 day.1
  33:59:50 extra.1
  47:49:50 over.1
END_OF_FOUND
