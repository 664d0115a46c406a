import Foundation

/// A printed instant: ISO 8601 in JSON, a time of day in a table.
struct Instant: Sendable, Equatable {
  var date: Date
  var zone: TimeZone

  /// The text in a table below a heading with its day; `nil` where there is no heading.
  var shown: String?

  init(_ date: Date, in zone: TimeZone) {
    (self.date, self.zone) = (date, zone)
  }

  /// The instant in ISO 8601 with the offset of the zone.
  var iso8601: String {
    date.formatted(Date.ISO8601FormatStyle(timeZoneSeparator: .colon, timeZone: zone))
  }
}

extension Cell {
  /// An instant with the time zone in which it is read.
  init(_ instant: Date?, in zone: TimeZone) {
    self = instant.map { .instant(Instant($0, in: zone)) } ?? .null
  }
}
