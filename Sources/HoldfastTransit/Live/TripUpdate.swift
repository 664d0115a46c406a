public import Foundation

/// A realtime update of one trip: its delay, predicted times, skipped stops, or that it is canceled.
///
/// - SeeAlso: <https://gtfs.org/documentation/realtime/reference/#message-tripupdate>
public struct TripUpdate: Hashable, Sendable, Identifiable {
  /// The identifier within the feed message.
  public var id: String
  /// The trip.
  public var trip: TripDescriptor
  /// The vehicle that serves the trip.
  public var vehicle: VehicleDescriptor?
  /// The updates of single stops, in the order of the trip.
  public var stopTimeUpdates: [StopTimeUpdate]
  /// The moment at which the vehicle's progress was measured.
  public var timestamp: Date?
  /// The delay of the trip up to the first stop that has an update of its own.
  public var delay: Duration?
  /// The properties that differ from those in the timetable.
  public var properties: TripProperties?

  /// Creates an update.
  ///
  /// - Parameters:
  ///   - id: The identifier within the feed message.
  ///   - trip: The trip.
  ///   - vehicle: The vehicle that serves the trip.
  ///   - stopTimeUpdates: The updates of single stops, in the order of the trip.
  ///   - timestamp: The moment at which the vehicle's progress was measured.
  ///   - delay: The delay of the trip.
  ///   - properties: The properties that differ from those in the timetable.
  public init(
    id: String, trip: TripDescriptor, vehicle: VehicleDescriptor? = nil,
    stopTimeUpdates: [StopTimeUpdate] = [], timestamp: Date? = nil, delay: Duration? = nil,
    properties: TripProperties? = nil
  ) {
    (self.id, self.trip, self.vehicle) = (id, trip, vehicle)
    (self.stopTimeUpdates, self.timestamp) = (stopTimeUpdates, timestamp)
    (self.delay, self.properties) = (delay, properties)
  }

  /// Whether the update says neither times nor that the trip runs in another way.
  var saysNothing: Bool {
    stopTimeUpdates.isEmpty && delay == nil && trip.scheduleRelationship == .scheduled
  }
}
