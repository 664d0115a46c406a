#!/bin/sh
# Two bus lines, each in a file of its own, are converted from TransXChange to GTFS: line 9 is gone, and its stops are
# calls of line 7.
#
# Guess: identifiers of routes and journey patterns are those of one document, which exporters count from 1 in each; two
# files are two timetables. A stop that is passed is no call, and a day shift is a day
# (https://www.gov.uk/government/collections/transxchange).
# Found (transx2gtfs 0.6.0), without an error or a warning:
# - The route and the trip of the second file have the identifiers of the first one's, R1 and JPS1_MondayToFriday_0800,
#   and are left out. Its stop times are added to that trip, where each stop_sequence is twice then.
# - Of two lines of one service with a journey at the same time one is left out.
# - A stop with the activity pass is a call, and where passengers may only alight they board, too.
# - A journey at 00:10 with DepartureDayShift 1, of the night that follows, is at 00:10 of its day: 24 hours early.
# - Right: 23:50 and half an hour are 24:20; waiting times, times of a journey's own, and special days were, too.
# What follows: a feed from such a converter is checked before it is imported, and each file is converted alone.
#
#   usage: findings/timetables-of-two-files.sh     prints the feeds; ends with 1 if they change
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --only-binary :all: \
  --target python transx2gtfs==0.6.0 2>log
cat >make.py <<'END_OF_PYTHON'
import os

STOPS = ["Quay", "Mill", "Farm", "Town", "Port"]

def reference(stop, name, activity, sequence):
    return (f'<{name} SequenceNumber="{sequence}"><Activity>{activity}</Activity><StopPointRef>{stop}</StopPointRef>'
            f"<TimingStatus>principalTimingPoint</TimingStatus></{name}>")

def journey(line, code, departure, shift=""):
    return (f"<VehicleJourney><PrivateCode>{code}</PrivateCode><VehicleJourneyCode>{code}</VehicleJourneyCode>"
            f"<ServiceRef>SV{line[0]}</ServiceRef><LineRef>{line}</LineRef><JourneyPatternRef>JP1</JourneyPatternRef>"
            f"<DepartureTime>{departure}</DepartureTime>{shift}</VehicleJourney>")

def document(lines, stops, journeys, activities=("pickUpAndSetDown",) * 3):
    calls = list(enumerate(zip(stops, activities), 1))
    links = "".join(
        f'<JourneyPatternTimingLink id="JPTL{number}">'
        f'{reference(first[0], "From", first[1], number)}{reference(second[0], "To", second[1], number + 1)}'
        f"<RouteLinkRef>RL{number}</RouteLinkRef><RunTime>PT10M</RunTime></JourneyPatternTimingLink>"
        for (number, first), (_, second) in zip(calls, calls[1:]))
    route = "".join(
        f'<RouteLink id="RL{number}"><From><StopPointRef>{first}</StopPointRef></From><To><StopPointRef>{second}'
        "</StopPointRef></To><Direction>outbound</Direction></RouteLink>"
        for number, (first, second) in enumerate(zip(stops, stops[1:]), 1))
    points = "".join(f"<AnnotatedStopPointRef><StopPointRef>{stop}</StopPointRef><CommonName>{stop}</CommonName>"
                     "</AnnotatedStopPointRef>" for stop in stops)
    names = "".join(f'<Line id="{line}"><LineName>{line}</LineName></Line>' for line in lines)
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<TransXChange xmlns="http://www.transxchange.org.uk/" CreationDateTime="2026-05-01T00:00:00" Modification="new"
 ModificationDateTime="2026-05-01T00:00:00" RevisionNumber="1" FileName="{lines[0]}.xml" SchemaVersion="2.4">
