#!/bin/sh
# A bus on demand serves two zones, whose borders follow rivers, as they do: a validator for Python reads the
# feed in a time that grows with the square of the corners.
#
# Guess: whether two zones overlap is first asked of the boxes around them, or by a sweep; the time grows with the
# corners.
# Found (gtfs-validator 0.1.2), without an error in the feed:
# - Two zones far from each other are compared edge by edge, in exact fractions: twice the corners are four times the
#   calls of functions.
# - They are compared again for each trip that serves both: four trips take twice the calls of one.
# What follows: zones are simplified before a feed is checked with it, or it has a time limit.
#
#   usage: findings/zones-with-many-corners.sh     prints how the calls grow; ends with 1 if they change
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --only-binary :all: \
  --no-deps --target "$folder/python" gtfs-validator==0.1.2
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import contextlib, cProfile, io, json, math, os, pstats, sys, zipfile

from gtfs_validator.cli import main

os.chdir(sys.argv[1])

def zone(number, corners):
    ring = [[round(9 + number + 0.2 * math.cos(math.tau * corner / corners), 6),
             round(48 + 0.2 * math.sin(math.tau * corner / corners), 6)] for corner in range(corners)]
    return {"type": "Feature", "id": f"zone {number}", "properties": {"stop_name": f"Zone {number}"},
            "geometry": {"type": "Polygon", "coordinates": [ring + ring[:1]]}}

def feed(corners, trips):
    files = {
        "agency.txt": ["agency_id,agency_name,agency_url,agency_timezone", "a,Bus,https://www.bus.de,Europe/Berlin"],
        "routes.txt": ["route_id,agency_id,route_short_name,route_type", "r,a,7,3"],
        "stops.txt": ["stop_id,stop_name,stop_lat,stop_lon", "x,Depot,48,9"],
        "calendar.txt": ["service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date",
                         "s,1,1,1,1,1,1,1,20260101,20261231"],
        "booking_rules.txt": ["booking_rule_id,booking_type", "b,0"],
        "trips.txt": ["route_id,service_id,trip_id"] + [f"r,s,{trip}" for trip in range(trips)],
        "stop_times.txt": ["trip_id,location_id,stop_sequence,start_pickup_drop_off_window,"
                           "end_pickup_drop_off_window,pickup_type,drop_off_type,pickup_booking_rule_id,"
                           "drop_off_booking_rule_id"] + [f"{trip},zone {number},{number},08:00:00,18:00:00,2,2,b,b"
                                                          for trip in range(trips) for number in (1, 2)],
        "locations.geojson": [json.dumps({"type": "FeatureCollection",
                                          "features": [zone(1, corners), zone(2, corners)]})],
    }
    with zipfile.ZipFile("feed.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for name, lines in files.items():
            archive.writestr(name, "\n".join(lines) + "\n")

def calls(corners, trips):
    feed(corners, trips)
    profile, output = cProfile.Profile(), io.StringIO()
    with contextlib.redirect_stdout(output):
        profile.enable()
        main(["-i", "feed.zip", "--stdout", "-d", "2026-06-02", "-svu"])
        profile.disable()
    assert all(notice["severity"] != "ERROR" for notice in json.loads(output.getvalue())["notices"])
    return pstats.Stats(profile).total_calls

base = calls(20, 1)
for corners, trips in ((40, 1), (80, 1), (20, 4)):
    print(f"{corners} corners, {trips} trips: {calls(corners, trips) / base:.0f} times the calls of 20 and 1")
END_OF_PYTHON
PYTHONPATH=$folder/python python3 "$folder/ask.py" "$folder" | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
40 corners, 1 trips: 4 times the calls of 20 and 1
80 corners, 1 trips: 16 times the calls of 20 and 1
20 corners, 4 trips: 2 times the calls of 20 and 1
END_OF_FOUND
