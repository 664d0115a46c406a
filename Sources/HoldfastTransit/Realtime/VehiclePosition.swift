public import Foundation

/// Where a vehicle is, and how full.
///
/// - SeeAlso: <https://gtfs.org/documentation/realtime/reference/#message-vehicleposition>
public struct VehiclePosition: Hashable, Sendable, Identifiable {
  /// One carriage of a vehicle.
  public struct Carriage: Hashable, Sendable {
    /// The label that riders see.
    public var label: String?
    /// How full it is, such as `FEW_SEATS_AVAILABLE`; `nil` if it is unknown.
    public var occupancyStatus: String?
    /// How full it is, in percent; more than 100 if it is overcrowded.
    public var occupancyPercentage: Int?
    /// The place in the direction of travel, from 1 on.
    public var sequence: Int?

    init() {}
  }

  /// The identifier within the feed message.
  public var id: String
  /// The trip that the vehicle serves; `nil` if it serves none.
  public var trip: TripDescriptor?
  /// The vehicle.
  public var vehicle: VehicleDescriptor?
  /// The latitude in degrees of WGS 84; `nil` if the place is unknown, out of range or 0, 0.
  public var latitude: Double?
  /// The longitude in degrees of WGS 84; `nil` if ``latitude`` is.
  public var longitude: Double?
  /// The `stop_sequence` of the stop that ``currentStatus`` is about.
  public var currentStopSequence: Int?
  /// The `stop_id` of that stop.
  public var stopID: String?
  /// `INCOMING_AT`, `STOPPED_AT` or `IN_TRANSIT_TO` the stop, which is also what a message means that
  /// names a stop and no status; a number that has no name here stays one.
  public var currentStatus: String?
  /// The moment at which the position was measured.
  public var timestamp: Date?
  /// How full the vehicle is, such as `FULL`; `nil` if it is unknown.
  public var occupancyStatus: String?
  /// How full the vehicle is, in percent; more than 100 if it is overcrowded.
  public var occupancyPercentage: Int?
  /// The carriages, in the direction of travel.
  public var carriages: [Carriage] = []

  /// Creates a position of which nothing is known.
  ///
  /// - Parameter id: The identifier within the feed message.
  public init(id: String) {
    self.id = id
  }

  /// Returns the position with its stop, if the message names only the number of the stop in the trip.
  ///
  /// - Parameter stopTimes: Returns the stops of the trip, as live data have them.
  /// - Returns: The position; without a stop if none of these has the number.
  func atStop(_ stopTimes: () throws -> [LiveStopTime]?) rethrows -> VehiclePosition {
    guard stopID == nil, let currentStopSequence else { return self }
    var position = self
    position.stopID = try stopTimes()?.first { $0.stopSequence == currentStopSequence }
      .flatMap { $0.stopID.isEmpty ? nil : $0.stopID }
    return position
  }

  static let statuses = [0: "INCOMING_AT", 1: "STOPPED_AT", 2: "IN_TRANSIT_TO"]
}

extension VehiclePosition {
  /// Hashes what tells vehicles apart.
  ///
  /// - Parameter hasher: The hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(id)
    hasher.combine(trip)
    hasher.combine(vehicle)
    hasher.combine(stopID)
    hasher.combine(timestamp)
    hasher.combine(carriages.count)
  }
}
