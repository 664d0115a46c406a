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
    other.find(from: 0..<network.stops.count, network)
    ways = other.ways.reversed(by: { $0.target }) { Way(target: $1, seconds: $0.seconds) }
    ruledWays = other.ruledWays.reversed(by: { $0.target }) {
      RuledWay(target: $1, usual: $0.usual, isNear: $0.isNear)
    }
  }

  /// Computes the ways from stops, unless they are known.
  ///
  /// - Parameters:
  ///   - stops: The indices of the stops.
  ///   - network: The network of the stops.
  func find(from stops: some Sequence<Int>, _ network: JourneyNetwork) {
    let missing = stops.filter { !ways.isKnown($0) }
    // A thread costs more than the ways from some stops; and walks in stations are kept when they are
    // found, which is for one thread.
    guard missing.count > Self.share, walks == nil else {
      guard !missing.isEmpty else { return }
      return take(StopWays(from: missing[...], profile, grid, walks, network), of: missing[...])
    }
    let parts = stride(from: 0, to: missing.count, by: Self.share).map {
      missing[$0..<min($0 + Self.share, missing.count)]
    }
    var next = 0
    // Each is taken when it is ready, so that few are in memory twice.
    ConcurrentMap(parts.count) { [profile, grid] part in
      StopWays(from: parts[part], profile, grid, nil, network)
    }.forEach { ways in
      take(ways, of: parts[next])
      next += 1
    }
  }

  /// The number of stops whose ways are computed at once.
  private static let share = 512

  private func take(_ part: StopWays, of stops: ArraySlice<Int>) {
    ways.append(part.ways, of: stops)
    ruledWays.append(part.ruledWays, of: stops)
  }
}