<StopPoints>{points}</StopPoints><RouteSections><RouteSection id="RS1">{route}</RouteSection></RouteSections>
<Routes><Route id="R1"><Description>Line</Description><RouteSectionRef>RS1</RouteSectionRef></Route></Routes>
<JourneyPatternSections><JourneyPatternSection id="JPS1">{links}</JourneyPatternSection></JourneyPatternSections>
<Operators><Operator id="O1"><NationalOperatorCode>ABUS</NationalOperatorCode><OperatorCode>ABUS</OperatorCode>
<OperatorShortName>Bus</OperatorShortName><TradingName>Bus</TradingName></Operator></Operators>
<Services><Service><ServiceCode>SV{lines[0]}</ServiceCode><Lines>{names}</Lines><OperatingPeriod>
<StartDate>2026-06-01</StartDate><EndDate>2026-06-30</EndDate></OperatingPeriod><OperatingProfile><RegularDayType>
<DaysOfWeek><MondayToFriday/></DaysOfWeek></RegularDayType></OperatingProfile>
<RegisteredOperatorRef>O1</RegisteredOperatorRef><Mode>bus</Mode><StandardService><Origin>{stops[0]}</Origin>
<Destination>{stops[-1]}</Destination><JourneyPattern id="JP1"><Direction>outbound</Direction><RouteRef>R1</RouteRef>
<JourneyPatternSectionRefs>JPS1</JourneyPatternSectionRefs></JourneyPattern></StandardService></Service></Services>
<VehicleJourneys>{"".join(journeys)}</VehicleJourneys></TransXChange>"""

WEST, EAST = ["Quay", "Mill", "Farm"], ["Town", "Mill", "Port"]
SHIFT = "<DepartureDayShift>1</DepartureDayShift>"
CASES = {
    "one file": [document(["7"], WEST, [journey("7", "a", "08:00:00"), journey("7", "b", "23:50:00")])],
    "two files": [document(["7"], WEST, [journey("7", "a", "08:00:00")]),
                  document(["9"], EAST, [journey("9", "a", "08:00:00")])],
    "two lines": [document(["7", "7X"], WEST, [journey("7", "a", "08:00:00"), journey("7X", "b", "08:00:00")])],
    "passed": [document(["7"], WEST, [journey("7", "a", "08:00:00")], ("pickUp", "pass", "setDown"))],
    "next night": [document(["7"], WEST, [journey("7", "a", "00:10:00", SHIFT)])],
}
with open("stops.csv", "w") as file:
    print("ATCOCode,CommonName,Longitude,Latitude,StopType,Status", file=file)
    for number, stop in enumerate(STOPS):
        print(f"{stop},{stop},-0.{number + 1},51.5,BCT,active", file=file)
for name, documents in CASES.items():
    os.mkdir(name)
    for number, text in enumerate(documents):
        with open(f"{name}/{number}.xml", "w") as file:
            file.write(text)
END_OF_PYTHON
cat >show.py <<'END_OF_PYTHON'
import csv, io, sys, zipfile

with zipfile.ZipFile(sys.argv[2]) as feed:
    routes, trips, calls = (list(csv.DictReader(io.StringIO(feed.read(name + ".txt").decode())))
                            for name in ("routes", "trips", "stop_times"))
print(f"{sys.argv[1]}: line {', line '.join(route['route_short_name'] for route in routes)}")
for trip in trips:
    print("  " + ", ".join(
        f"{call['departure_time'][:5]} {call['stop_id']} ({call['stop_sequence']})"
        + " no boarding" * (call.get("pickup_type") == "1") for call in calls if call["trip_id"] == trip["trip_id"]))
END_OF_PYTHON
python3 make.py
{
  PYTHONPATH=python python3 -c 'import importlib.metadata as m; print("transx2gtfs", m.version("transx2gtfs"))'
  for name in 'one file' 'two files' 'two lines' 'passed' 'next night'; do
    PYTHONPATH=python python3 -m transx2gtfs --workers 1 --naptan-path stops.csv "$name" feed.zip >>log 2>&1
    python3 show.py "$name" feed.zip
  done
} >found
cat found
diff - found <<'END_OF_FOUND'
transx2gtfs 0.6.0
one file: line 7
  08:00 Quay (1), 08:10 Mill (2), 08:20 Farm (3)
  23:50 Quay (1), 24:00 Mill (2), 24:10 Farm (3)
two files: line 7
  08:00 Quay (1), 08:10 Mill (2), 08:20 Farm (3), 08:00 Town (1), 08:20 Port (3)
two lines: line 7
  08:00 Quay (1), 08:10 Mill (2), 08:20 Farm (3)
passed: line 7
  08:00 Quay (1), 08:10 Mill (2), 08:20 Farm (3)
next night: line 7
  00:10 Quay (1), 00:20 Mill (2), 00:30 Farm (3)
END_OF_FOUND
