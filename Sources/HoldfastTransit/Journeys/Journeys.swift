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
/// earliest arrivals with each number of changes that is worth its while. For an instant of arrival
/// they are the latest departures in the same way.
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
    /// What the distance as the crow flies is multiplied by, because ways are not straight; less than 1
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

  /// The largest duration from the instant on, or before it; more than a week counts as that.
  public var maximumDuration: Duration = .seconds(86400)

  /// How riders walk and change.
  public var walking = Walking()

  /// Whether only trips and stops count of which the feed says that wheelchairs can board.
  public var needsWheelchairAccess = false

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
  /// - Returns: The journeys, the earliest departure first; those of one departure by their arrivals.
  ///   None if no journey is within the limits, if a place is not in the feed, or if the places are
  ///   the same.
  /// - Throws: ``TransitError`` with `.schemaOlder` when the database was imported without trips and
  ///   times, `.damaged`, `.unknownTimeZone`; `DatabaseError` when the database cannot be read.
  public func fetchAll(_ db: Database) throws -> [Journey] {
    let network = try JourneyNetwork.of(db)
    guard let question = question(network) else { return [] }
    network.timetable.trim()
    var search = JourneySearch(question, network, taking: &network.timetable, db)
    defer { network.timetable = search.releaseTimetable() }
    var plans: [JourneyPlan] = []
    for origin in try search.origins() {
      let found = try search.run(from: origin)
      // Journeys after the window only show which ones in it are good.
      if origin <= question.window { plans += found.map { search.plan($0) } }
    }
    if question.window > 0, let seconds = question.directSeconds, seconds < question.limit {
      plans.append(search.plan(JourneySearch.Found(ride: -1, label: seconds, origin: 0)))
    }
    plans.sort {
      ($0.departure, $0.arrival, $0.legs.count) < ($1.departure, $1.arrival, $1.legs.count)
    }
    return try plans.map { try journey($0, search, db) }
  }

  // MARK: - The question

  private func question(_ network: JourneyNetwork) -> JourneySearch.Question? {
    let years = -62_135_596_800.0...253_402_300_800.0
    let (date, isForward) =
      switch time {
      case .departing(let date): (date, true)
      case .arriving(let date): (date, false)
      }
    let seconds = date.timeIntervalSince1970
    guard years.contains(seconds) else { return nil }
    let limit = Int(min(maximumDuration, .seconds(7 * 86400)).components.seconds)
    guard limit > 0, maximumChanges >= 0 else { return nil }
    let profile = self.profile
    let ways = network.footpaths(profile)
    let start = accesses(origin, isOrigin: true, profile, ways, network)
    let end = accesses(destination, isOrigin: false, profile, ways, network)
    let ends = Set(end.lazy.filter { $0.seconds == 0 }.map(\.stop))
    let isSame = start.contains { $0.seconds == 0 && ends.contains($0.stop) }
    guard !isSame, origin != destination else { return nil }
    return JourneySearch.Question(
      isForward: isForward,
      instant: Int(isForward ? seconds.rounded(.up) : seconds.rounded(.down)), limit: limit + 1,
      window: Int(max(.zero, min(window, .seconds(86400))).components.seconds),
      rideLimit: min(maximumChanges, 14) + 1, profile: profile, start: isForward ? start : end,
      end: isForward ? end : start, directSeconds: directSeconds(profile, network))
  }

  private var profile: Footpaths.Profile {
    let speed = walking.speed.isFinite ? max(0.1, walking.speed) : 1.3
    let factor = walking.detourFactor.isFinite ? min(max(1, walking.detourFactor), 100) : 1
    return Footpaths.Profile(
      speed: speed, radius: min(walking.radius.meters, Footpaths.greatestRadius),
      detourFactor: factor,
      changeSeconds: Int(
        max(.zero, min(walking.changeDuration, .seconds(3600))).components.seconds),
      needsAccess: needsWheelchairAccess)
  }

  /// Returns the stops that a place is or that riders walk to from it, or from which they walk to it.
  private func accesses(
    _ place: Place, isOrigin: Bool, _ profile: Footpaths.Profile, _ ways: Footpaths,
    _ network: JourneyNetwork
  ) -> [JourneySearch.Access] {
    var seconds: [Int: Int] = [:]
    func add(_ stop: Int, _ own: Int) { seconds[stop] = min(seconds[stop] ?? .max, own) }
    switch place {
    case .position(let position):
      for (stop, meters) in ways.grid.neighbors(of: position, except: -1) {
        add(stop, profile.seconds(meters: meters))
      }
    case .stop(let sid):
      guard let stop = network.stops.index(of: sid) else { return [] }
      var counts: [Position: Int] = [:]
      for part in network.stops.parts(of: stop) {
        guard let position = network.stops.positions[part] else { continue }
        counts[position, default: 0] += 1
        // Two parts at one place, each of which leaves itself out, have the neighbors of all there.
        guard counts[position, default: 0] <= 2 else { continue }
        for (other, meters) in ways.grid.neighbors(of: position, except: part) {
          add(other, profile.seconds(meters: meters))
        }
      }
      for part in network.stops.parts(of: stop) where network.isServed[part] { add(part, 0) }
    }
    return seconds.filter { !profile.needsAccess || network.stops.isAccessible[$0.key] }
      .sorted { $0.key < $1.key }.map { JourneySearch.Access(stop: $0.key, seconds: $0.value) }
  }

  /// Returns the seconds from the origin to the destination on foot; `nil` if that is too far.
  private func directSeconds(_ profile: Footpaths.Profile, _ network: JourneyNetwork) -> Int? {
    let starts = Set(positions(origin, network))
    let ends = Set(positions(destination, network))
    let nearest = Position.leastDistance(between: starts, and: ends)
    return nearest <= profile.radius ? profile.seconds(meters: nearest) : nil
  }

  private func positions(_ place: Place, _ network: JourneyNetwork) -> [Position] {
    switch place {
    case .position(let position): return [position]
    case .stop(let sid):
      guard let stop = network.stops.index(of: sid) else { return [] }
      let parts = network.stops.parts(of: stop).filter { network.isServed[$0] }
      return (parts.isEmpty ? [stop] : parts).compactMap { network.stops.positions[$0] }
    }
  }
}
