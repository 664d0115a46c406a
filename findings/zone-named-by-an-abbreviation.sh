#!/bin/sh
# A feed's agency_timezone, or any other setting, that has an abbreviation in place of a name of the IANA database.
#
# Guess: Foundation's TimeZone(identifier:) gives nil for "BST", as Python's zoneinfo refuses it, or else London, as
# TimeZone(abbreviation:) does.
# Found (Swift 6.3.1, Linux): a zone called BST that is six hours ahead of Greenwich all year, the time of Dhaka, and so
# without a word five or six hours wrong in Britain. It is one of ICU's old identifiers of three letters; AST is Alaska
# and not Halifax, and IST is India and neither Israel nor Ireland. PDT, CEST and other summer times are nil.
#
#   usage: findings/zone-named-by-an-abbreviation.sh     ends with 1 if an abbreviation is another zone than before
set -eu
command -v swiftc >/dev/null || { echo 'swiftc is missing' >&2; exit 69; }
swiftc --version 2>/dev/null | head -n 1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

cat >"$folder/zones.swift" <<'END'
import Foundation
// Noon on 1 July and on 1 January 2026.
let days = [1_782_907_200.0, 1_767_268_800.0].map(Date.init(timeIntervalSince1970:))
func hours(_ zone: TimeZone?) -> String {
  zone.map { zone in days.map { "\(zone.secondsFromGMT(for: $0) / 3600)" }.joined(separator: " and ") } ?? "no zone"
}
for name in ["BST", "AST", "IST", "PDT", "CEST"] {
  print("\(name): by identifier \(hours(TimeZone(identifier: name))), by abbreviation \(hours(TimeZone(abbreviation: name)))")
}
END
swiftc -o "$folder/zones" "$folder/zones.swift"
"$folder/zones" | tee "$folder/found"
python3 -c 'import zoneinfo; print("Python:", "BST" in zoneinfo.available_timezones())'
grep -qx 'BST: by identifier 6 and 6, by abbreviation 1 and 0' "$folder/found"
grep -q '^AST: by identifier -8 and -9' "$folder/found"
grep -q '^PDT: by identifier no zone' "$folder/found"
