public import Foundation

/// A trip of a route on a service day, without its calls.
public struct RouteTrip: Hashable, Sendable {
  /// The trip's number in this database.
  public var tid: Int64
  /// The `trip_id` in the feed.
  public var tripID: String
  /// The `service_id` in the feed.
  public var serviceID: String
  /// The destination that riders see.
  public var tripHeadsign: String?
  /// The number or name of the trip for riders.
  public var tripShortName: String?
  /// The direction of travel, 0 or 1.
  public var directionID: Int?
  /// The first stop; `nil` for an area of a flexible service.
  public var origin: Stop?
  /// The last stop; `nil` for an area of a flexible service.
  public var destination: Stop?
  /// The number of calls.
  public var callCount: Int
  /// The first departure on the service day; `nil` if the feed has no times for the trip.
  public var departureTime: ServiceTime?
  /// The last arrival on the service day; `nil` if the feed has no times for the trip.
  public var arrivalTime: ServiceTime?
  /// The instant of the first departure.
  public var departure: Date?
  /// The instant of the last arrival.
  public var arrival: Date?
  /// The time zone in which riders read the first departure: the zone of its stop.
  public var departureTimeZone: TimeZone
  /// The time zone in which riders read the last arrival: the zone of its stop.
  public var arrivalTimeZone: TimeZone
  /// The time zone of the agency, in which the times of service days are.
  public var timeZone: TimeZone
  /// Whether a wheelchair fits in: 0 or `nil` unknown, 1 possible, 2 not possible.
  public var wheelchairAccessible: Int?
  /// Whether bicycles are allowed: 0 or `nil` unknown, 1 allowed, 2 not allowed.
  public var bikesAllowed: Int?
  /// The row of `frequencies.txt` by which the trip repeats, from this departure on; `nil` if it runs
  /// once.
  public var frequency: Trip.Frequency?
}
