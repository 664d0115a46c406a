import Foundation
import Holdfast

/// A selector of the entities that an alert is about, which match all of its fields that are not `nil`.
///
/// - SeeAlso: <https://gtfs.org/documentation/realtime/reference/#message-entityselector>
public struct EntitySelector: Hashable, Sendable {
  /// The `agency_id` of the routes.
  public var agencyID: String?
  /// The `route_id`.
  public var routeID: String?
  /// The `route_type` of the routes.
  public var routeType: Int?
  /// The direction of travel, 0 or 1, on the route.
  public var directionID: Int?
  /// The trip.
  public var trip: TripDescriptor?
  /// The `stop_id` of the stop, or of a station with everything that belongs to it.
  public var stopID: String?

  /// Creates a selector of nothing.
  public init() {}

  /// Whether no field is given, so that nothing is selected: "At least one specifier must be provided".
  var isEmpty: Bool { self == EntitySelector() }

  /// Returns whether the selector fits.
  ///
  /// - Parameters:
  ///   - subject: The subject.
  ///   - moment: An instant at which the alert is active, or `nil`.
  /// - Returns: Whether all fields fit.
  func selects(_ subject: AlertSubject, at moment: Date? = nil) -> Bool {
    func fits(_ own: String?, _ other: String?) -> Bool {
      own.map { own in other.map { own.hasSameBytes(as: $0) } ?? false } ?? true
    }
    guard !isEmpty, fits(routeID, subject.routeID), fits(agencyID, subject.agencyID),
      routeType.map({ $0 == subject.routeType }) ?? true,
      directionID.map({ $0 == subject.directionID }) ?? true,
      stopID.map({ subject.stopIDs.contains(ExactText($0)) }) ?? true
    else { return false }
    guard let trip = trip?.affected else { return true }
    return fits(trip.tripID, subject.tripID) && fits(trip.routeID, subject.routeID)
      && subject.starts(as: trip, at: moment)
      && trip.directionID.map({ $0 == subject.directionID }) ?? true
      && (trip.tripID ?? trip.routeID) != nil
  }
}

/// The subject for which alerts are looked up: a stop, or a trip of a route at stops.
struct AlertSubject {
  var agencyID: String?
  var routeID: String?
  var routeType: Int?
  var directionID: Int?
  var tripID: String?
  /// The service day as `YYYYMMDD`.
  var startDate: String?
  /// The start of the trip, in seconds of the service day; `nil` if it is not known.
  var startTime: Int?
  /// The instants of this start, and of the last arrival.
  var start: Date?
  var end: Date?
  /// Whether `frequencies.txt` repeats the trip.
  var isFrequencyBased = false
  /// On which service days next to a start after midnight the trip runs, too.
  var neighbors = ServiceNight.Neighbors()
  /// The stops, and the stations to which they belong.
  var stopIDs: Set<ExactText> = []

  /// The trip on its service day; `nil` for a stop.
  var instance: TripInstance? {
    guard let tripID, let startDate else { return nil }
    return TripInstance(
      tripID: tripID, routeID: routeID ?? "", directionID: directionID, startDate: startDate,
      startTime: .seconds(startTime ?? 0), start: start ?? .distantPast, end: end,
      isFrequencyBased: isFrequencyBased)
  }

  /// Returns whether the trip may start on the day and at the time that a descriptor names.
  ///
  /// "For non frequency-based trips" the `trip_id` "is enough to uniquely identify the trip"; a start that is not
  /// known may be any.
  func starts(as trip: TripDescriptor, at moment: Date?) -> Bool {
    let time = trip.startTime.flatMap(TripUpdateIndex.time)
    let day = startDate.flatMap { ServiceDay($0) }
    let night = startTime.flatMap { ServiceNight(day, start: $0) }
    if let night, !neighbors.hasNext, trip.tripID != nil,
      trip.startDate.flatMap(TripUpdateIndex.date) == night.nextDate
    {
      return true
    }
    if let start, let night, time == night.time {
      guard let date = trip.startDate else { return true }
      return ServiceDay(date).map { date in
        night.isMeant(
          by: date.number, at: moment, isPredicted: false, from: start,
          seconds: end?.timeIntervalSince(start) ?? 0)
      } ?? false
    }
    guard trip.startDate.map({ date in startDate.map(date.hasSameBytes) ?? false }) ?? true
    else { return false }
    guard trip.tripID == nil || isFrequencyBased, let startTime, let time else { return true }
    return time == startTime
  }
}
