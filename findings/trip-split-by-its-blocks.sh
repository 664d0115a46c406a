#!/bin/sh
# A feed's blocks are turned into transfers between trips by gtfs-blocks-to-transfers, for what reads transfers only: a
# line that runs each half hour runs once a day afterwards.
#
# Guess: with -L, which makes chains of trips without branches, a trip that goes on as one trip on Fridays and as
# another one on other days is two trips afterwards, each with all that the feed says of it.
# Found (gtfs-blocks-to-transfers 1.9.0), without an error where none is named:
# - It is two trips with new ids, each with its calls. Its rows in frequencies.txt, attributions.txt and
#   translations.txt have the old id, which no trip has.
# - So its runs by frequencies are gone, and a live message that names the trip finds none.
# - A row of calendar_dates.txt that takes away a day before the first one of all calendars, as a feed that was cut to
#   its last months has it, ends it with "negative shift count".
# - Right: without -L the trip stays, with a transfer to each of the two; unknown columns and files stay, too.
# What follows: -L is for feeds without live messages and frequencies.
#
#   usage: findings/trip-split-by-its-blocks.sh     prints the rows; ends with 1 if one of them changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import csv, importlib.metadata, os, subprocess, sys

FILES = {
    "agency": "agency_id,agency_name,agency_url,agency_timezone\nA,Agency,https://a.example,Etc/UTC\n",
    "calendar": "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
                "MoFr,1,1,1,1,1,0,0,20260601,20260612\nMoTh,1,1,1,1,0,0,0,20260601,20260612\n"
                "Fr,0,0,0,0,1,0,0,20260601,20260612\n",
    "routes": "route_id,agency_id,route_short_name,route_type\nr,A,1,3\ns,A,2,3\n",
    "stops": "stop_id,stop_name,stop_lat,stop_lon\nq,Quay,52.0,13.0\nm,Mill,52.03,13.0\nf,Farm,52.06,13.0\n"
             "h,Hill,52.03,13.05\n",
    "trips": "route_id,service_id,trip_id,block_id,x_note\nr,MoFr,one,B,kept\ns,MoTh,two,B,\ns,Fr,three,B,\n",
    "stop_times": "trip_id,arrival_time,departure_time,stop_id,stop_sequence\none,08:00:00,08:00:00,q,1\n"
                  "one,08:30:00,08:30:00,m,2\ntwo,08:32:00,08:32:00,m,1\ntwo,09:00:00,09:00:00,f,2\n"
                  "three,08:33:00,08:33:00,m,1\nthree,09:10:00,09:10:00,h,2\n",
    "frequencies": "trip_id,start_time,end_time,headway_secs,exact_times\none,08:00:00,20:00:00,1800,1\n",
    "attributions": "attribution_id,trip_id,organization_name,is_operator\na,one,Bus Ltd,1\n",
    "translations": "table_name,field_name,language,translation,record_id\ntrips,trip_headsign,de,Zur Stadt,one\n",
}

def rows(folder, name):
    with open(os.path.join(folder, name + ".txt"), newline="") as file:
        return list(csv.DictReader(file))

def convert(name, options, **more):
    source, target = (os.path.join(sys.argv[1], name + kind) for kind in (".in", ".out"))
    os.mkdir(source)
    for file, text in {**FILES, **more}.items():
        with open(os.path.join(source, file + ".txt"), "w") as out:
            out.write(text)
    run = subprocess.run([sys.executable, "-m", "blocks_to_transfers", *options, source, target],
                         capture_output=True, text=True)
    if run.returncode:
        print(f"{name}: {run.stderr.strip().splitlines()[-1]}")
        return
    trips = {row["trip_id"]: row for row in rows(target, "trips")}
    calls = [row["trip_id"] for row in rows(target, "stop_times")]
    print(f"{name}, trips:", ", ".join(f"{id} ({row['service_id']}, {calls.count(id)} calls, note "
                                       f"{row['x_note'] or 'none'})" for id, row in trips.items()))
    print(f"{name}, transfers:", ", ".join(
        f"{row['from_trip_id']} to {row['to_trip_id']}" for row in rows(target, "transfers")))
    for file, column in (("frequencies", "trip_id"), ("attributions", "trip_id"), ("translations", "record_id")):
        print(f"{name}, {file}:", ", ".join(
            f"{row[column]} is {'a trip' if row[column] in trips else 'no trip'}" for row in rows(target, file)))

print("gtfs-blocks-to-transfers", importlib.metadata.version("gtfs-blocks-to-transfers"))
convert("plain", [])
convert("-L", ["-L"])
convert("a day before", [], calendar_dates="service_id,date,exception_type\nFr,20260529,2\n")
convert("a day within", [], calendar_dates="service_id,date,exception_type\nFr,20260605,2\n")
END_OF_PYTHON
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --no-deps \
  --only-binary :all: --target "$folder/packages" gtfs-blocks-to-transfers==1.9.0 py-gtfs-loader==0.4.0 \
  zstandard==0.25.0
PYTHONPATH=$folder/packages python3 "$folder/ask.py" "$folder" | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
gtfs-blocks-to-transfers 1.9.0
plain, trips: one (MoFr, 2 calls, note kept), two (MoTh, 2 calls, note none), three (Fr, 2 calls, note none)
plain, transfers: one to two, one to three
plain, frequencies: one is a trip
plain, attributions: one is a trip
plain, translations: one is a trip
-L, trips: two (MoTh, 2 calls, note none), three (Fr, 2 calls, note none), one_b2t:if_MoTh (MoTh, 2 calls, note kept), one_b2t:if_Fr (Fr, 2 calls, note kept)
-L, transfers: one_b2t:if_MoTh to two, one_b2t:if_Fr to three
-L, frequencies: one is no trip
-L, attributions: one is no trip
-L, translations: one is no trip
a day before: ValueError: negative shift count
a day within, trips: one (MoFr, 2 calls, note kept), two (MoTh, 2 calls, note none), three (Fr, 2 calls, note none)
a day within, transfers: one to two, one to three
a day within, frequencies: one is a trip
a day within, attributions: one is a trip
a day within, translations: one is a trip
END_OF_FOUND
