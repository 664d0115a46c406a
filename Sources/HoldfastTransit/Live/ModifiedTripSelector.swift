/// The trip of a timetable that trip modifications change, as an update of it names it.
///
/// - SeeAlso: <https://gtfs.org/documentation/realtime/reference/#message-modifiedtripselector>
public struct ModifiedTripSelector: Hashable, Sendable {
  /// The identifier of the entity with the trip modifications.
  public var modificationsID: String?
  /// The `trip_id` of the trip that is changed.
  public var affectedTripID: String?
  /// The start in the timetable of a trip that `frequencies.txt` describes.
  public var startTime: String?
  /// The service day.
  public var startDate: String?

  /// Creates a selector.
  ///
  /// - Parameters:
  ///   - modificationsID: The identifier of the entity with the trip modifications.
  ///   - affectedTripID: The `trip_id` of the trip that is changed.
  ///   - startTime: The start in the timetable, in GTFS's format.
  ///   - startDate: The service day, in GTFS's format.
  public init(
    modificationsID: String? = nil, affectedTripID: String? = nil, startTime: String? = nil,
    startDate: String? = nil
  ) {
    (self.modificationsID, self.affectedTripID) = (modificationsID, affectedTripID)
    (self.startTime, self.startDate) = (startTime, startDate)
  }
}
