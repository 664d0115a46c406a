#!/bin/sh
# An app keeps Date.distantPast as "never" in a property list: Python's plistlib cannot read the file at all, and on
# Linux two of Foundation's own types give two days that are two days apart.
#
# Guess: Date.distantPast is the first of January of the year 1, as it is printed, in each reader of property lists;
# what one type of Foundation writes another one reads.
# Found (Swift 6.3.1, Linux; Debian's libplist 2.2.0; Python's plistlib):
# - It is -63114076800 seconds from 2001, two days before the year 1 in the calendar that ISO 8601 has. plistlib
#   refuses a binary file with such a date as "Invalid file", with all other values in it.
# - As XML PropertyListSerialization writes 0000-12-30, and PropertyListEncoder 0001-01-01. Each side reads its own.
#   PropertyListDecoder reads what PropertyListSerialization wrote as two days earlier, and a day in 1500 as ten days
#   later. Binary files do not differ, nor do days since 1583.
# - plistutil writes 0-12-30, which plistlib refuses, too.
# - Parts of a second are cut off in XML by all of them, toward the past by Foundation and toward 2001 by plistutil.
# What follows: "never" is a missing value; a property list with dates before 1582 stays binary.
#
#   usage: findings/never-in-a-property-list.sh     prints the dates; ends with 1 if one of them changes
set -eu
for program in python3 swiftc; do
  command -v $program >/dev/null || { echo "$program is missing" >&2; exit 69; }
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
for package in libplist-utils libplist3; do
  apt-get download --quiet --quiet "$package" 2>>log || { echo "$package is missing" >&2; exit 69; }
done
for package in *.deb; do dpkg -x "$package" debian; done
plistutil=$(find debian -name plistutil -type f)
LD_LIBRARY_PATH=$(dirname "$(find debian -name 'libplist-2.0.so.3' | head -n 1)")
export LD_LIBRARY_PATH
cat >main.swift <<'END_OF_SWIFT'
import Foundation

struct Entry: Codable {
  var at: Date
}

func serialized(_ data: Data) -> TimeInterval {
  let list = try? PropertyListSerialization.propertyList(from: data, format: nil)
  return ((list as? [String: Any])?["at"] as? Date)?.timeIntervalSinceReferenceDate ?? .nan
}

func decoded(_ data: Data) -> TimeInterval {
  (try? PropertyListDecoder().decode(Entry.self, from: data))?.at.timeIntervalSinceReferenceDate ?? .nan
}

func text(_ data: Data) -> String {
  String(decoding: data, as: UTF8.self).split(separator: "date>")[1].replacingOccurrences(of: "</", with: "")
}

print("distantPast is \(Date.distantPast.timeIntervalSinceReferenceDate)")
for (name, seconds) in [
  ("past", Date.distantPast.timeIntervalSinceReferenceDate), ("1500", -15_800_000_000), ("1583", -13_190_000_000),
  ("future", Date.distantFuture.timeIntervalSinceReferenceDate), ("parts", -0.5),
] {
  let date = Date(timeIntervalSinceReferenceDate: seconds)
  let encoder = PropertyListEncoder()
  encoder.outputFormat = .xml
  let encoded = try encoder.encode(Entry(at: date))
  let xml = try PropertyListSerialization.data(fromPropertyList: ["at": date], format: .xml, options: 0)
  let binary = try PropertyListSerialization.data(fromPropertyList: ["at": date], format: .binary, options: 0)
  try binary.write(to: URL(fileURLWithPath: name + ".bin"))
  print("\(name), PropertyListSerialization: \(text(xml)), read by it \(serialized(xml) - seconds) s,",
        "by PropertyListDecoder \(decoded(xml) - seconds) s")
  print("\(name), PropertyListEncoder: \(text(encoded)), read by PropertyListSerialization",
        "\(serialized(encoded) - seconds) s, by PropertyListDecoder \(decoded(encoded) - seconds) s")
  print("\(name), binary: read by PropertyListSerialization \(serialized(binary) - seconds) s,",
        "by PropertyListDecoder \(decoded(binary) - seconds) s")
}
END_OF_SWIFT
cat >ask.py <<'END_OF_PYTHON'
import plistlib, sys

