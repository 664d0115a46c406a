#!/bin/sh
# A day of a timetable is imported by AequilibraE, for a model of traffic: where a bus is at two stops in one minute,
# the whole import ends with an error that says nothing; a line with headways is not there, and a loop has lost a call.
#
# Guess: times of minutes, and times that are left out between two stops, which the reference allows
# (https://gtfs.org/documentation/schedule/reference/#stop_timestxt), are spread between the stops around them; runs of
# frequencies.txt are trips; what cannot be kept is named.
# Found (AequilibraE 1.7.2, over SpatiaLite of Debian 12), without an error where none is named:
# - 08:00:00 at two stops in turn, or no time at a stop on the way, is an AssertionError without a text, and nothing of
#   the feed is imported.
# - A trip of frequencies.txt is not imported, the other ones are. It is said at no place but the log.
# - A trip by A, B, A, B, C loses the call at A on its way, and has a link from B to B: a pair of stops counts once in a
#   trip. One by A, B, C, B, A is right.
# - A stop where the bus waits, 08:10 to 08:15, has 08:15 for both.
# - Right: times after midnight, 25:10.
# What follows: before such an import seconds are put between the stops of a minute, and runs are written out as trips.
#
#   usage: findings/one-minute-for-two-stops.sh     prints what is imported; ends with 1 if it changes. On Debian 12
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
packages=$(apt-cache depends --recurse --no-recommends --no-suggests --no-conflicts --no-breaks --no-replaces \
  --no-enhances libsqlite3-mod-spatialite | grep '^lib' | sort -u | grep -vE '^lib(c6|crypt1|gcc-s1|stdc\+\+6)$') ||
  { echo 'libsqlite3-mod-spatialite is missing' >&2; exit 69; }
for package in $packages; do
  (cd "$folder" && apt-get download --quiet --quiet "$package" 2>/dev/null && dpkg -x "$package"_*.deb debian) || true
done
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import importlib.metadata, os, shutil, sys, warnings, zipfile

import pysqlite3

sys.modules["sqlite3"] = pysqlite3  # Python's own may not load extensions
warnings.simplefilter("ignore")
from aequilibrae.project import Project
from aequilibrae.transit import Transit

os.chdir(sys.argv[1])

def clock(seconds):
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}"

def ask(what, *trips, frequencies=""):
    stops = sorted({stop for stops, _ in trips for stop in stops.split()})
    rows = [f"{number},{(times + '/' + times).split('/')[0]},{times.split('/')[-1]},{stop},{place}\n"
            for number, (calls, when) in enumerate(trips, 1)
            for place, (stop, times) in enumerate(zip(calls.split(), when.split(" ")), 1)]
    numbers = range(1, len(trips) + 1)
    with zipfile.ZipFile("feed.zip", "w") as feed:
        for name, text in {
            "agency": "agency_id,agency_name,agency_url,agency_timezone\nA,A,https://a.example,Europe/Berlin\n",
            "stops": "stop_id,stop_name,stop_lat,stop_lon,zone_id,parent_station,location_type\n" + "".join(
                f"{stop},{stop},{52 + index / 10},13.0,,,0\n" for index, stop in enumerate(stops)),
            "routes": "route_id,agency_id,route_short_name,route_long_name,route_type,route_desc\n" + "".join(
                f"R{number},A,{number},,3,\n" for number in numbers),
            "calendar": "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
                        "W,1,1,1,1,1,1,1,20260101,20261231\n",
            "calendar_dates": "service_id,date,exception_type\n",
            "trips": "route_id,service_id,trip_id,trip_headsign,direction_id,shape_id\n" + "".join(
                f"R{number},W,{number},,0,\n" for number in numbers),
            "stop_times": "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n" + "".join(rows),
            "frequencies": frequencies and "trip_id,start_time,end_time,headway_secs,exact_times\n" + frequencies,
        }.items():
            if text:
                feed.writestr(f"{name}.txt", text)
    shutil.rmtree("project", ignore_errors=True)
    project = Project()
    project.new("project")
    print(f"{what}:", end="")
    try:
        builder = Transit(project).new_gtfs_builder(agency="A", file_path="feed.zip")
        builder.load_date("2026-06-09")
        builder.save_to_disk()
        with project.transit_connection as database:
            for key, trip, pattern in database.execute("SELECT trip_id, trip, pattern_id FROM trips ORDER BY trip"):
                times = database.execute("SELECT arrival, departure FROM trips_schedule WHERE trip_id = ? ORDER BY seq",
                                         [key]).fetchall()
                links = database.execute("""
                    SELECT one.stop || other.stop FROM route_links JOIN stops AS one ON one.stop_id = from_stop
                    JOIN stops AS other ON other.stop_id = to_stop WHERE pattern_id = ? ORDER BY seq""", [pattern])
                print(f" trip {trip} by", *[link for link, in links], "at", *["/".join(
                    dict.fromkeys(map(clock, call))) for call in times], end=";")
        print()
    except AssertionError as error:
        print(f" {error!r}")
    project.close()

