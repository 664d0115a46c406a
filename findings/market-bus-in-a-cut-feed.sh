#!/bin/sh
# A feed is cut to a city by gtfsutils: a bus that runs to two markets a year runs on each Saturday between them, or
# there is a service named 0 that ends on the day "market", depending on the order of the columns of calendar.txt.
#
# Guess: the trips that stay run on the days on which they ran; a service of calendar_dates.txt alone, which the
# reference allows (https://gtfs.org/documentation/schedule/reference/#calendar_datestxt), stays so, and what refers to
# stops or trips that are left out goes with them.
# Found (gtfsutils 0.2.5), without an error, by a box and by route types:
# - A service that calendar.txt lacks gets a row there: the weekdays of its days, from the first to the last of them.
#   Where calendar.txt begins with monday and ends with service_id, it runs on all such weekdays then.
# - The row is in that order, whatever the order of the file: in that of the reference its service is 0, its last day is
#   the service's name, which is no date.
# - Transfers between trips, such as those where riders stay on board, are left out, as they name no stop.
# - Entrances are left out, and the pathways that lead to them stay; by route types stations are left out as well, which
#   their platforms go on to name.
# - Right: calls, also after midnight, frequencies, exceptions, and ids with zeros in front.
# What follows: a feed with services of calendar_dates.txt alone gets rows of calendar.txt without weekdays before it
# is cut, and its days are compared afterwards; `transit report` names the pathways.
#
#   usage: findings/market-bus-in-a-cut-feed.sh     prints what is written; ends with 1 if it changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import csv, datetime, importlib.metadata, logging, os, sys

import gtfs_utils
from gtfs_utils.filter import BoundsFilter, RouteTypeFilter

logging.disable(logging.CRITICAL)
DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
FEED = {
    "agency": "agency_id,agency_name,agency_url,agency_timezone\nA,Line,https://example.org,Europe/Berlin\n",
    "routes": "route_id,agency_id,route_short_name,route_type\nR,A,1,3\n",
    "stops": "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station\n"
             "007,Quay,52.50,13.40,0,S\n008,Mill,52.51,13.41,0,\nS,Quay,52.50,13.40,1,\nE,South,52.50,13.40,2,S\n",
    "pathways": "pathway_id,from_stop_id,to_stop_id,pathway_mode,is_bidirectional\nP,E,007,1,1\n",
    "trips": "route_id,service_id,trip_id\nR,week,T\nR,market,M\n",
    "stop_times": "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
                  "T,08:00:00,08:00:00,007,1\nT,08:10:00,08:10:00,008,2\n"
                  "M,25:00:00,25:00:00,007,1\nM,25:10:00,25:10:00,008,2\n",
    "calendar_dates": "service_id,date,exception_type\nmarket,20260606,1\nmarket,20261205,1\nweek,20260501,2\n",
    "frequencies": "trip_id,start_time,end_time,headway_secs\nT,08:00:00,10:00:00,1800\n",
    "transfers": "from_stop_id,to_stop_id,from_trip_id,to_trip_id,transfer_type\n007,008,,,2\n,,T,M,4\n",
}
WEEK = dict(zip(DAYS, "1111100"), service_id="week", start_date="20260101", end_date="20261231")
ORDERS = {"the reference's order": ["service_id", *DAYS, "start_date", "end_date"],
          "its own order": [*DAYS, "start_date", "end_date", "service_id"]}

def rows(folder, name):
    with open(os.path.join(folder, name + ".txt"), newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))

def days(folder, service):
    found = set()
    for row in rows(folder, "calendar"):
        if row["service_id"] == service:
            day, last = (datetime.datetime.strptime(row[name], "%Y%m%d").date() for name in ("start_date", "end_date"))
            while day <= last:
                if row[DAYS[day.weekday()]] == "1":
                    found.add(f"{day:%Y%m%d}")
                day += datetime.timedelta(1)
    for row in rows(folder, "calendar_dates"):
        if row["service_id"] == service:
            (found.add if row["exception_type"] == "1" else found.discard)(row["date"])
    return len(found)

