import Foundation

/// The names of the IANA time zone database.
///
/// Foundation knows further ones, which are not its names: offsets such as "GMT+5" and "UTC+1", and abbreviations
/// of ICU's, of which "BST" is the time of Bangladesh.
///
/// - SeeAlso: <https://data.iana.org/time-zones/tz-link.html>
enum TimeZoneName {
  /// The names that have no area, such as "Europe/".
  private static let withoutArea: Set<String> = [
    "CET", "CST6CDT", "Cuba", "EET", "EST", "EST5EDT", "Egypt", "Eire", "Factory", "GB", "GB-Eire",
    "GMT", "GMT+0", "GMT-0", "GMT0", "Greenwich", "HST", "Hongkong", "Iceland", "Iran", "Israel",
    "Jamaica", "Japan", "Kwajalein", "Libya", "MET", "MST", "MST7MDT", "NZ", "NZ-CHAT", "Navajo",
    "PRC", "PST8PDT", "Poland", "Portugal", "ROC", "ROK", "Singapore", "Turkey", "UCT", "UTC",
    "Universal", "W-SU", "WET", "Zulu",
  ]

  /// Returns whether a text is a name of the database that this system knows.
  static func isKnown(_ name: String) -> Bool {
    let isName =
      withoutArea.contains(name)
      || name.utf8.contains(UInt8(ascii: "/")) && name.utf8.allSatisfy(isPartOfName)
    return isName && TimeZone(identifier: name) != nil
  }

  private static func isPartOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "/_+-".utf8.contains(byte)
    }
  }
}
