public import Foundation

/// A way from one place to another by public transport, or on foot.
public struct Journey: Hashable, Sendable {
  /// A part of a journey.
  public indirect enum Leg: Hashable, Sendable {
    /// A way on foot.
    case walk(Walk)
    /// A ride on a vehicle.
    case ride(Ride)
  }

  /// A way on foot.
  public struct Walk: Hashable, Sendable {
    /// The stop where it begins; `nil` for the position of the question.
    public var from: Stop?
    /// The stop where it ends; `nil` for the position of the question.
    public var to: Stop?
    /// The entrance through which the way leads into a station, or else out of it; `nil` if there is none, or
    /// if only `transfers.txt` says how long it takes.
    public var entrance: Stop?
    /// The estimated length; `nil` if the feed does not say where one of the stops is.
    public var distance: Distance?
    /// How long it takes.
    public var duration: Duration
    /// The instant at which it begins.
    public var departure: Date
    /// The instant at which it ends.
    public var arrival: Date
  }

  /// A ride on a vehicle.
  public struct Ride: Hashable, Sendable {
    /// The trip's number in this database, stable when a newer feed is imported together with the
    /// older database; `nil` for a trip that only live data has.
    public var tid: Int64?
    /// The `trip_id` in the feed.
    public var tripID: String
    /// The number or name of the trip for riders, such as a train's number.
    public var tripShortName: String?
    /// The route.
    public var route: Route
    /// The destination that riders see where they board.
    public var headsign: String?
    /// The direction of travel, 0 or 1.
    public var directionID: Int?
    /// The service day, which is an earlier day for a trip that runs after midnight.
    public var serviceDay: ServiceDay
    /// The call at which riders board.
    public var board: Call
    /// The call at which riders alight.
    public var alight: Call
    /// The calls in between; empty unless ``Journeys/includesIntermediateCalls`` asks for them.
    public var intermediateCalls: [Call]
    /// The time between two vehicles, if the feed promises only that; the times are then the ones of
    /// the vehicle that riders catch at the latest.
    public var headway: Duration?
    /// Whether riders stay on the vehicle of the ride before, which is not a change.
    public var isContinuation: Bool
    /// The start of the vehicle in the timetable, in seconds of the service day; `nil` for a trip that only live data
    /// have.
    var start: Int?
  }

  /// A call of a ride's vehicle at a stop.
  public struct Call: Hashable, Sendable {
    /// The stop, such as a platform of the station that was asked for.
    public var stop: Stop
    /// The `stop_sequence` of the call in its trip; `nil` if live data add the trip and have none.
    public var stopSequence: Int?
    /// The instant of the arrival, predicted if the ``status`` is live; `nil` if neither the feed nor
    /// the calls around it say, or if they say one before an earlier time of the trip.
    public var arrival: Date?
    /// The instant of the departure, like ``arrival``.
    public var departure: Date?
    /// The instant of the arrival in the timetable, or for an added trip as live data has it; `nil` if
    /// neither says.
    public var scheduledArrival: Date?
    /// The instant of the departure, like ``scheduledArrival``.
    public var scheduledDeparture: Date?
    /// Whether the times are scheduled or predicted, or the vehicle does not stop.
    public var status: LiveStopTime.Status
    /// The time zone of the stop, in which riders read the times.
    public var timeZone: TimeZone
    /// Whether the feed has no time for this call, and it was computed from those around it.
    public var isInterpolated: Bool
    /// Whether the scheduled times are exact: 0 approximate, 1 exact; `nil` if the feed does not say,
    /// which means exact where it has times.
    public var timepoint: Int?
    /// How to book, where riders board on request; `nil` if the feed has no rule for it.
    public var pickupBookingRule: BookingRule?
    /// How to book, where riders alight on request; `nil` if the feed has no rule for it.
    public var dropOffBookingRule: BookingRule?
    /// How riders board: 0 regularly, 1 not at all, 2 after a call to the agency, 3 after a sign to
    /// the driver.
    public var pickupType: Int
    /// How riders alight, in the numbers of ``pickupType``.
    public var dropOffType: Int

    /// How much later than scheduled the departure is predicted, negative when it is earlier; `nil` if
    /// nothing is predicted, or if no schedule of the trip is known.
    public var delay: Duration? {
      guard status == .live, let departure, let scheduledDeparture else { return nil }
      return .seconds(departure.timeIntervalSince(scheduledDeparture))
    }
  }

  /// The parts in their order.
  public var legs: [Leg]
  /// The instant at which the journey begins.
  public var departure: Date
  /// The instant at which the journey ends.
  public var arrival: Date

  /// The rides in their order.
  public var rides: [Ride] {
    legs.compactMap { if case .ride(let ride) = $0 { ride } else { nil } }
  }

  /// The number of changes from one vehicle to another.
  public var changes: Int { max(0, rides.count { !$0.isContinuation } - 1) }

  /// The time from the beginning to the end.
  public var duration: Duration { .seconds(arrival.timeIntervalSince(departure)) }

  /// The length of all ways on foot that is known.
  public var walkingDistance: Distance {
    let meters = legs.reduce(0) { sum, leg in
      if case .walk(let walk) = leg { sum + (walk.distance?.meters ?? 0) } else { sum }
    }
    return Distance(validMeters: meters)
  }
}

extension Distance {
  /// Creates a distance from a length that is finite and not negative.
  init(validMeters meters: Double) {
    self.meters = meters
  }
}
