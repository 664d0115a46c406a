import Foundation

/// The ways that riders take from one vehicle to the next: from stops where they alight to stops
/// where they board.
///
/// The ways from a stop are computed when a search first needs them.
final class Footpaths {
  /// How riders walk and change.
  struct Profile: Hashable {
    /// Meters per second.
    var speed: Double
    /// The largest distance as the crow flies, in meters.
    var radius: Double
    /// The factor by which distances as the crow flies are multiplied.
    var detourFactor: Double
    /// The seconds that each change takes, except where the feed says how long it takes.
    var changeSeconds: Int
    /// Whether only stops and ways for wheelchairs count.
    var needsAccess: Bool

    /// Returns the seconds for a distance as the crow flies.
    func seconds(meters: Double) -> Int {
      Int((meters * detourFactor / speed).rounded(.up))
    }
  }

  /// The largest number of computed ways from one stop, so that the memory is bounded.
  static let mostNeighbors = 100
  /// The largest number of platforms to which pathways lead from one stop; no station has as many.
  static let mostPlatforms = 1000
  /// The largest radius in meters.
  static let greatestRadius = 2000.0
  /// The largest number of seconds of a way, so that sums stay small.
  static let mostSeconds = 1 << 20

  /// A way to a stop.
  struct Way {
    let target: Int32
    let seconds: Int32
  }

  /// A way to a stop of which rules name routes or trips.
  struct RuledWay {
    let target: Int32
    /// The seconds of the walk and the change, where no rule says anything else.
    let usual: Int32
    /// Whether there is a way where no rule applies.
    let isNear: Bool

    /// Returns the seconds that a change takes; `nil` if it is impossible.
    func seconds(_ choice: TransferRule.Choice) -> Int? {
      switch choice.way {
      case .impossible: nil
      case .timed: 0
      case .seconds(let own): min(Int(own), Footpaths.mostSeconds)
      case .walk: choice.priority >= 0 || isNear ? Int(usual) : nil
      }
    }
  }

  let profile: Profile
  /// The ways from each stop.
  private(set) var ways: StopLists<Way>
  private(set) var ruledWays: StopLists<RuledWay>
  let grid: StopGrid
  /// The walks where entrances or pathways decide; `nil` if all stops are reached directly.
  let walks: StationWalks?
  /// The stops around the last one that was asked for, whose memory is used again.
  private var near: [(end: Int32, seconds: Int)] = []
  private var found: [(stop: Int, meters: Double)] = []

  /// Prepares the ways of a network.
  ///
  /// - A change at a stop takes the time of a change.
  /// - Between stops in the radius it takes the walk in addition.
  /// - Pathways of a station replace the walk between its platforms, and lead to its entrances.
  /// - Rules of `transfers.txt` replace everything.
  init(_ profile: Profile, _ network: JourneyNetwork) {
    self.profile = profile
    grid = StopGrid(network.servedStops, network.stops, radius: profile.radius)
    walks = network.access.isPlain ? nil : StationWalks(profile, network)
    ways = StopLists(network.stops.count)
    ruledWays = StopLists(network.stops.count)
  }

  /// The ways of others from their ends.
  ///
  /// - Parameters:
  ///   - other: The others, which are computed for all stops.
  ///   - network: The network of the others.
  init(reversing other: Footpaths, _ network: JourneyNetwork) {
    (profile, grid, walks) = (other.profile, other.grid, other.walks)
    for stop in 0..<network.stops.count { other.find(from: stop, network) }
    ways = other.ways.reversed(by: { $0.target }) { Way(target: $1, seconds: $0.seconds) }
    ruledWays = other.ruledWays.reversed(by: { $0.target }) {
      RuledWay(target: $1, usual: $0.usual, isNear: $0.isNear)
    }
  }

  /// Computes the ways from a stop, unless they are known.
  func find(from stop: Int, _ network: JourneyNetwork) {
    guard !ways.isKnown(stop) else { return }
    ways.begin(stop)
    ruledWays.begin(stop)
    if network.isServed[stop], !profile.needsAccess || network.stops.isAccessible[stop] {
      append(from: stop, network)
    }
  }

  private func append(from stop: Int, _ network: JourneyNetwork) {
    let stops = network.stops
    find(around: stop, stops)
    guard let targets = network.transfers.targets[Int32(stop)] else {
      // Nothing but the time of the walk and of the change.
      let change = profile.changeSeconds
      for place in near {
        ways.append(
          Way(target: place.end, seconds: Self.seconds(place.seconds + change)), of: stop)
      }
      ways.append(Way(target: Int32(stop), seconds: Self.seconds(change)), of: stop)
      return
    }
    let transfers = network.transfers
    append(from: stop, to: stop, Int(profile.changeSeconds), transfers)
    let known = Set(near.map(\.end))
    for end in targets
    where end != stop && !known.contains(end)
      && !(profile.needsAccess && !stops.isAccessible[Int(end)])
    {
      // Without a position, riders are where the feed says that they change.
      let meters = stops.meters(from: stop, to: Int(end))
      append(
        from: stop, to: Int(end), profile.seconds(meters: meters ?? 0) + profile.changeSeconds,
        transfers, isNear: walks == nil && meters.map { $0 <= profile.radius } ?? false)
    }
    for (end, seconds) in near {
      append(from: stop, to: Int(end), seconds + profile.changeSeconds, transfers)
    }
  }

  private static func seconds(_ seconds: Int) -> Int32 { Int32(min(seconds, mostSeconds)) }

  /// Finds the stops that riders can use and to which they walk from a stop, with the seconds that it
  /// takes.
  private func find(around stop: Int, _ stops: JourneyStops) {
    near.removeAll(keepingCapacity: true)
    if let walks {
      near += walks.walks(from: stop, isForward: true).values.map { ($0.stop, $0.seconds) }
        .sorted { $0.end < $1.end }
    } else if let position = stops.positions[stop] {
      grid.find(around: position, except: stop, &found)
      for place in found { near.append((Int32(place.stop), profile.seconds(meters: place.meters))) }
    }
    if profile.needsAccess { near.removeAll { !stops.isAccessible[Int($0.end)] } }
  }

  private func append(
    from stop: Int, to end: Int, _ usual: Int, _ transfers: JourneyTransfers, isNear: Bool = true
  ) {
    let pair = JourneyTransfers.Pair(from: Int32(stop), to: Int32(end))
    let way = RuledWay(
      target: Int32(end), usual: Self.seconds(usual), isNear: isNear)
    if transfers.hasVehicles, !transfers.vehicleRules(at: pair).isEmpty {
      ruledWays.append(way, of: stop)
    } else if let seconds = way.seconds(transfers.choice(at: pair)) {
      ways.append(Way(target: Int32(end), seconds: Int32(seconds)), of: stop)
    }
  }
}