print("gtfsutils", importlib.metadata.version("gtfsutils"))
for order, columns in ORDERS.items():
    for way, chosen in [("by a box", BoundsFilter(bounds=[13.3, 52.4, 13.5, 52.6], complete_trips=True)),
                        ("by a type", RouteTypeFilter(route_types=[3]))]:
        feed = os.path.join(sys.argv[1], f"{order}, {way}")
        os.mkdir(feed)
        for name, text in FEED.items():
            with open(os.path.join(feed, name + ".txt"), "w", encoding="utf-8") as file:
                file.write(text)
        with open(os.path.join(feed, "calendar.txt"), "w", encoding="utf-8") as file:
            file.write(",".join(columns) + "\n" + ",".join(WEEK[name] for name in columns) + "\n")
        cut = feed + ", cut"
        gtfs_utils.filter_gtfs(gtfs_utils.load_gtfs_delayed(feed, lazy=False), [chosen]).save(cut)
        print(f"{way}, calendar.txt in {order}:")
        print("  added:", *[list(row.values()) for row in rows(cut, "calendar")[1:]])
        print("  days of the market's bus:", days(feed, "market"), "and", days(cut, "market"),
              "| of the week:", days(feed, "week"), "and", days(cut, "week"))
        places = {row["stop_id"] for row in rows(cut, "stops")}
        print("  stops:", *sorted(places), "| pathways to other ones:",
              *[row["pathway_id"] for row in rows(cut, "pathways")
                if not {row["from_stop_id"], row["to_stop_id"]} <= places] or ["none"])
        print("  stations of platforms:", *{row["parent_station"] for row in rows(cut, "stops")} - {""},
              "| there:", *places & {"S"} or ["none"])
        print("  kinds of transfers:", *[row["transfer_type"] for row in rows(cut, "transfers")],
              "| calls:", len(rows(cut, "stop_times")), "| frequencies:", len(rows(cut, "frequencies")))
END_OF_PYTHON
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --only-binary :all: \
  --target "$folder/packages" gtfsutils==0.2.5 geopandas==1.2.0 pandas==3.1.1 numpy==2.4.6 \
  shapely==2.2.0 dask==2026.8.0 pyarrow==26.0.1 2>"$folder/log"
PYTHONPATH=$folder/packages python3 -W ignore "$folder/ask.py" "$folder" | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
gtfsutils 0.2.5
by a box, calendar.txt in the reference's order:
  added: ['0', '0', '0', '0', '0', '1', '0', '20260606', '20261205', 'market']
  days of the market's bus: 2 and 2 | of the week: 260 and 260
  stops: 007 008 S | pathways to other ones: P
  stations of platforms: S | there: S
  kinds of transfers: 2 | calls: 4 | frequencies: 1
by a type, calendar.txt in the reference's order:
  added: ['0', '0', '0', '0', '0', '1', '0', '20260606', '20261205', 'market']
  days of the market's bus: 2 and 2 | of the week: 260 and 260
  stops: 007 008 | pathways to other ones: P
  stations of platforms: S | there: none
  kinds of transfers: 2 | calls: 4 | frequencies: 1
by a box, calendar.txt in its own order:
  added: ['0', '0', '0', '0', '0', '1', '0', '20260606', '20261205', 'market']
  days of the market's bus: 2 and 27 | of the week: 260 and 260
  stops: 007 008 S | pathways to other ones: P
  stations of platforms: S | there: S
  kinds of transfers: 2 | calls: 4 | frequencies: 1
by a type, calendar.txt in its own order:
  added: ['0', '0', '0', '0', '0', '1', '0', '20260606', '20261205', 'market']
  days of the market's bus: 2 and 27 | of the week: 260 and 260
  stops: 007 008 | pathways to other ones: P
  stations of platforms: S | there: none
  kinds of transfers: 2 | calls: 4 | frequencies: 1
END_OF_FOUND
