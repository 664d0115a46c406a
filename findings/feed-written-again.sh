#!/bin/sh
# A valid feed that Python libraries read and write again has errors, and its identifiers are other ones.
#
# Guess: read and written without a change, a feed keeps its identifiers as they are, and is as valid as before.
# Found (gtfs-kit 13.0.1, gtfs-parquet 0.7.2, partridge 1.1.2, by what gtfs-guru 1.0.0 says of the result):
# - gtfs-kit knows that stop_id of transfers.txt is a text, and takes the columns of trips and routes for numbers: trip
#   00100 is 100 there, and route 1E5 is 100000.0, while trips.txt and routes.txt keep them.
# - gtfs-parquet writes the amount of a fare, 2.50, as 2.5, which has not the digits of its currency.
# - partridge's extract of all of a feed's services lacks the stations of its platforms.
# What follows: what such a tool has written is checked again before it is imported; riders who stay on a vehicle, and
# changes that wait, are lost without a word otherwise.
#
#   usage: findings/feed-written-again.sh     prints what was written and the errors; ends with 1 if it changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/feed"
write() { cat >"$folder/feed/$1.txt"; }
write agency <<'END'
agency_id,agency_name,agency_url,agency_timezone
1,Harbor Lines,https://example.org/,Europe/Lisbon
END
write stops <<'END'
stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station
010,Harbor,38.7,-9.1,1,
011,Harbor Quay,38.7001,-9.1001,0,010
020,Island,38.8,-9.2,0,
END
write routes <<'END'
route_id,agency_id,route_short_name,route_type
1E5,1,1E5,4
2,1,2,4
END
write calendar_dates <<'END'
service_id,date,exception_type
s,20261201,1
END
write trips <<'END'
route_id,service_id,trip_id
1E5,s,00100
2,s,00101
END
write stop_times <<'END'
trip_id,arrival_time,departure_time,stop_id,stop_sequence
00100,08:00:00,08:00:00,011,1
00100,08:30:00,08:30:00,020,2
00101,08:40:00,08:40:00,020,1
00101,09:10:00,09:10:00,011,2
END
write transfers <<'END'
from_stop_id,to_stop_id,from_trip_id,to_trip_id,from_route_id,to_route_id,transfer_type
020,020,00100,00101,1E5,2,1
END
write fare_products <<'END'
fare_product_id,amount,currency
single,2.50,EUR
END
(cd "$folder/feed" && python3 -m zipfile -c ../feed.zip ./*.txt)

install() { # name, requirement
  python3 -m venv "$folder/$1"
  "$folder/$1/bin/python" -m pip install --quiet --disable-pip-version-check \
    --only-binary :all: --no-binary json2html "$2"
}
install guru gtfs-guru==1.0.0
install kit gtfs-kit==13.0.1
install parquet gtfs-parquet==0.7.2
install partridge partridge==1.1.2

again() { # name, Python with the paths `feed` and `out`
  "$folder/$1/bin/python" -W ignore -c "
import pathlib
feed, out = pathlib.Path('$folder/feed.zip'), pathlib.Path('$folder/$1.zip')
$2" >"$folder/log" 2>&1 || { cat "$folder/log"; exit 70; }
}
again kit 'import gtfs_kit; gtfs_kit.read_feed(feed, dist_units="km").to_file(out)'
again parquet 'import gtfs_parquet; gtfs_parquet.write_gtfs(gtfs_parquet.parse_gtfs(str(feed)), str(out))'
again partridge 'import partridge; partridge.extract_feed(str(feed), str(out), {"trips.txt": {"service_id": ["s"]}})'

cat >"$folder/judge.py" <<'END'
import sys, zipfile
import gtfs_guru

for name, writer in [("feed", "the feed"), ("kit", "gtfs-kit 13.0.1"), ("parquet", "gtfs-parquet 0.7.2"),
                     ("partridge", "partridge 1.1.2")]:
    path = f"{sys.argv[1]}/{name}.zip"
    errors = sorted({error.message for error in gtfs_guru.validate(path).errors()})
    with zipfile.ZipFile(path) as file:
        lines = [file.read(table).decode().splitlines()[1] for table in ["transfers.txt", "fare_products.txt"]
                 if table in file.namelist()]
    print(f"{writer}: {'; '.join(lines)}; {', '.join(errors) or 'no error'}")
END
"$folder/guru/bin/python" "$folder/judge.py" "$folder" | tee "$folder/found"
diff - "$folder/found" <<'END'
the feed: 020,020,00100,00101,1E5,2,1; single,2.50,EUR; no error
gtfs-kit 13.0.1: 020,020,100,101,100000.0,2,1; missing referenced id 100, missing referenced id 100000.0, missing referenced id 101
gtfs-parquet 0.7.2: 020,020,00100,00101,1E5,2,1; single,2.5,EUR; currency amount does not match currency code
partridge 1.1.2: 020,020,00100,00101,1E5,2,1; missing referenced id 010
END
