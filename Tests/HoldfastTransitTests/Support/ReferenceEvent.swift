import Foundation

/// A departure or an arrival that the reference finds.
struct ReferenceEvent: Hashable {
  let stopID: String
  let tripID: String
  let routeID: String

  /// The service day, as GTFS writes it: `YYYYMMDD`.
  let serviceDate: String

  /// The time of GTFS: seconds since noon minus 12 hours of the service day.
  let time: Int

  let instant: Date

  /// The seconds between the stop's local time at the instant and UTC.
  let offset: Int

  let stopSequence: Int

  /// The call's headsign, or else the trip's.
  let headsign: String

  /// Whether the time is exact; false for trips that only run every few minutes.
  let isExact: Bool

  /// The instant in the stop's local time with its offset, and the trip.
  var description: String {
    let local = Date(timeIntervalSince1970: instant.timeIntervalSince1970 + Double(offset))
    let (hours, minutes) = (abs(offset) / 3600, abs(offset) / 60 % 60)
    let sign = offset < 0 ? "-" : "+"
    return "\(local.formatted(.iso8601).dropLast())\(sign)\(Self.digits(hours)):"
      + "\(Self.digits(minutes)) \(tripID)"
  }

  private static func digits(_ number: Int) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }
}
