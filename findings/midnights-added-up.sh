#!/bin/sh
# A timetable in ATCO-CIF, as Britain and Ireland had for their buses, has a journey over midnight: in GTFS each journey
# after it in the file leaves 24 hours later, and after two of them 48.
#
# Guess: 00:20 after 23:50 is 24:20, and the next journey begins its day anew; a date with which a journey operates
# besides its days of the week is an exception of type 1 (https://gtfs.org/documentation/schedule/reference/).
# Found (atcociftogtfs 2021.1.31), without an error or a warning:
# - The journey at noon, behind one from 23:50 to 00:20, leaves at 36:00 and is at its last stop at 36:30: the feed is
#   valid in each field, and has the bus at noon of the next day. Behind the second one it is 60:00.
# - The arrival of a stop where the bus waits may be 24 hours before its departure, and so before the stop before.
# - A date that is added to the days of the week is not in calendar_dates.txt; one that is taken away is.
# - Right: in a file without such journeys, the times, stops where one may only board or alight, and holidays.
# What follows: who has made a feed from other formats looks for departures beyond 30:00, as night buses have none.
#
#   usage: findings/midnights-added-up.sh     prints the times; ends with 1 if they change
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile \
  --target python atcociftogtfs==2021.1.31 pyproj==3.7.2 2>log
cat >ask.py <<'END_OF_PYTHON'
import csv, importlib.metadata, io, os, subprocess, sys, zipfile

def journey(number, first, arrival, departure, last, *dates):
    """Returns the records of a journey from Mondays to Fridays that calls at three stops."""
    head = f"QSNABUS{number:<6}20260601202606301111100  7{' ' * 25}O"
    return [head, *["QE" + date for date in dates], f"QO{'S1':<12}{first}   T1  ",
            f"QI{'S2':<12}{arrival}{departure}B   T1  ", f"QT{'S3':<12}{last}   T1  "]

def convert(*journeys):
    records = [f"ATCO-CIF0500{'Owner':<32}{'Source':<16}20260501120000", *sum(journeys, [])]
    records.append(f"QPNABUS{'Bus':<24}{'Bus Ltd':<48}{' ' * 36}")
    for number in (1, 2, 3):
        stop = f"S{number}"
        records += [f"QLN{stop:<12}{'Stop ' + str(number):<48} ",
                    f"QBN{stop:<12}{450000 + 1000 * number:<8}{250000:<8}{' ' * 48}"]
    with open("a.cif", "w", newline="\r\n") as file:
        print(*records, sep="\n", file=file)
    subprocess.run([sys.executable, "-m", "atcociftogtfs", "-e", "27700", "-g", "feed.zip", "a.cif"], check=True)
    with zipfile.ZipFile("feed.zip") as feed:
        return [list(csv.DictReader(io.StringIO(feed.read(name + ".txt").decode())))
                for name in ("stop_times", "calendar_dates")]

DAY = journey("day", "0800", "0810", "0812", "0830")
NIGHT = journey("night", "2350", "0005", "0007", "0020")
NOON = journey("noon", "1200", "1210", "1212", "1230")
print("atcociftogtfs", importlib.metadata.version("atcociftogtfs"))
for name, journeys in {"day, noon": [DAY, NOON], "day, night, noon": [DAY, NIGHT, NOON],
                       "night, night, noon": [NIGHT, NIGHT, NOON], "noon, night": [NOON, NIGHT]}.items():
    print(name + ":")
    calls, _ = convert(*journeys)
    for trip in sorted({call["trip_id"] for call in calls}):
        print("  " + ", ".join(f"{call['arrival_time'][:5]} {call['departure_time'][:5]}"
                               for call in calls if call["trip_id"] == trip))
for name, date in {"taken away": "20260602202606020", "added": "20260606202606061"}.items():
    _, exceptions = convert(journey("noon", "1200", "1210", "1212", "1230", date))
    print(f"a day {name}:", *[f"{one['date']} {one['exception_type']}" for one in exceptions] or ["none"])
END_OF_PYTHON
PYTHONPATH=python python3 ask.py 2>>log | tee found
diff - found <<'END_OF_FOUND'
atcociftogtfs 2021.1.31
day, noon:
  08:00 08:00, 08:10 08:12, 08:30 08:30
  12:00 12:00, 12:10 12:12, 12:30 12:30
day, night, noon:
  08:00 08:00, 08:10 08:12, 08:30 08:30
  23:50 23:50, 24:05 24:07, 24:20 24:20
  36:00 36:00, 36:10 36:12, 36:30 36:30
night, night, noon:
  23:50 23:50, 24:05 24:07, 24:20 24:20
  47:50 47:50, 24:05 48:07, 48:20 48:20
  60:00 60:00, 36:10 60:12, 60:30 60:30
noon, night:
  12:00 12:00, 12:10 12:12, 12:30 12:30
  23:50 23:50, 24:05 24:07, 24:20 24:20
a day taken away: 20260602 2
a day added: none
END_OF_FOUND
