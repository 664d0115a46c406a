#!/bin/sh
# A feed whose zones of demand-responsive services have changed is the same feed for the tools that compare feeds.
#
# Guess: what fingerprints a whole archive takes in each file that the reference names, or says what it left out
# (https://gtfs.org/documentation/schedule/reference/#locationsgeojson).
# Found (gtfs-digester 0.4.0, gtfs-diff-engine 0.2.0):
# - With a zone twice as large in locations.geojson the archives "are identical", with the same fingerprint, and have no
#   change and no file that is named as unsupported. A feed without the file is identical too.
# - A booking rule is compared by both. gtfs-diff-engine does not compare fare_leg_join_rules.txt, and says so.
# What follows: who fetches a feed and imports it only if its fingerprint is another one compares the bytes as well.
#
#   usage: findings/feed-compared-without-its-zones.sh     prints what is compared; ends with 1 if it changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/make.py" <<'END'
import json, os, sys, zipfile

FILES = {
    "agency.txt": "agency_id,agency_name,agency_url,agency_timezone\nA,Agency,https://agency.org,Europe/Berlin\n",
    "calendar.txt": "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
                    "D,1,1,1,1,1,1,1,20260101,20261231\n",
    "routes.txt": "route_id,agency_id,route_short_name,route_type,network_id\nr,A,Call,715,n\n",
    "stops.txt": "stop_id,stop_name,stop_lat,stop_lon\na,Quay,52.0,13.0\n",
    "trips.txt": "route_id,service_id,trip_id\nr,D,t\n",
    "booking_rules.txt": "booking_rule_id,booking_type\nb,0\n",
    "stop_times.txt": "trip_id,location_id,stop_sequence,start_pickup_drop_off_window,end_pickup_drop_off_window,"
                      "pickup_type,drop_off_type,pickup_booking_rule_id,drop_off_booking_rule_id\n"
                      "t,z,1,08:00:00,18:00:00,2,2,b,b\nt,z,2,08:00:00,18:00:00,2,2,b,b\n",
}

def zone(size):
    ring = [[13, 52], [13 + size, 52], [13 + size, 52.1], [13, 52.1], [13, 52]]
    feature = {"type": "Feature", "id": "z", "properties": {}, "geometry": {"type": "Polygon", "coordinates": [ring]}}
    return {"locations.geojson": json.dumps({"type": "FeatureCollection", "features": [feature]})}

feeds = {
    "feed": zone(0.1), "zone": zone(0.2), "none": {},
    "booking": {**zone(0.1), "booking_rules.txt": "booking_rule_id,booking_type\nb,1\n"},
}
for name, files in feeds.items():
    with zipfile.ZipFile(os.path.join(sys.argv[1], name + ".zip"), "w") as archive:
        for file, text in {**FILES, **files}.items():
            archive.writestr(file, text)
END
python3 "$folder/make.py" "$folder"
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check gtfs-digester==0.4.0 gtfs-diff-engine==0.2.0
cd "$folder"
for other in zone none booking; do
  # It ends with 1 if they differ, and writes its progress to the standard error.
  python/bin/gtfs-digester diff feed.zip "$other.zip" >same || true
  changes=$(python/bin/gtfs-diff feed.zip "$other.zip" 2>/dev/null | python3 -c '
import json, sys
diff = json.load(sys.stdin)
print(diff["summary"]["total_changes"], "changes, unsupported:", *diff["metadata"]["unsupported_files"] or ["none"])')
  echo "$other: $(head -n 1 same) $changes"
done >found
cat found
diff - found <<'END'
zone: Archives are identical. 0 changes, unsupported: none
none: Archives are identical. 0 changes, unsupported: none
booking: Archives differ. 1 changes, unsupported: none
END
