/// The changed properties of a stop within a trip.
///
/// - SeeAlso: <https://gtfs.org/documentation/realtime/reference/#message-stoptimeproperties>
public struct StopTimeProperties: Hashable, Sendable {
  /// The `stop_id` of the stop that is served instead, such as another platform of the station.
  public var assignedStopID: String?
  /// The text on the vehicle's sign at this stop.
  public var stopHeadsign: String?
  /// How riders board: the numbers of `pickup_type` in `stop_times.txt`.
  public var pickupType: Int?
  /// How riders alight: the numbers of `drop_off_type` in `stop_times.txt`.
  public var dropOffType: Int?

  /// Creates properties.
  ///
  /// - Parameters:
  ///   - assignedStopID: The `stop_id` of the stop that is served instead.
  ///   - stopHeadsign: The text on the vehicle's sign.
  ///   - pickupType: How riders board.
  ///   - dropOffType: How riders alight.
  public init(
    assignedStopID: String? = nil, stopHeadsign: String? = nil, pickupType: Int? = nil,
    dropOffType: Int? = nil
  ) {
    (self.assignedStopID, self.stopHeadsign) = (assignedStopID, stopHeadsign)
    (self.pickupType, self.dropOffType) = (pickupType, dropOffType)
  }
}
