public import Foundation

/// A trip of the timetable on one service day, for which an update is looked up.
public struct TripInstance: Hashable, Sendable {
  /// The `trip_id` of the trip.
  public var tripID: String
  /// The `route_id` of the trip.
  public var routeID: String
  /// The `direction_id` of the trip; `nil` if the feed has none.
  public var directionID: Int?
  /// The service day in GTFS's format, such as `20260105`.
  public var startDate: String
  /// The departure from the first stop, since noon minus 12 hours of the service day.
  public var startTime: Duration
  /// The departure from the first stop.
  public var start: Date
  /// The arrival at the last stop; `nil` if it is not known.
  ///
  /// It matters for updates of trips that take hours or days, if they name no service day or count a start after
  /// midnight from it.
  public var end: Date?
  /// Whether the trip is one of those that `frequencies.txt` derives from one row of `trips.txt`.
  public var isFrequencyBased: Bool
  /// On which service days next to a start after midnight the trip runs, too; on both if it is not known.
  var neighbors = ServiceNight.Neighbors()

  /// Creates an instance.
  ///
  /// - Parameters:
  ///   - tripID: The `trip_id`.
  ///   - routeID: The `route_id`.
  ///   - directionID: The `direction_id`.
  ///   - startDate: The service day in GTFS's format.
  ///   - startTime: The departure from the first stop, since noon minus 12 hours of the service day.
  ///   - start: The departure from the first stop.
  ///   - end: The arrival at the last stop.
  ///   - isFrequencyBased: Whether the trip is one of those that `frequencies.txt` describes.
  public init(
    tripID: String, routeID: String, directionID: Int?, startDate: String, startTime: Duration,
    start: Date, end: Date? = nil, isFrequencyBased: Bool = false
  ) {
    (self.tripID, self.routeID, self.directionID) = (tripID, routeID, directionID)
    (self.startDate, self.startTime, self.start) = (startDate, startTime, start)
    (self.end, self.isFrequencyBased) = (end, isFrequencyBased)
  }
}
