import Foundation
import HoldfastTransit

/// The days above the records of a table, so that each instant needs only its time of day.
///
/// The offset from UTC is in the first heading, and otherwise follows a time only where it differs from
/// the time before, as on a day on which clocks change or on the way into another zone.
struct InstantHeadings {
  private var day: Int?
  private var offset: Int?

  /// Returns a record whose instants are times of day, and the heading that goes before it.
  ///
  /// - Parameters:
  ///   - record: The next record of the table.
  ///   - keys: The keys that the table shows; `nil` for all.
  /// - Returns: The record, and the day of its first instant if the record before has another one. An
  ///   instant of another day than the first one says how many days later it is: `00:10 +1d`.
  mutating func times(
    of record: OutputRecord, shown keys: Set<String>?
  ) -> (heading: String?, record: OutputRecord) {
    var record = record
    var heading: String?
    var isFirst = true
    for index in record.fields.indices where keys?.contains(record.fields[index].key) ?? true {
      guard case .instant(var instant) = record.fields[index].cell else { continue }
      let offset = instant.zone.secondsFromGMT(for: instant.date)
      // A fraction of a second is not shown; dates of feeds are far from the ends of the range.
      guard let seconds = Int(exactly: instant.date.timeIntervalSince1970.rounded(.down)) else {
        continue
      }
      let local = seconds + offset
      let day = local.quotient(by: 86400)
      if isFirst, day != self.day {
        heading = Self.heading(day)
        if self.offset == nil {
          heading?.append(offset == 0 ? ", UTC" : ", UTC\(Self.text(ofOffset: offset))")
          self.offset = offset
        }
        self.day = day
      }
      isFirst = false
      var text = Self.time(local - day * 86400)
      if offset != self.offset { text += Self.text(ofOffset: offset) }
      self.offset = offset
      if let first = self.day, first != day { text += " \(day > first ? "+" : "")\(day - first)d" }
      instant.shown = text
      record.fields[index].cell = .instant(instant)
    }
    return (heading, record)
  }

  private static func heading(_ day: Int) -> String {
    let day = ServiceDay(daysSince1970: day)
    return "\(day.weekdayName.capitalized) \(day)"
  }

  /// The time of day, with its seconds unless they are 0.
  private static func time(_ seconds: Int) -> String {
    let minutes = "\(two(seconds / 3600)):\(two(seconds / 60 % 60))"
    return seconds % 60 == 0 ? minutes : "\(minutes):\(two(seconds % 60))"
  }

  private static func text(ofOffset offset: Int) -> String {
    let minutes = offset.magnitude / 60
    return "\(offset < 0 ? "-" : "+")\(two(Int(minutes / 60))):\(two(Int(minutes % 60)))"
  }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

extension ServiceDay {
  /// The name of the day of the week, as a column of `calendar.txt`.
  var weekdayName: String {
    ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"][weekday]
  }
}
