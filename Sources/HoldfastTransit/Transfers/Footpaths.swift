import Foundation

/// The ways that riders take from one vehicle to the next: from nodes where they alight to nodes
/// where they board.
struct Footpaths {
  /// How riders walk and change.
  struct Profile: Hashable {
    /// Meters per second.
    var speed: Double
    /// The largest distance as the crow flies, in meters.
    var radius: Double
    /// What distances as the crow flies are multiplied by.
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
  /// The largest radius in meters.
  static let greatestRadius = 2000.0
  /// The largest number of seconds of a way, so that sums stay small.
  private static let mostSeconds = 1 << 20

  /// A way to a node.
  struct Way {
    let target: Int32
    let seconds: Int32
  }

  /// The index of the first way from each node, and the number of all ways.
  private(set) var starts: [Int32] = [0]
  private(set) var ways: [Way] = []
  let grid: StopGrid

  private init(_ grid: StopGrid) {
    self.grid = grid
  }

  /// Returns the seconds between two nodes; `nil` if there is no way.
  func seconds(from: Int, to: Int) -> Int? {
    ways[Int(starts[from])..<Int(starts[from + 1])].lazy.filter { Int($0.target) == to }
      .map { Int($0.seconds) }.min()
  }

  /// The same ways from their ends.
  ///
  /// - Parameter count: The number of nodes at which the ways end.
  /// - Returns: The ways.
  func reversed(_ count: Int) -> Footpaths {
    var reversed = Footpaths(grid)
    var next = [Int32](repeating: 0, count: count + 1)
    for way in ways { next[Int(way.target) + 1] += 1 }
    for node in 0..<count { next[node + 1] += next[node] }
    reversed.starts = next
    reversed.ways = [Way](repeating: Way(target: 0, seconds: 0), count: ways.count)
    for node in 0..<starts.count - 1 {
      for way in ways[Int(starts[node])..<Int(starts[node + 1])] {
        reversed.ways[Int(next[Int(way.target)])] = Way(
          target: Int32(node), seconds: way.seconds)
        next[Int(way.target)] += 1
      }
    }
    return reversed
  }

  /// Computes the ways of a network.
  ///
  /// - A change at a stop takes the time of a change.
  /// - Between stops in the radius it takes the walk in addition.
  /// - Pathways of a station replace the walk between its platforms.
  /// - Rules of `transfers.txt` replace everything.
  init(_ profile: Profile, _ network: JourneyNetwork) {
    let (stops, transfers) = (network.stops, network.transfers)
    grid = StopGrid(network.servedStops, stops, radius: profile.radius)
    var pathways: [Int32: [Int32: Double]] = [:]
    for start in transfers.pathways.starts where network.isServed[Int(start)] {
      pathways[start] = transfers.pathways.seconds(from: start, profile, stops)
    }
    let others = transfers.alightingNodes.others.map(\.stop)
    let nodeCount = transfers.alightingNodes.count
    starts.reserveCapacity(nodeCount + 1)
    for node in 0..<nodeCount {
      let stop = node < stops.count ? node : Int(others[node - stops.count])
      if network.isServed[stop], !profile.needsAccess || stops.isAccessible[stop] {
        append(from: Int32(node), at: stop, profile, network, pathways[Int32(stop)])
      }
      starts.append(Int32(ways.count))
    }
  }

  private mutating func append(
    from node: Int32, at stop: Int, _ profile: Profile, _ network: JourneyNetwork,
    _ pathways: [Int32: Double]?
  ) {
    let (stops, transfers) = (network.stops, network.transfers)
    append(from: node, to: stop, at: stop, Int(profile.changeSeconds), transfers)
    var done: Set<Int32> = []
    for (end, seconds) in (pathways ?? [:]).sorted(by: { $0.key < $1.key })
    where network.isServed[Int(end)] && !(profile.needsAccess && !stops.isAccessible[Int(end)]) {
      done.insert(end)
      let walk = Int(min(seconds.rounded(.up), Double(Self.mostSeconds)))
      append(from: node, to: Int(end), at: stop, walk + profile.changeSeconds, transfers)
    }
    for end in transfers.targets[Int32(stop)] ?? []
    where end != stop && !done.contains(end)
      && !(profile.needsAccess && !stops.isAccessible[Int(end)])
    {
      done.insert(end)
      // Without a position, riders are where the feed says that they change.
      let meters = stops.meters(from: stop, to: Int(end))
      append(
        from: node, to: Int(end), at: stop,
        profile.seconds(meters: meters ?? 0) + profile.changeSeconds, transfers,
        isNear: meters.map { $0 <= profile.radius } ?? false)
    }
    for (end, meters) in grid.neighbors(of: stop, stops)
    where !done.contains(Int32(end)) && !(profile.needsAccess && !stops.isAccessible[end]) {
      let walk = profile.seconds(meters: meters)
      append(from: node, to: end, at: stop, walk + profile.changeSeconds, transfers)
    }
  }

  /// Appends the ways to all nodes of a stop.
  private mutating func append(
    from node: Int32, to end: Int, at stop: Int, _ usual: Int, _ transfers: JourneyTransfers,
    isNear: Bool = true
  ) {
    let pair = JourneyTransfers.Pair(from: Int32(stop), to: Int32(end))
    let hasRules = !transfers.rules.isEmpty && transfers.rules[pair] != nil
    for target in transfers.boardingNodes.nodes(of: end) {
      var seconds = usual
      if hasRules {
        switch transfers.way(from: node, to: target, at: pair) {
        case .impossible: continue
        case .timed: seconds = 0
        case .seconds(let own): seconds = own
        case .walk: break
        case nil where isNear: break
        case nil: continue
        }
      }
      ways.append(Way(target: target, seconds: Int32(min(seconds, Self.mostSeconds))))
    }
  }
}
