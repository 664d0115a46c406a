/// How soon a search has reached the nodes, and by which rides.
///
/// There is one label for each node, or in a search of a window one for each number of rides.
struct JourneyLabels {
  static let infinity = Int32.max
  private static let least = -(1 << 30)

  /// The number of labels of each node.
  let slots: Int
  /// What labels at vehicles' doors must be less than to matter, whatever was found.
  var limit = 0
  private(set) var rides: [JourneySearch.Ride] = []

  /// Where rides begin, and the ride before.
  private(set) var entries: [Int32]
  private(set) var entryRides: [Int32]
  /// Where rides end.
  private(set) var exits: [Int32]
  private var exitRides: [Int32]
  /// The seconds from each node to the end.
  private let rest: [Int32]
  private(set) var best: [Int]
  private(set) var bestRides: [Int32]

  /// The nodes that a round has reached.
  private(set) var reachedEntries: MarkedIndices
  private(set) var reachedExits: MarkedIndices

  /// Creates the labels of nodes that nobody has reached.
  ///
  /// - Parameters:
  ///   - slots: The number of labels of each node.
  ///   - entryCount: The number of nodes where rides begin.
  ///   - rest: The seconds to the end from each node where rides end.
  init(slots: Int, entryCount: Int, rest: [Int32]) {
    (self.slots, self.rest) = (slots, rest)
    entries = [Int32](repeating: Self.infinity, count: entryCount * slots)
    entryRides = [Int32](repeating: -1, count: entryCount * slots)
    exits = [Int32](repeating: Self.infinity, count: rest.count * slots)
    exitRides = [Int32](repeating: -1, count: rest.count * slots)
    best = [Int](repeating: Int.max, count: slots)
    bestRides = [Int32](repeating: -1, count: slots)
    reachedEntries = MarkedIndices(upTo: entryCount)
    reachedExits = MarkedIndices(upTo: rest.count)
  }

  /// Returns the label that one must be less than to matter.
  func bound(_ slot: Int) -> Int { min(best[slot], limit) }

  mutating func improve(best label: Int, by ride: Int32, from slot: Int) {
    for slot in slot..<slots {
      guard label < best[slot] else { return }
      best[slot] = label
      bestRides[slot] = ride
    }
  }

  mutating func enter(_ node: Int, _ slot: Int, _ label: Int32, _ ride: Int32) {
    guard label < entries[node * slots + slot] else { return }
    for index in node * slots + slot..<(node + 1) * slots {
      guard label < entries[index] else { break }
      entries[index] = label
      entryRides[index] = ride
    }
    reachedEntries.insert(node)
  }

  /// Notes that a ride reaches a node sooner than all before.
  mutating func reach(_ node: Int, _ slot: Int, _ label: Int, _ ride: JourneySearch.Ride) {
    let index = append(ride)
    let label = max(label, Self.least)
    for place in node * slots + slot..<(node + 1) * slots {
      guard label < Int(exits[place]) else { break }
      exits[place] = Int32(label)
      exitRides[place] = index
    }
    if rest[node] != Self.infinity, label + Int(rest[node]) < limit {
      improve(best: label + Int(rest[node]), by: index, from: slot)
    }
    reachedExits.insert(node)
  }

  /// Appends a ride, and returns its index.
  mutating func append(_ ride: JourneySearch.Ride) -> Int32 {
    rides.append(ride)
    return Int32(rides.count - 1)
  }

  /// Walks from the nodes that a round has reached to those where the next rides begin.
  mutating func walk(_ slot: Int, along footpaths: Footpaths) {
    let bound = Int32(clamping: bound(slot))
    let (starts, ways) = (footpaths.starts.span, footpaths.ways.span)
    for node in reachedExits {
      let index = node * slots + slot
      let (label, ride) = (exits[index], exitRides[index])
      guard label < bound else { continue }
      for index in Int(starts[node])..<Int(starts[node + 1]) {
        let way = ways[index]
        // Ways are short, and labels that matter are at most a week.
        let total = label &+ way.seconds
        if total < bound, total < entries[Int(way.target) * slots + slot] {
          enter(Int(way.target), slot, total, ride)
        }
      }
    }
    reachedExits.removeAll()
  }

  mutating func forgetReachedEntries() { reachedEntries.removeAll() }

  mutating func forgetReachedExits() { reachedExits.removeAll() }
}