print("AequilibraE", importlib.metadata.version("aequilibrae"))
ask("two trips", ("A B C", "08:00:00 08:10:00 08:30:00"), ("A B", "09:00:00 09:10:00"))
ask("two stops in a minute", ("A B C", "08:00:00 08:00:00 08:30:00"), ("A B", "09:00:00 09:10:00"))
ask("a time left out", ("A B C", "08:00:00  08:30:00"), ("A B", "09:00:00 09:10:00"))
ask("runs of trip 1", ("A B C", "08:00:00 08:10:00 08:30:00"), ("A B", "09:00:00 09:10:00"),
    frequencies="1,08:00:00,10:00:00,1800,1\n")
ask("a loop", ("A B A B C", "08:00:00 08:10:00 08:20:00 08:30:00 08:40:00"))
ask("there and back", ("A B C B A", "08:00:00 08:10:00 08:20:00 08:30:00 08:40:00"))
ask("a wait", ("A B C", "08:00:00 08:10:00/08:15:00 08:30:00"))
ask("at night", ("A B", "25:10:00 25:20:00"))
END_OF_PYTHON
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --no-deps \
  --only-binary :all: --target "$folder/packages" aequilibrae==1.7.2 OpenMatrix==0.3.5.0 annotated-types==0.8.0 \
  anyio==4.16.0 blosc2==4.14.1 certifi==2026.10.19.post1 charset-normalizer==3.5.3 geopandas==1.2.0 h11==0.16.0 \
  h2==4.4.1 hpack==4.2.0 httpcore==1.0.9 httpx==0.28.1 hyperframe==6.1.0 idna==3.20 markdown-it-py==4.3.0 \
  mdurl==0.1.2 msgpack==1.2.4 ndindex==1.10.1 numexpr==2.14.2 numpy==2.4.6 packaging==26.4 pandas==3.1.1 \
  py-cpuinfo==9.0.0 pyaml==26.7.0 pyarrow==26.0.1 pydantic==2.14.4 pydantic-core==2.50.5 pygments==2.21.0 \
  pyogrio==0.13.0 pyproj==3.7.2 pysqlite3-binary==0.5.4.post2 python-dateutil==4.0.0 pyyaml==6.0.4 requests==2.34.2 \
  rich==15.0.0 rtree==1.4.1 scipy==1.17.1 shapely==2.2.0 tables==3.11.1 threadpoolctl==3.8.0 tqdm==4.70.1 \
  typing-extensions==4.16.0 typing-inspection==0.4.5 urllib3==2.8.0
libraries=$(find "$folder/debian" -name '*.so*' -printf '%h\n' | sort -u | tr '\n' ':')
LD_LIBRARY_PATH=$libraries PYTHONPATH=$folder/packages python3 "$folder/ask.py" "$folder" 2>"$folder/log" |
  tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
AequilibraE 1.7.2
two trips: trip 1 by AB BC at 08:00 08:10 08:30; trip 2 by AB at 09:00 09:10;
two stops in a minute: AssertionError()
a time left out: AssertionError()
runs of trip 1: trip 2 by AB at 09:00 09:10;
a loop: trip 1 by AB BB BC at 08:00 08:10 08:30 08:40;
there and back: trip 1 by AB BC CB BA at 08:00 08:10 08:20 08:30 08:40;
a wait: trip 1 by AB BC at 08:00 08:15 08:30;
at night: trip 1 by AB at 25:10 25:20;
END_OF_FOUND
