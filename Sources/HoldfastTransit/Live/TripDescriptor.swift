/// The trip that an update is about, as the feed message names it.
///
/// - SeeAlso: <https://gtfs.org/documentation/realtime/reference/#message-tripdescriptor>
public struct TripDescriptor: Hashable, Sendable {
  /// The relation between a trip and the timetable; later specifications may add others.
  public struct ScheduleRelationship: RawRepresentable, Hashable, Sendable,
    CustomStringConvertible
  {
    /// The number in a feed message.
    public let rawValue: Int

    /// Creates a relation from its number in a feed message, known or not.
    ///
    /// - Parameter rawValue: The number.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The trip runs as in the timetable, apart from its times.
    public static let scheduled = Self(rawValue: 0)
    /// The trip runs in addition to the timetable's trips; replaced by ``duplicated`` and ``new``.
    public static let added = Self(rawValue: 1)
    /// The trip runs by headway, without times in the timetable.
    public static let unscheduled = Self(rawValue: 2)
    /// The trip of the timetable does not run.
    public static let canceled = Self(rawValue: 3)
    /// The stops and times of the update replace the ones in the timetable.
    public static let replacement = Self(rawValue: 5)
    /// The trip is a copy of one of the timetable, with another start.
    public static let duplicated = Self(rawValue: 6)
    /// The trip of the timetable does not run, and riders are not to see that it was planned.
    public static let deleted = Self(rawValue: 7)
    /// The trip has nothing to do with any of the timetable.
    public static let new = Self(rawValue: 8)

    /// The name in the specification; the number if it has none.
    public var description: String {
      switch self {
      case .scheduled: "SCHEDULED"
      case .added: "ADDED"
      case .unscheduled: "UNSCHEDULED"
      case .canceled: "CANCELED"
      case .replacement: "REPLACEMENT"
      case .duplicated: "DUPLICATED"
      case .deleted: "DELETED"
      case .new: "NEW"
      default: "\(rawValue)"
      }
    }
  }

  /// The `trip_id` in `trips.txt`; for a duplicate, the `trip_id` of the copied trip.
  public var tripID: String?
  /// The `route_id` of the trip.
  public var routeID: String?
  /// The `direction_id` of the trip.
  public var directionID: Int?
  /// The start in the timetable, such as `25:15:35`, as the message spells it.
  public var startTime: String?
  /// The service day, such as `20260105`, as the message spells it.
  public var startDate: String?
  /// The relation to the timetable.
  public var scheduleRelationship: ScheduleRelationship
  /// The trip that trip modifications change, if the update is about its stops after the changes.
  public var modifiedTrip: ModifiedTripSelector?

  /// Creates a descriptor.
  ///
  /// - Parameters:
  ///   - tripID: The `trip_id`.
  ///   - routeID: The `route_id`.
  ///   - directionID: The `direction_id`.
  ///   - startTime: The start in the timetable, in GTFS's format.
  ///   - startDate: The service day, in GTFS's format.
  ///   - scheduleRelationship: The relation to the timetable.
  public init(
    tripID: String? = nil, routeID: String? = nil, directionID: Int? = nil,
    startTime: String? = nil, startDate: String? = nil,
    scheduleRelationship: ScheduleRelationship = .scheduled
  ) {
    (self.tripID, self.routeID, self.directionID) = (tripID, routeID, directionID)
    (self.startTime, self.startDate) = (startTime, startDate)
    self.scheduleRelationship = scheduleRelationship
  }
}
