public import Foundation

/// A stop within a trip of the timetable, with its times on one service day.
public struct ScheduledStopTime: Hashable, Sendable {
  /// The `stop_sequence` in `stop_times.txt`.
  public var stopSequence: Int
  /// The `stop_id` of the stop.
  public var stopID: String
  /// The arrival; `nil` if the timetable has no time for this stop.
  public var arrival: Date?
  /// The departure; `nil` if the timetable has no time for this stop.
  public var departure: Date?

  /// Creates a stop with its times.
  ///
  /// - Parameters:
  ///   - stopSequence: The `stop_sequence`.
  ///   - stopID: The `stop_id`.
  ///   - arrival: The arrival; `nil` means at the departure.
  ///   - departure: The departure; `nil` means at the arrival.
  public init(stopSequence: Int, stopID: String, arrival: Date?, departure: Date?) {
    (self.stopSequence, self.stopID) = (stopSequence, stopID)
    (self.arrival, self.departure) = (arrival ?? departure, departure ?? arrival)
  }
}
