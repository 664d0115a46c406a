#!/bin/sh
# An app asks its GeoPackage for what was seen since eight o'clock: what was seen half a second later is missing, since
# a newer GDAL has written it, and rows of an older one at the same instant are others.
#
# Guess: DATETIME in a GeoPackage is a text in UTC with three digits of the second, as the standard has it, so that the
# order of the texts is that of the instants; GDAL writes and filters it so.
# Found (pyogrio 0.11.1 with GDAL 3.10.3, and 0.13.0 with 3.12.4), without an error or a warning:
# - The old one writes 08:00:00.000Z. The new one writes 08:00:00Z where there is no fraction, and 08:00:00.500Z where
#   there is one: the later of both comes first, and a filter from 08:00:00Z on has the earlier one alone, in GDAL too.
# - An instant that both have written is two texts: = finds one of them, a UNIQUE column takes both.
# - Instants with a zone are written with its offset, not in UTC, by both: in the night when the clocks go back, 02:15
#   of the second hour comes before 02:30 of the first.
# - What GDAL reads is right.
# What follows: a layer is made with DATETIME_PRECISION=MILLISECOND, which the new one has; an app compares such columns
# by julianday() or unixepoch(…, 'subsec'), and keeps its own as numbers.
#
#   usage: findings/instants-of-two-gdals.sh     prints the texts and what is found; ends with 1 if they change
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --only-binary :all: \
  --target "$folder/python" geopandas==1.2.0 pandas==3.1.1 numpy==2.4.6 shapely==2.2.0 pyogrio==0.13.0 2>"$folder/log"
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --only-binary :all: \
  --no-deps --target "$folder/old" pyogrio==0.11.1 2>>"$folder/log"
cat >"$folder/write.py" <<'END_OF_PYTHON'
import os, sys, warnings

import geopandas, pandas, pyogrio, shapely

warnings.simplefilter("ignore")
path = os.path.join(sys.argv[1], "seen.gpkg")
print(f"GDAL {'.'.join(str(part) for part in pyogrio.__gdal_version__)} writes:")
seen = pandas.to_datetime(["2026-10-25T08:00:00Z", "2026-10-25T08:00:00.5Z"], format="ISO8601", utc=True)
night = pandas.to_datetime(["2026-10-25T00:30Z", "2026-10-25T01:15Z"], utc=True).tz_convert("Europe/Berlin")
for layer, times in {"seen": seen, "night": night}.items():
    rows = {"by": [f"{pyogrio.__version__} {number}" for number in (1, 2)], "time": times}
    frame = geopandas.GeoDataFrame(rows, geometry=[shapely.Point(9, 48)] * 2, crs=4326)
    exists = os.path.exists(path) and layer in pyogrio.list_layers(path)
    pyogrio.write_dataframe(frame, path, layer=layer, append=exists)
END_OF_PYTHON
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import os, sqlite3, sys, warnings

import pyogrio

warnings.simplefilter("ignore")
path = os.path.join(sys.argv[1], "seen.gpkg")
connection = sqlite3.connect(path)
for layer in ("seen", "night"):
    print(f"  {layer}, in the order of the texts:",
          ", ".join(time[11:] for time, in connection.execute(f"SELECT time FROM {layer} ORDER BY time")))
    times = pyogrio.read_dataframe(path, layer=layer, read_geometry=False)["time"].sort_values()
    print("    instants:", ", ".join(time.tz_convert("UTC").strftime("%T.%f")[:-5] for time in times))
for condition in ("time >= '2026-10-25T08:00:00Z'", "time = '2026-10-25T08:00:00Z'"):
    rows = [time[11:] for time, in connection.execute(f"SELECT time FROM seen WHERE {condition} ORDER BY fid")]
    by_gdal = len(pyogrio.read_dataframe(path, layer="seen", where=condition))
    print(f"  {condition}: {', '.join(rows)}; {by_gdal} rows by GDAL")
moments = connection.execute("SELECT count(*), count(DISTINCT julianday(time)) FROM seen").fetchone()
print(f"  {moments[0]} texts are {moments[1]} instants by julianday()")
END_OF_PYTHON
for version in old new; do
  path=$folder/python
  [ "$version" = new ] || path=$folder/old:$path
  PYTHONPATH=$path python3 "$folder/write.py" "$folder"
  PYTHONPATH=$folder/python python3 "$folder/ask.py" "$folder"
done >"$folder/found"
cat "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
GDAL 3.10.3 writes:
  seen, in the order of the texts: 08:00:00.000Z, 08:00:00.500Z
    instants: 08:00:00.0, 08:00:00.5
  night, in the order of the texts: 02:15:00.000+01:00, 02:30:00.000+02:00
    instants: 00:30:00.0, 01:15:00.0
  time >= '2026-10-25T08:00:00Z': ; 0 rows by GDAL
  time = '2026-10-25T08:00:00Z': ; 0 rows by GDAL
  2 texts are 2 instants by julianday()
GDAL 3.12.4 writes:
  seen, in the order of the texts: 08:00:00.000Z, 08:00:00.500Z, 08:00:00.500Z, 08:00:00Z
    instants: 08:00:00.0, 08:00:00.0, 08:00:00.5, 08:00:00.5
  night, in the order of the texts: 02:15:00+01:00, 02:15:00.000+01:00, 02:30:00+02:00, 02:30:00.000+02:00
    instants: 00:30:00.0, 00:30:00.0, 01:15:00.0, 01:15:00.0
  time >= '2026-10-25T08:00:00Z': 08:00:00Z; 1 rows by GDAL
  time = '2026-10-25T08:00:00Z': 08:00:00Z; 1 rows by GDAL
  4 texts are 2 instants by julianday()
END_OF_FOUND
