/// A realtime update of one stop within a trip.
///
/// - SeeAlso: <https://gtfs.org/documentation/realtime/reference/#message-stoptimeupdate>
public struct StopTimeUpdate: Hashable, Sendable {
  /// The relation between a stop and the timetable; later specifications may add others.
  public struct ScheduleRelationship: RawRepresentable, Hashable, Sendable,
    CustomStringConvertible
  {
    /// The number in a feed message.
    public let rawValue: Int

    /// Creates a relation from its number in a feed message, known or not.
    ///
    /// - Parameter rawValue: The number.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The vehicle stops as in the timetable, at the predicted times.
    public static let scheduled = Self(rawValue: 0)
    /// The vehicle does not stop.
    public static let skipped = Self(rawValue: 1)
    /// Nothing is predicted for this stop and those after it.
    public static let noData = Self(rawValue: 2)
    /// The vehicle runs by headway, without times in the timetable.
    public static let unscheduled = Self(rawValue: 3)

    /// The name in the specification; the number if it has none.
    public var description: String {
      switch self {
      case .scheduled: "SCHEDULED"
      case .skipped: "SKIPPED"
      case .noData: "NO_DATA"
      case .unscheduled: "UNSCHEDULED"
      default: "\(rawValue)"
      }
    }
  }

  /// The `stop_sequence` in `stop_times.txt`.
  public var stopSequence: Int?
  /// The `stop_id` of the stop.
  public var stopID: String?
  /// The predicted arrival.
  public var arrival: StopTimeEvent?
  /// The predicted departure.
  public var departure: StopTimeEvent?
  /// The relation to the timetable.
  public var scheduleRelationship: ScheduleRelationship
  /// The properties that differ from those in the timetable.
  public var properties: StopTimeProperties?
  /// How full the vehicle is expected to be after its departure, such as `FEW_SEATS_AVAILABLE`; `nil` if it is
  /// unknown.
  public var departureOccupancyStatus: String? {
    departureOccupancy.flatMap(OccupancyStatus.name)
  }

  /// Its number in the message: a message may have a million updates of stops.
  var departureOccupancy: Int32?

  /// Creates an update of a stop, which the sequence, the identifier or both name.
  ///
  /// - Parameters:
  ///   - stopSequence: The `stop_sequence`.
  ///   - stopID: The `stop_id`.
  ///   - arrival: The predicted arrival.
  ///   - departure: The predicted departure.
  ///   - scheduleRelationship: The relation to the timetable.
  ///   - properties: The properties that differ from those in the timetable.
  public init(
    stopSequence: Int? = nil, stopID: String? = nil, arrival: StopTimeEvent? = nil,
    departure: StopTimeEvent? = nil, scheduleRelationship: ScheduleRelationship = .scheduled,
    properties: StopTimeProperties? = nil
  ) {
    (self.stopSequence, self.stopID) = (stopSequence, stopID)
    (self.arrival, self.departure) = (arrival, departure)
    (self.scheduleRelationship, self.properties) = (scheduleRelationship, properties)
  }
}
