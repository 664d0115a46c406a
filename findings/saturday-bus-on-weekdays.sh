#!/bin/sh
# A timetable in TransXChange is converted to GTFS by transit-parser: a bus that runs on Saturdays runs from Monday to
# Friday, one that takes twenty minutes takes ten, and the bus that waits for the ferry does not wait.
#
# Guess: what a journey says itself goes before what its service and pattern say, as the schema has it: its days, its
# times between stops, its waits; what the converter cannot do it warns of.
# Found (transit-parser 0.2.0), without an error or a warning:
# - A journey's own days (OperatingProfile) and its own times (VehicleJourneyTimingLink) have no effect: it has those of
#   its service and its pattern.
# - Days on which a service does not run (DaysOfNonOperation) are not in calendar_dates.txt.
# - WaitTime counts where a link ends, and not where the next one begins; at one stop both add up in TransXChange.
# - A bus of the night after the day (DepartureDayShift) leaves at 00:10 and not at 24:10, a day too early.
# - A stop that is passed is a call like others, and a stop without a place, as in NaPTAN's own files, is at 0, 0.
# - Right: times after midnight of a journey that begins before it.
# What follows: a feed that was made by it is compared with the operator's page for a Saturday and a holiday.
#
#   usage: findings/saturday-bus-on-weekdays.sh     prints the trips; ends with 1 if one of them changes
set -eu
command -v python3 >/dev/null || { echo 'python3 is missing' >&2; exit 69; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/ask.py" <<'END_OF_PYTHON'
import importlib.metadata

from transit_parser import TxcDocument, TxcToGtfsConverter

SATURDAY = ("<OperatingProfile><RegularDayType><DaysOfWeek><Saturday/></DaysOfWeek></RegularDayType>"
            "</OperatingProfile>")
HOLIDAY = ("<SpecialDaysOperation><DaysOfNonOperation><DateRange><StartDate>2026-06-10</StartDate>"
           "<EndDate>2026-06-12</EndDate></DateRange></DaysOfNonOperation></SpecialDaysOperation>")
SLOW = ("<VehicleJourneyTimingLink id=\"V1\"><JourneyPatternTimingLinkRef>T1</JourneyPatternTimingLinkRef>"
        "<RunTime>PT20M</RunTime></VehicleJourneyTimingLink>")
WAIT = "<WaitTime>PT5M</WaitTime>"

def end(name, stop, number, wait="", activity="pickUpAndSetDown"):
    return (f'<{name} SequenceNumber="{number}">{wait}<Activity>{activity}</Activity>'
            f"<StopPointRef>{stop}</StopPointRef><TimingStatus>principalTimingPoint</TimingStatus></{name}>")

def document(before="", after="", special="", arriving="", leaving="", activity="pickUpAndSetDown", time="08:00:00"):
    points = "".join(f"<AnnotatedStopPointRef><StopPointRef>{stop}</StopPointRef><CommonName>{stop}</CommonName>"
                     "</AnnotatedStopPointRef>" for stop in ("Quay", "Mill", "Farm"))
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<TransXChange xmlns="http://www.transxchange.org.uk/" CreationDateTime="2026-05-01T00:00:00" Modification="new"
 ModificationDateTime="2026-05-01T00:00:00" RevisionNumber="1" FileName="bus.xml" SchemaVersion="2.4">
<StopPoints>{points}</StopPoints><JourneyPatternSections><JourneyPatternSection id="S1">
<JourneyPatternTimingLink id="T1">{end("From", "Quay", 1)}{end("To", "Mill", 2, arriving, activity)}
<RunTime>PT10M</RunTime></JourneyPatternTimingLink>
<JourneyPatternTimingLink id="T2">{end("From", "Mill", 2, leaving, activity)}{end("To", "Farm", 3)}
<RunTime>PT10M</RunTime></JourneyPatternTimingLink></JourneyPatternSection></JourneyPatternSections>
<Operators><Operator id="O1"><NationalOperatorCode>BUS</NationalOperatorCode><OperatorCode>BUS</OperatorCode>
<OperatorShortName>Bus</OperatorShortName></Operator></Operators><Services><Service><ServiceCode>S</ServiceCode>
<Lines><Line id="7"><LineName>7</LineName></Line></Lines><OperatingPeriod><StartDate>2026-06-01</StartDate>
<EndDate>2026-06-30</EndDate></OperatingPeriod><OperatingProfile><RegularDayType><DaysOfWeek><MondayToFriday/>
</DaysOfWeek></RegularDayType>{special}</OperatingProfile><RegisteredOperatorRef>O1</RegisteredOperatorRef>
<Mode>bus</Mode><StandardService><Origin>Quay</Origin><Destination>Farm</Destination><JourneyPattern id="P1">
<Direction>outbound</Direction><JourneyPatternSectionRefs>S1</JourneyPatternSectionRefs></JourneyPattern>
</StandardService></Service></Services><VehicleJourneys><VehicleJourney><PrivateCode>a</PrivateCode>{before}
<VehicleJourneyCode>a</VehicleJourneyCode><ServiceRef>S</ServiceRef><LineRef>7</LineRef>
<JourneyPatternRef>P1</JourneyPatternRef><DepartureTime>{time}</DepartureTime>{after}</VehicleJourney>
</VehicleJourneys></TransXChange>"""

def convert(**parts):
    result = TxcToGtfsConverter().convert(TxcDocument.from_string(document(**parts)))
    feed = result.feed
    days = ["".join(letter if runs else "-" for letter, runs in zip("MTWTFSS", (
        one.monday, one.tuesday, one.wednesday, one.thursday, one.friday, one.saturday, one.sunday)))
        for one in feed.calendars]
    calls = ", ".join(f"{call.stop_id} {call.arrival_time[:5]}-{call.departure_time[:5]}" for call in
                      sorted(feed.stop_times, key=lambda call: call.stop_sequence))
    return f"{' '.join(days)}, {len(feed.calendar_dates)} exceptions, {len(result.warnings)} warnings: {calls}"

print("transit-parser", importlib.metadata.version("transit-parser"))
for name, parts in {
    "plain": {},
    "on Saturdays": {"before": SATURDAY},
    "not from June 10 to 12": {"special": HOLIDAY},
    "20 minutes to Mill": {"after": SLOW},
    "waits where it arrives": {"arriving": WAIT},
    "waits where it leaves": {"leaving": WAIT},
    "waits twice": {"arriving": WAIT, "leaving": WAIT},
    "passes Mill": {"activity": "pass"},
    "at 23:55": {"time": "23:55:00"},
    "at 00:10 of the next day": {"time": "00:10:00", "after": "<DepartureDayShift>1</DepartureDayShift>"},
}.items():
    print(f"{name}: {convert(**parts)}")
feed = TxcToGtfsConverter().convert(TxcDocument.from_string(document())).feed
print("places:", ", ".join(f"{stop.name} {stop.latitude}, {stop.longitude}" for stop in feed.stops))
END_OF_PYTHON
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-compile --no-deps \
  --only-binary :all: --target "$folder/packages" transit-parser==0.2.0
PYTHONPATH=$folder/packages python3 "$folder/ask.py" | tee "$folder/found"
diff - "$folder/found" <<'END_OF_FOUND'
transit-parser 0.2.0
plain: MTWTF--, 0 exceptions, 0 warnings: Quay 08:00-08:00, Mill 08:10-08:10, Farm 08:20-08:20
on Saturdays: MTWTF--, 0 exceptions, 0 warnings: Quay 08:00-08:00, Mill 08:10-08:10, Farm 08:20-08:20
not from June 10 to 12: MTWTF--, 0 exceptions, 0 warnings: Quay 08:00-08:00, Mill 08:10-08:10, Farm 08:20-08:20
20 minutes to Mill: MTWTF--, 0 exceptions, 0 warnings: Quay 08:00-08:00, Mill 08:10-08:10, Farm 08:20-08:20
waits where it arrives: MTWTF--, 0 exceptions, 0 warnings: Quay 08:00-08:00, Mill 08:10-08:15, Farm 08:25-08:25
waits where it leaves: MTWTF--, 0 exceptions, 0 warnings: Quay 08:00-08:00, Mill 08:10-08:10, Farm 08:20-08:20
waits twice: MTWTF--, 0 exceptions, 0 warnings: Quay 08:00-08:00, Mill 08:10-08:15, Farm 08:25-08:25
passes Mill: MTWTF--, 0 exceptions, 0 warnings: Quay 08:00-08:00, Mill 08:10-08:10, Farm 08:20-08:20
at 23:55: MTWTF--, 0 exceptions, 0 warnings: Quay 23:55-23:55, Mill 24:05-24:05, Farm 24:15-24:15
at 00:10 of the next day: MTWTF--, 0 exceptions, 0 warnings: Quay 00:10-00:10, Mill 00:20-00:20, Farm 00:30-00:30
places: Quay 0.0, 0.0, Mill 0.0, 0.0, Farm 0.0, 0.0
END_OF_FOUND
