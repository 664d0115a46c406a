public import Foundation

/// An arrival at a stop, as the timetable or a live prediction has it.
public struct Arrival: Hashable, Sendable {
  /// The stop, such as a platform of the station that was asked for.
  public var stop: Stop
  /// The first stop of the trip; `nil` for an area of a flexible service.
  public var origin: Stop?
  /// The route.
  public var route: Route
  /// The trip's number in this database, stable when a newer feed is imported together with the
  /// older database; `nil` for a trip that only live data has.
  public var tid: Int64?
  /// The `trip_id` in the feed.
  public var tripID: String
  /// The number or name of the trip for riders, such as a train number.
  public var tripShortName: String?
  /// The destination that riders see at this stop: `stop_headsign`, or else `trip_headsign`.
  public var headsign: String?
  /// The direction of travel, 0 or 1.
  public var directionID: Int?
  /// The `stop_sequence` of the call in its trip; `nil` if live data adds the trip and has none.
  public var stopSequence: Int?
  /// The service day, which is an earlier day for a trip that runs after midnight.
  public var serviceDay: ServiceDay
  /// The scheduled arrival on the service day; equal to the departure where the feed has only one of
  /// them, and predicted for a trip that the timetable does not have.
  public var arrivalTime: ServiceTime
  /// The instant of the arrival: predicted if the ``status`` is live, otherwise scheduled.
  public var arrival: Date
  /// The instant of the arrival, in the timetable or for an added trip
  /// as live data has it; `nil` if neither says.
  public var scheduledArrival: Date?
  /// Whether the times are scheduled or predicted, or the vehicle does not stop.
  public var status: LiveStopTime.Status
  /// The time zone of the stop, in which riders read the time.
  public var timeZone: TimeZone
  /// Whether the feed has no time for this call, and it was computed from those around it.
  public var isInterpolated: Bool
  /// Whether the scheduled times are exact: 0 approximate, 1 exact; `nil` if the feed does not say, which
  /// means exact where it has times.
  public var timepoint: Int?
  /// How to book, where riders alight on request; `nil` if the feed has no rule for it.
  public var bookingRule: BookingRule?
  /// Whether the trip begins here.
  public var isFirstStop: Bool
  /// Whether the trip ends here.
  public var isLastStop: Bool
  /// How riders alight: 0 regularly, 1 not at all, 2 after a call to the agency, 3 after a sign to the
  /// driver.
  public var dropOffType: Int
  /// The time between two vehicles, if the feed promises only that (`exact_times` 0) and the instant is
  /// one at which a vehicle is likely; `nil` for an arrival by the timetable or a prediction.
  public var headway: Duration?
  /// The start of the vehicle in the timetable, as of a ``Departure``.
  var start: Int?

  /// How much later than scheduled the arrival is predicted, negative when it is earlier; `nil` if
  /// nothing is predicted, or if no schedule of the trip is known.
  public var delay: Duration? {
    guard status == .live, let scheduledArrival else { return nil }
    return .seconds(arrival.timeIntervalSince(scheduledArrival))
  }

  init(_ answer: BoardQuery.Answer) {
    let call = answer.call
    (stop, origin, route) = (call.stop, answer.origin, call.route)
    (tid, tripID, tripShortName) = (call.tid, call.tripID, call.tripShortName)
    (headsign, directionID, stopSequence) = (call.headsign, call.directionID, call.stopSequence)
    (serviceDay, arrivalTime) = (call.serviceDay, call.arrivalTime)
    (arrival, scheduledArrival, status) = (call.arrival, call.scheduledArrival, call.status)
    (timeZone, isInterpolated) = (call.timeZone, call.isInterpolated)
    (timepoint, bookingRule) = (call.timepoint, call.bookingRule)
    (isFirstStop, isLastStop) = (call.isFirstStop, call.isLastStop)
    (dropOffType, headway, start) = (call.dropOffType, call.headway, call.start)
  }
}
