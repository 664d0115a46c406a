import Holdfast

/// The vehicles of trips that a message was asked for before.
///
/// A board asks for each of its calls, of which one trip may have as many as a feed has stops.
// Sendable because only the thread that holds the connection uses what is cached with it.
final class VehicleCache: @unchecked Sendable {
  /// A trip of a day.
  struct Key: Hashable {
    let tid: Int64?
    let tripID: ExactText
    let day: ServiceDay
    let start: Int?
  }

  private var message: TripUpdates.Identity?
  private var vehicles = RecentValues<Key, VehiclePosition?>(limit: 5_000)

  /// Returns the position of a vehicle that was found before, or else finds it.
  ///
  /// - Parameters:
  ///   - key: The trip.
  ///   - message: The message; the vehicles of another one are forgotten.
  ///   - find: Finds the vehicle.
  /// - Returns: The position; `nil` if the message has none.
  /// - Throws: The errors of the closure.
  func vehicle(
    _ key: Key, of message: TripUpdates.Identity, _ find: () throws -> VehiclePosition?
  ) rethrows -> VehiclePosition? {
    if self.message !== message {
      self.message = message
      vehicles = RecentValues(limit: 5_000)
    }
    if let known = vehicles.value(key) { return known }
    let vehicle = try find()
    vehicles.insert(vehicle, for: key)
    return vehicle
  }
}
