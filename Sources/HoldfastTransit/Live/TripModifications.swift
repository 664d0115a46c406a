public import Foundation

/// Changes of trips of the timetable on some service days, such as a detour: stops that are not served,
/// stops that are served instead, and how much later the trips are afterwards.
///
/// - SeeAlso: <https://gtfs.org/documentation/realtime/feed-entities/trip-modifications/>
public struct TripModifications: Hashable, Sendable, Identifiable {
  /// Trips that take the same new way.
  public struct SelectedTrips: Hashable, Sendable {
    /// The `trip_id`s of the trips.
    public var tripIDs: [String] = []
    /// The `shape_id` of the new way.
    public var shapeID: String?

    /// Creates a selection without trips.
    public init() {}
  }

  /// A stop of a trip, named by its number, its identifier or both.
  public struct StopSelector: Hashable, Sendable {
    /// The `stop_sequence` in `stop_times.txt`.
    public var stopSequence: Int?
    /// The `stop_id`.
    public var stopID: String?

    /// Creates a selector.
    ///
    /// - Parameters:
    ///   - stopSequence: The `stop_sequence`.
    ///   - stopID: The `stop_id`.
    public init(stopSequence: Int? = nil, stopID: String? = nil) {
      (self.stopSequence, self.stopID) = (stopSequence, stopID)
    }
  }

  /// A stop that is served instead.
  public struct ReplacementStop: Hashable, Sendable {
    /// The `stop_id`, of the timetable or of a stop that only the message has.
    public var stopID: String?
    /// The time from the arrival at the stop before the modification, or at the first stop of the trip if
    /// that is modified; `nil` if it is to be interpolated.
    public var travelTime: Duration?

    /// Creates a stop.
    ///
    /// - Parameters:
    ///   - stopID: The `stop_id`.
    ///   - travelTime: The time from the arrival at the reference stop.
    public init(stopID: String? = nil, travelTime: Duration? = nil) {
      (self.stopID, self.travelTime) = (stopID, travelTime)
    }
  }

  /// A change of one part of the trips.
  public struct Modification: Hashable, Sendable {
    /// The first stop that is not served, or before which others are served.
    public var startStopSelector: StopSelector?
    /// The last stop that is not served; `nil` if all are.
    public var endStopSelector: StopSelector?
    /// How much later the trips are after this part.
    public var propagatedModificationDelay: Duration?
    /// The stops that are served instead, in their order.
    public var replacementStops: [ReplacementStop] = []
    /// The identifier of the ``Alert`` that describes the change for riders.
    public var serviceAlertID: String?
    /// The moment of the last change.
    public var lastModifiedTime: Date?

    /// Creates a modification that changes nothing.
    public init() {}
  }

  /// The identifier within the feed message.
  public var id: String
  /// The trips.
  public var selectedTrips: [SelectedTrips] = []
  /// The starts of the vehicles, if `frequencies.txt` describes the trip.
  public var startTimes: [String] = []
  /// The service days, such as `20260105`, as the message spells them.
  public var serviceDates: [String] = []
  /// The changes, in any order.
  public var modifications: [Modification] = []

  /// Creates modifications of no trip.
  ///
  /// - Parameter id: The identifier within the feed message.
  public init(id: String) {
    self.id = id
  }

  /// The `trip_id`s of all trips.
  var tripIDs: some Sequence<String> { selectedTrips.lazy.flatMap(\.tripIDs) }

  /// The `stop_id`s of all stops that are served instead.
  var replacementStopIDs: some Sequence<String> {
    modifications.lazy.flatMap(\.replacementStops).compactMap(\.stopID)
  }
}
