/// The vehicle that serves a trip.
///
/// - SeeAlso: <https://gtfs.org/documentation/realtime/reference/#message-vehicledescriptor>
public struct VehicleDescriptor: Hashable, Sendable {
  /// The operator's own identifier, which riders do not see.
  public var id: String?
  /// The text by which riders recognize the vehicle.
  public var label: String?
  /// The license plate.
  public var licensePlate: String?
  /// Whether a wheelchair can board: 0 or `nil` as in the timetable, 1 unknown, 2 possible, 3 not
  /// possible.
  public var wheelchairAccessible: Int?

  /// Creates a descriptor.
  ///
  /// - Parameters:
  ///   - id: The operator's own identifier.
  ///   - label: The text by which riders recognize the vehicle.
  ///   - licensePlate: The license plate.
  ///   - wheelchairAccessible: Whether a wheelchair can board.
  public init(
    id: String? = nil, label: String? = nil, licensePlate: String? = nil,
    wheelchairAccessible: Int? = nil
  ) {
    (self.id, self.label, self.licensePlate) = (id, label, licensePlate)
    self.wheelchairAccessible = wheelchairAccessible
  }
}