def read(path):
    try:
        with open(path, "rb") as file:
            return plistlib.load(file)["at"]
    except Exception as error:
        return f"ends with {type(error).__name__}"

name = sys.argv[1]
print(f"{name}, plistlib: binary {read(name + '.bin')} | plistutil's XML {read(name + '.xml')}")
END_OF_PYTHON
swiftc main.swift -o main 2>>log
{
  swiftc --version 2>/dev/null | sed -n 's/.*Swift version \([0-9.]*\).*/Swift \1/p'
  "$plistutil" --version
  ./main
  for name in past 1500 1583 future parts; do
    "$plistutil" -i $name.bin -f xml -o $name.xml
    echo "$name, plistutil: $(sed -n 's/.*<date>\(.*\)<.date>.*/\1/p' $name.xml)"
    python3 ask.py $name
  done
} | tee found
diff - found <<'END_OF_FOUND'
Swift 6.3.1
plistutil 2.2.0
distantPast is -63114076800.0
past, PropertyListSerialization: 0000-12-30T00:00:00Z, read by it 0.0 s, by PropertyListDecoder -172800.0 s
past, PropertyListEncoder: 0001-01-01T00:00:00Z, read by PropertyListSerialization 172800.0 s, by PropertyListDecoder 0.0 s
past, binary: read by PropertyListSerialization 0.0 s, by PropertyListDecoder 0.0 s
1500, PropertyListSerialization: 1500-04-27T15:06:40Z, read by it 0.0 s, by PropertyListDecoder 864000.0 s
1500, PropertyListEncoder: 1500-04-17T15:06:40Z, read by PropertyListSerialization -864000.0 s, by PropertyListDecoder 0.0 s
1500, binary: read by PropertyListSerialization 0.0 s, by PropertyListDecoder 0.0 s
1583, PropertyListSerialization: 1583-01-10T23:06:40Z, read by it 0.0 s, by PropertyListDecoder 0.0 s
1583, PropertyListEncoder: 1583-01-10T23:06:40Z, read by PropertyListSerialization 0.0 s, by PropertyListDecoder 0.0 s
1583, binary: read by PropertyListSerialization 0.0 s, by PropertyListDecoder 0.0 s
future, PropertyListSerialization: 4001-01-01T00:00:00Z, read by it 0.0 s, by PropertyListDecoder 0.0 s
future, PropertyListEncoder: 4001-01-01T00:00:00Z, read by PropertyListSerialization 0.0 s, by PropertyListDecoder 0.0 s
future, binary: read by PropertyListSerialization 0.0 s, by PropertyListDecoder 0.0 s
parts, PropertyListSerialization: 2000-12-31T23:59:59Z, read by it -0.5 s, by PropertyListDecoder -0.5 s
parts, PropertyListEncoder: 2000-12-31T23:59:59Z, read by PropertyListSerialization -0.5 s, by PropertyListDecoder -0.5 s
parts, binary: read by PropertyListSerialization 0.0 s, by PropertyListDecoder 0.0 s
past, plistutil: 0-12-30T00:00:00Z
past, plistlib: binary ends with InvalidFileException | plistutil's XML ends with AttributeError
1500, plistutil: 1500-04-27T15:06:40Z
1500, plistlib: binary 1500-04-27 15:06:40 | plistutil's XML 1500-04-27 15:06:40
1583, plistutil: 1583-01-10T23:06:40Z
1583, plistlib: binary 1583-01-10 23:06:40 | plistutil's XML 1583-01-10 23:06:40
future, plistutil: 4001-01-01T00:00:00Z
future, plistlib: binary 4001-01-01 00:00:00 | plistutil's XML 4001-01-01 00:00:00
parts, plistutil: 2001-01-01T00:00:00Z
parts, plistlib: binary 2000-12-31 23:59:59.500000 | plistutil's XML 2001-01-01 00:00:00
END_OF_FOUND
