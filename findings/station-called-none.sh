#!/bin/sh
# There is a station called None, on the line from Turin to Pinerolo: for three Python libraries its name is missing,
# its trains have no destination, and where its id is NA, it has no id, and its calls are at no stop.
#
# Guess: ids and names of a feed are texts, and libraries for feeds, which declare them so, keep them.
# Found (gtfs-kit 13.0.1, partridge 1.1.2, gtfs-lite 0.2.1), without an error or a warning:
# - All three read None, NA, null and nan as missing, in each column of a text: names, headsigns, lines, and ids.
# - The call of the train that ends there has no stop; a trip whose id is nan has calls without a trip. A service called
#   null is one without an id.
# - gtfs-kit writes the feed again with an empty name and empty ids: gtfs-guru 1.0.0, which finds no error in the feed,
#   finds some in the copy.
# - Right: gtfs-parquet 0.7.2.
# What follows: what a tool in Python made of a feed is checked again, also where nothing was to be changed.
#
#   usage: findings/station-called-none.sh     prints what is read; ends with 1 if it changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile \
  --target "$folder/python" gtfs-kit==13.0.1 partridge==1.1.2 gtfs-lite==0.2.1 gtfs-guru==1.0.0 gtfs-parquet==0.7.2 \
  pandas==3.1.1 numpy==2.4.6 \
  2>"$folder/log"
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import collections, os, sys, warnings, zipfile

warnings.simplefilter("ignore")
import gtfs_guru, gtfs_kit, gtfs_parquet, gtfslite, partridge

os.chdir(sys.argv[1])
FILES = {
    "agency": ["agency_id,agency_name,agency_url,agency_timezone", "1,Trains,https://www.example.org/,Europe/Rome"],
    "stops": ["stop_id,stop_name,stop_lat,stop_lon", "NA,None,44.93,7.54", "PI,Pinerolo,44.88,7.34"],
    "routes": ["route_id,agency_id,route_short_name,route_type", "r,1,NA,2"],
    "calendar": ["service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date",
                 "null,1,1,1,1,1,1,1,20260101,20261231"],
    "trips": ["route_id,service_id,trip_id,trip_headsign", "r,null,nan,None", "r,null,t,Pinerolo"],
    "stop_times": ["trip_id,arrival_time,departure_time,stop_id,stop_sequence", "nan,08:00:00,08:00:00,PI,1",
                   "nan,08:20:00,08:20:00,NA,2", "t,09:00:00,09:00:00,NA,1", "t,09:20:00,09:20:00,PI,2"],
}
with zipfile.ZipFile("feed.zip", "w") as feed:
    for name, lines in FILES.items():
        feed.writestr(name + ".txt", "\n".join(lines) + "\n")

def text(value):
    return "-" if not isinstance(value, str) else value

def show(library, feed):
    tables = {"stops": ("stop_id", "stop_name"), "routes": ("route_short_name",), "stop_times": ("trip_id", "stop_id"),
              "trips": ("trip_id", "service_id", "trip_headsign")}
    rows = []
    for name, columns in tables.items():
        table = getattr(feed, name)
        lists = [table[column].to_list() for column in columns]
        rows.append("; ".join(" ".join(map(text, values)) for values in zip(*lists)))
    print(f"{library}: " + " | ".join(rows))

def errors(path):
    notices = gtfs_guru.validate(path, date="2026-03-02").notices
    return dict(sorted(collections.Counter(notice.code for notice in notices if notice.severity == "ERROR").items()))

kit = gtfs_kit.read_feed("feed.zip", dist_units="km")
show("gtfs-kit", kit)
show("partridge", partridge.load_feed("feed.zip"))
show("gtfs-lite", gtfslite.GTFS.load_zip("feed.zip"))
show("gtfs-parquet", gtfs_parquet.parse_gtfs("feed.zip"))
kit.to_file("again.zip")
print("errors of the feed", errors("feed.zip"), "| written again by gtfs-kit", errors("again.zip"))
END_OF_PYTHON
PYTHONPATH=$folder/python python3 "$folder/ask.py" "$folder" | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
gtfs-kit: - -; PI Pinerolo | - | - PI; - -; t -; t PI | - - -; t - Pinerolo
partridge: - -; PI Pinerolo | - | - PI; - -; t -; t PI | - - -; t - Pinerolo
gtfs-lite: - -; PI Pinerolo | - | - PI; - -; t -; t PI | - - -; t - Pinerolo
gtfs-parquet: NA None; PI Pinerolo | NA | nan PI; nan NA; t NA; t PI | nan null None; t null Pinerolo
errors of the feed {} | written again by gtfs-kit {'missing_required_field': 9, 'missing_stop_name': 1, 'route_both_short_and_long_name_missing': 1}
END_OF_FOUND
