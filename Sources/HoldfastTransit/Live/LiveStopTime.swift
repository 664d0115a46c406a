/// A stop within a trip, with its scheduled and its predicted times.
public struct LiveStopTime: Hashable, Sendable {
  /// The real-time status of a stop within a trip.
  public enum Status: Hashable, Sendable {
    /// Nothing is predicted. The scheduled times apply, but it is unknown whether the trip is on
    /// time.
    case scheduled
    /// At least one of the times is predicted.
    case live
    /// The vehicle runs, but does not stop here.
    case skipped
    /// The trip does not run.
    case canceled
  }

  /// The `stop_sequence`; `nil` if an update of a trip that is not in the timetable has none.
  public var stopSequence: Int?
  /// The `stop_id` of the stop that is served, which may be another platform than the scheduled one.
  public var stopID: String
  /// Whether the times are scheduled or predicted, or the vehicle does not stop.
  public var status: Status
  /// The arrival: its scheduled time, and its predicted time and delay if it is live.
  public var arrival: StopTimeEvent
  /// The departure: its scheduled time, and its predicted time and delay if it is live.
  public var departure: StopTimeEvent
  /// The properties that differ from those in the timetable.
  public var properties: StopTimeProperties?

  init(_ stopTime: ScheduledStopTime, _ status: Status = .scheduled) {
    (stopSequence, stopID) = (stopTime.stopSequence, stopTime.stopID)
    self.status = status
    arrival = StopTimeEvent(scheduledTime: stopTime.arrival)
    departure = StopTimeEvent(scheduledTime: stopTime.departure)
  }

  /// Creates a stop of a trip that is not in the timetable; `nil` when the update names none.
  init?(_ update: StopTimeUpdate) {
    guard let stopID = update.properties?.assignedStopID ?? update.stopID else { return nil }
    (stopSequence, self.stopID) = (update.stopSequence, stopID)
    status = .scheduled
    arrival = StopTimeEvent(scheduledTime: update.arrival?.scheduledTime)
    departure = StopTimeEvent(scheduledTime: update.departure?.scheduledTime)
    properties = update.properties
  }

  /// Takes the properties of an update, and the stop that it names.
  mutating func take(propertiesOf update: StopTimeUpdate) {
    properties = update.properties
    stopID = update.properties?.assignedStopID ?? update.stopID ?? stopID
  }
}
