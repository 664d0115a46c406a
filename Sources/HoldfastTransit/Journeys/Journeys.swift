public import Foundation
public import Holdfast

/// A query for the best journeys from one place to another.
///
/// ```swift
/// let home = try Position(latitude: -33.8611, longitude: 151.2126)
/// let journeys = try Journeys(from: .position(home), to: .stop(stop.sid), .departing(.now))
///   .fetchAll(db)
/// ```
///
/// A journey is an answer if no other one arrives earlier with as few changes: the answers are the
/// earliest arrivals with each number of changes that is worth its while, each with its latest departure.
/// For an instant of arrival they are the latest departures in the same way, each with its earliest
/// arrival.
///
/// Between two rides is at most one walk. The connection keeps the network of stops and routes in
/// memory until the database changes.
public struct Journeys: Hashable, Sendable {
  /// A place where a journey begins or ends.
  public enum Place: Hashable, Sendable {
    /// A stop, or a station with all its platforms, by its number in the database.
    case stop(Int64)
    /// A position, from which or to which riders walk.
    case position(Position)
  }

  /// When a journey takes place.
  public enum Time: Hashable, Sendable {
    /// The journey begins at an instant or after it, and arrives as early as possible.
    case departing(Date)
    /// The journey ends at an instant or before it, and departs as late as possible.
    case arriving(Date)
  }

  /// How riders walk, and how long they need for a change.
  public struct Walking: Hashable, Sendable {
    /// The largest distance of a walk as the crow flies; more than 2,000 meters count as that.
    public var radius: Distance
    /// Meters per second; less than a tenth counts as that.
    public var speed: Double
    /// The factor of the distance as the crow flies, because ways are not straight; less than 1
    /// counts as 1.
    public var detourFactor: Double
    /// The time that a change takes in addition to the walk, except where the feed says how long a
    /// change takes; at most an hour.
    public var changeDuration: Duration

    /// Creates a description of walking.
    ///
    /// - Parameters:
    ///   - radius: The largest distance of a walk as the crow flies; 500 meters, if `nil`.
    ///   - speed: Meters per second; 1.3 is the usual pace of adults.
    ///   - detourFactor: What the distance as the crow flies is multiplied by.
    ///   - changeDuration: The time that a change takes in addition to the walk.
    public init(
      radius: Distance? = nil, speed: Double = 1.3, detourFactor: Double = 1.3,
      changeDuration: Duration = .seconds(60)
    ) {
      self.radius = radius ?? Distance(validMeters: 500)
      (self.speed, self.detourFactor) = (speed, detourFactor)
      self.changeDuration = changeDuration
    }
  }

  /// Where the journey begins.
  public var origin: Place
  /// Where the journey ends.
  public var destination: Place
  /// When the journey takes place.
  public var time: Time

  /// The time from the instant of departure on, or before the instant of arrival, in which all
  /// departures or arrivals count; zero for the best journeys at the instant.
  ///
  /// With a window the answers are all journeys of which none departs later, arrives earlier and has
  /// as few changes as another one. More than 24 hours count as that.
  public var window: Duration = .zero

  /// The largest number of changes; at most 14.
  public var maximumChanges = 6

  /// The largest duration from the departure to the arrival; more than a week counts as that.
  ///
  /// So a ride of more than a week is in no journey; ``Departures`` and ``Arrivals`` have such trips too.
  ///
  /// Waiting for the departure does not count. Journeys that end more than a day after the instant are
  /// answers only if no journey takes less than half of that time, and riders wait for a week at most.
  public var maximumDuration: Duration = .seconds(7 * 86400)

  /// How riders walk and change.
  public var walking = Walking()

  /// Whether only trips and stops count of which the feed says that wheelchairs can board.
  public var needsWheelchairAccess = false

  /// The live data that predict times, cancel trips, change them and add others; `nil` for the timetable
  /// alone.
  public var updates: TripUpdates?

  /// Whether rides list the calls between boarding and alighting.
  public var includesIntermediateCalls = false

  /// Prepares a query.
  ///
  /// - Parameters:
  ///   - origin: Where the journey begins.
  ///   - destination: Where the journey ends.
  ///   - time: When the journey takes place.
  public init(from origin: Place, to destination: Place, _ time: Time) {
    (self.origin, self.destination, self.time) = (origin, destination, time)
  }

  /// Returns the best journeys.
  ///
  /// - Parameter db: The connection of the current access, to a timetable database.
  /// - Returns: The journeys, the earliest departure first, and of equal departures the earliest arrival.
  ///   None if no journey is within the limits, if a place is not in the feed, or if the places are
  ///   the same.
  /// - Throws: ``TransitError`` with `.schemaOlder` when the database was imported without trips and
  ///   times, `.damaged`, `.unknownTimeZone`; `DatabaseError` when the database cannot be read.
  public func fetchAll(_ db: Database) throws -> [Journey] {
    try db.deferringTemporaryObjects { try answers(db) }
  }

  private func answers(_ db: Database) throws -> [Journey] {
    guard let network = try network(db), let question = question(network) else { return [] }
    network.timetable.trim(isLive: network.live != nil)
    return try (window > .zero ? answersInWindow : answersAtInstant)(question, network, db)
      .sorted {
        ($0.plan.departure, $0.plan.arrival, $0.plan.legs.count)
          < ($1.plan.departure, $1.plan.arrival, $1.plan.legs.count)
      }.map(\.journey)
  }

  /// Returns the network, with the live data if there are any; `nil` for an instant outside of the years
  /// 1 to 9999.
  func network(_ db: Database) throws -> JourneyNetwork? {
    let network = try JourneyNetwork.of(db)
    guard ServiceDay.years.contains(instant.date.timeIntervalSince1970) else { return nil }
    guard let updates else { return network }
    let seconds = Int(instant.date.timeIntervalSince1970.rounded(.down))
    return try network.applying(updates, at: seconds, db)
  }

  private var instant: (date: Date, isForward: Bool) {
    switch time {
    case .departing(let date): (date, true)
    case .arriving(let date): (date, false)
    }
  }

  private func question(_ network: JourneyNetwork) -> JourneySearch.Question? {
    let (date, isForward) = instant
    let seconds = date.timeIntervalSince1970
    guard maximumSeconds > 0, maximumChanges >= 0, origin != destination else { return nil }
    let profile = self.profile
    let places = JourneyPlaces(network.footpaths(profile), network)
    let start = places.accesses(origin, isOrigin: true)
    let end = places.accesses(destination, isOrigin: false)
    guard !places.areSame((origin, start), (destination, end)) else { return nil }
    return JourneySearch.Question(
      isForward: isForward,
      instant: Int(isForward ? seconds.rounded(.up) : seconds.rounded(.down)),
      limit: maximumSeconds + 1,
      window: Int(max(.zero, min(window, .seconds(86400))).components.seconds),
      rideLimit: min(maximumChanges, 14) + 1, profile: profile, start: isForward ? start : end,
      end: isForward ? end : start, directSeconds: places.directSeconds(origin, destination))
  }

  var profile: Footpaths.Profile {
    let speed = walking.speed.isFinite ? max(0.1, walking.speed) : 1.3
    let factor = walking.detourFactor.isFinite ? min(max(1, walking.detourFactor), 100) : 1
    return Footpaths.Profile(
      speed: speed, radius: min(walking.radius.meters, Footpaths.greatestRadius),
      detourFactor: factor,
      changeSeconds: Int(
        max(.zero, min(walking.changeDuration, .seconds(3600))).components.seconds),
      needsAccess: needsWheelchairAccess)
  }
}
