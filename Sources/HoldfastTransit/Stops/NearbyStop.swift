/// A stop, and how far it is away.
public struct NearbyStop: Hashable, Sendable, Identifiable {
  /// The stop.
  public var stop: Stop

  /// The distance from the position of the query, as the crow flies.
  public var distance: Distance

  /// The stop's number in the database.
  public var id: Int64 { stop.sid }
}
