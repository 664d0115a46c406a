/// A time of a service day, which may be past 24:00.
///
/// - SeeAlso: <https://gtfs.org/documentation/schedule/reference/#field-types>, "Time"
public struct ServiceTime: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The seconds after noon minus 12 hours of the service day.
  public var seconds: Int

  /// Creates a time.
  ///
  /// - Parameter seconds: The seconds after noon minus 12 hours of the service day.
  public init(seconds: Int) {
    self.seconds = seconds
  }

  /// The time as GTFS writes it, `HH:MM:SS`, such as `25:10:00`.
  public var description: String {
    let parts = [seconds.magnitude / 3600, seconds.magnitude / 60 % 60, seconds.magnitude % 60]
    let digits = parts.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    return seconds < 0 ? "-\(digits)" : digits
  }

  /// Returns whether one time is before another.
  public static func < (lhs: ServiceTime, rhs: ServiceTime) -> Bool {
    lhs.seconds < rhs.seconds
  }
}
