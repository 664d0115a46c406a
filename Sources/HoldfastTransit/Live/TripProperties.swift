/// The changed properties of a trip, or the properties of a trip that is not in the timetable.
///
/// - SeeAlso: <https://gtfs.org/documentation/realtime/reference/#message-tripproperties>
public struct TripProperties: Hashable, Sendable {
  /// The `trip_id` of a duplicate, which no trip of the timetable has.
  public var tripID: String?
  /// The service day of a duplicate, as the message spells it.
  public var startDate: String?
  /// The start of a duplicate, as the message spells it.
  public var startTime: String?
  /// The `shape_id` of the way that the vehicle takes.
  public var shapeID: String?
  /// The text on the vehicle's sign.
  public var tripHeadsign: String?
  /// The name by which riders know the trip, such as a train's number.
  public var tripShortName: String?

  /// Creates properties.
  ///
  /// - Parameters:
  ///   - tripID: The `trip_id` of a duplicate.
  ///   - startDate: The service day of a duplicate, in GTFS's format.
  ///   - startTime: The start of a duplicate, in GTFS's format.
  ///   - shapeID: The `shape_id` of the way.
  ///   - tripHeadsign: The text on the vehicle's sign.
  ///   - tripShortName: The name by which riders know the trip.
  public init(
    tripID: String? = nil, startDate: String? = nil, startTime: String? = nil,
    shapeID: String? = nil, tripHeadsign: String? = nil, tripShortName: String? = nil
  ) {
    (self.tripID, self.startDate, self.startTime) = (tripID, startDate, startTime)
    (self.shapeID, self.tripHeadsign) = (shapeID, tripHeadsign)
    self.tripShortName = tripShortName
  }
}
