public import Foundation

/// A scheduled departure from a stop.
public struct Departure: Hashable, Sendable {
  /// The stop, such as a platform of the station that was asked for.
  public var stop: Stop
  /// The route.
  public var route: Route
  /// The trip's number in this database; stable when a newer feed is imported together with the
  /// older database.
  public var tid: Int64
  /// The `trip_id` in the feed.
  public var tripID: String
  /// The number or name of the trip for riders, such as that of a train.
  public var tripShortName: String?
  /// The destination that riders see at this stop: `stop_headsign`, or else `trip_headsign`.
  public var headsign: String?
  /// The direction of travel, 0 or 1.
  public var directionID: Int?
  /// The `stop_sequence` of the call in its trip.
  public var stopSequence: Int
  /// The service day, which is an earlier day for a trip that runs after midnight.
  public var serviceDay: ServiceDay
  /// The arrival on the service day; equal to the departure where the feed has only one of them.
  public var arrivalTime: ServiceTime
  /// The departure on the service day.
  public var departureTime: ServiceTime
  /// The instant of the arrival.
  public var arrival: Date
  /// The instant of the departure.
  public var departure: Date
  /// The time zone of the stop, in which riders read the time.
  public var timeZone: TimeZone
  /// Whether the feed has no time for this call, and it was computed from those around it.
  public var isInterpolated: Bool
  /// Whether the trip ends here.
  public var isLastStop: Bool
  /// How riders board: 0 regularly, 1 not at all, 2 after a call to the agency, 3 after a sign to the
  /// driver.
  public var pickupType: Int
  /// How riders alight, in the numbers of ``pickupType``.
  public var dropOffType: Int
  /// The time between two vehicles, if the feed promises only that (`exact_times` 0) and the instant is
  /// one at which a vehicle is likely; `nil` for a departure by the timetable.
  public var headway: Duration?
}
