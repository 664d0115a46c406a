/// What a search knows of nodes: the labels at which riders are there, and the rides that bring them.
///
/// In a search of a window a node has a label for each number of rides, else one. Lists have those of all
/// nodes slot by slot.
struct JourneyLabels {
  /// The labels that are read at each call.
  struct Node {
    static let unknown = Node(entry: infinity, exit: infinity)

    /// The label at which the round enters vehicles.
    var entry: Int32
    /// The least label at which riders have left vehicles.
    var exit: Int32
  }

  static let infinity = Int32.max
  private static let leastLabel = -(1 << 30)

  /// The number of labels of a node.
  let slots: Int
  /// The numbers of the nodes where riders enter, and leave, and the greater of both.
  let entryCount: Int
  let exitCount: Int
  let nodeCount: Int
  var nodes: [Node]
  /// The label at which riders are at each node where they enter, and the ride that brings them there.
  var entryLabels: [Int32]
  private(set) var entryRides: [Int32]
  var arrivals: Arrivals
  /// The nodes where the next round enters vehicles.
  private(set) var reachedEntries: BitSet

  init(isForward: Bool, slots: Int, entryCount: Int, exitCount: Int, patternCount: Int) {
    (self.slots, self.entryCount, self.exitCount) = (slots, entryCount, exitCount)
    nodeCount = max(entryCount, exitCount)
    nodes = [Node](repeating: .unknown, count: slots * nodeCount)
    entryLabels = [Int32](repeating: Self.infinity, count: slots * entryCount)
    entryRides = [Int32](repeating: -1, count: slots * entryCount)
    arrivals = Arrivals(
      isForward: isForward, slots: slots, nodeCount: exitCount, patternCount: patternCount)
    reachedEntries = BitSet(upTo: entryCount)
  }

  func slot(_ round: Int) -> Int { slots == 1 ? 0 : round }

  // MARK: - Entering

  /// Lets riders enter vehicles at a node in the round after a slot's, if they are there sooner than before.
  mutating func enter(_ node: Int, _ slot: Int, _ label: Int32, _ ride: Int32) {
    guard label < entryLabels[slot * entryCount + node] else { return }
    (entryLabels[slot * entryCount + node], entryRides[slot * entryCount + node]) = (label, ride)
    lower(node, to: label, ride, after: slot)
    nodes[firstNode(after: slot) + node].entry = label
    reachedEntries.insert(node)
  }

  /// Returns the index of the first node of the round after a slot's.
  private func firstNode(after slot: Int) -> Int { slots == 1 ? 0 : (slot + 1) * nodeCount }

  /// Ends a round's entries.
  mutating func removeEntries(before round: Int) {
    let first = slot(round) * nodeCount
    for node in reachedEntries { nodes[first + node].entry = Self.infinity }
    reachedEntries.removeAll()
  }

  /// Walks from the nodes that the round has reached to those where the next one enters vehicles.
  mutating func walk(_ ways: StopLists<Footpaths.Way>, _ round: Int) {
    let slot = slot(round)
    let (first, next) = (slot * entryCount, firstNode(after: slot))
    Self.walk(
      ways, from: arrivals, nodes[(slot * nodeCount)...], slot, first, &entryLabels, &entryRides,
      &reachedEntries)
    for node in reachedEntries {
      let (label, ride) = (entryLabels[first + node], entryRides[first + node])
      nodes[next + node].entry = label
      lower(node, to: label, ride, after: slot)
    }
  }

  /// Lowers the labels at which riders are at a node with more rides.
  private mutating func lower(_ node: Int, to label: Int32, _ ride: Int32, after slot: Int) {
    for place in stride(
      from: (slot + 1) * entryCount + node, to: entryLabels.count, by: entryCount)
    {
      guard label < entryLabels[place] else { return }
      (entryLabels[place], entryRides[place]) = (label, ride)
    }
  }

  /// Walks the ways from nodes.
  ///
  /// - Parameters:
  ///   - lists: The ways of all nodes.
  ///   - arrivals: The nodes that the round has reached, and the rides that bring riders there.
  ///   - nodes: The labels of the nodes.
  ///   - slot: The slot of the round.
  ///   - first: The index of the first node's label in the slot.
  ///   - entryLabels: The labels at which riders are at each node, slot by slot; only those of the slot are
  ///     lowered.
  ///   - entryRides: The rides that bring them there.
  ///   - reached: The nodes where the next round enters vehicles.
  private static func walk(
    _ lists: StopLists<Footpaths.Way>, from arrivals: Arrivals, _ nodes: ArraySlice<Node>,
    _ slot: Int, _ first: Int, _ entryLabels: inout [Int32], _ entryRides: inout [Int32],
    _ reached: inout BitSet
  ) {
    let bound = Int32(clamping: arrivals.bound(slot))
    let (starts, ends, ways) = (lists.starts.span, lists.ends.span, lists.elements.span)
    let nodes = nodes.span
    var entryLabels = entryLabels.mutableSpan
    var entryRides = entryRides.mutableSpan
    for node in arrivals.reached {
      let label = nodes[node].exit
      guard label < bound else { continue }
      let ride = arrivals.ride(to: node, slot)
      let own = ways.extracting(Int(starts[node])..<Int(ends[node]))
      for index in own.indices {
        let way = own[index]
        // Both are far from the largest number.
        let total = label &+ way.seconds
        guard total < bound else { continue }
        let entry = first &+ Int(way.target)
        guard total < entryLabels[entry] else { continue }
        entryLabels[entry] = total
        entryRides[entry] = ride
        reached.insert(Int(way.target))
      }
    }
  }

  // MARK: - Leaving

  /// Follows the vehicles of a unit in a round.
  mutating func follow<Time: FixedWidthInteger>(
    _ unit: JourneyTimetable.Unit, _ number: Int, _ timetable: JourneyTimetable, _ times: [Time],
    zero: Int, entering stretch: JourneySearch.Stretch, _ round: Int
  ) -> Riding {
    let slot = slot(round)
    return arrivals.follow(
      unit, number, timetable, times.span, zero: zero, entering: stretch,
      entryRides, self.slot(round - 1) * entryCount, slot, &nodes, nodeCount)
  }

  /// Lets riders leave a vehicle at a node, if they are there sooner than before.
  mutating func leave(at node: Int, _ label: Int, by ride: JourneySearch.Ride, _ round: Int) {
    arrivals.leave(at: node, label, by: ride, slot(round), &nodes, nodeCount)
  }

  // MARK: - Limits

  /// The label at each node where riders have left vehicles, in a search of an instant.
  var exitLabels: [Int32] {
    var exitLabels = [Int32](repeating: 0, count: exitCount)
    Self.copyExits(nodes.span, to: &exitLabels)
    return exitLabels
  }

  private static func copyExits(_ nodes: Span<Node>, to list: inout [Int32]) {
    var list = list.mutableSpan
    for node in 0..<min(list.count, nodes.count) { list[node] = nodes[node].exit }
  }

  /// Lowers labels where riders leave so that each is at most a number together with another one.
  mutating func limitExits(to seconds: Int32, without others: [Int32]) {
    let others = others.span
    var nodes = nodes.mutableSpan
    for node in 0..<min(others.count, nodes.count) {
      nodes[node].exit = min(nodes[node].exit, seconds &- others[node] &+ 1)
    }
  }

  /// Lowers labels where riders enter so that each is at most a number together with another one.
  mutating func limitEntries(to seconds: Int32, without others: [Int32]) {
    let others = others.span
    var labels = entryLabels.mutableSpan
    for node in 0..<min(others.count, labels.count) {
      labels[node] = min(labels[node], seconds &- others[node] &+ 1)
    }
  }

  // MARK: - Arrivals

  /// The rides of a search, and what they reach.
  struct Arrivals {
    let isForward: Bool
    var rides: [JourneySearch.Ride] = []
    /// The ride that brings riders to each node, slot by slot.
    private var last: [Int32]
    private let nodeCount: Int
    /// The seconds from each node to the end.
    private var rest: [Int32]
    /// For each slot the least label at the end, and the last ride; -1 for walking all the way.
    private(set) var best: [(label: Int, ride: Int32)]
    /// The label that all must be less than.
    var limit = 0
    /// The nodes that the round has reached.
    var reached: BitSet
    /// The vehicle of each pattern that was followed last; of no trips that transfers name, and none in a
    /// search of a window, whose labels differ by the number of rides.
    var followed: [Followed]

    init(isForward: Bool, slots: Int, nodeCount: Int, patternCount: Int) {
      (self.isForward, self.nodeCount) = (isForward, nodeCount)
      last = [Int32](repeating: -1, count: slots * nodeCount)
      rest = [Int32](repeating: infinity, count: nodeCount)
      best = [(label: Int, ride: Int32)](repeating: (Int.max, -1), count: slots)
      reached = BitSet(upTo: nodeCount)
      followed = [Followed](repeating: .none, count: patternCount)
    }

    /// The label that one must be less than to matter in a slot.
    func bound(_ slot: Int) -> Int { min(best[slot].label, limit) }

    func ride(to node: Int, _ slot: Int) -> Int32 { last[slot &* nodeCount &+ node] }

    /// Notes that the end is some seconds from a node.
    mutating func end(_ seconds: Int, from node: Int) {
      rest[node] = min(rest[node], Int32(seconds))
    }

    /// Takes a ride that brings riders to a node, if they are there sooner than before.
    fileprivate mutating func leave(
      at node: Int, _ label: Int, by ride: JourneySearch.Ride, _ slot: Int,
      _ list: inout [Node], _ stride: Int
    ) {
      var nodes = list.mutableSpan
      guard label < bound(slot), label < Int(nodes[slot * stride + node].exit) else { return }
      take(ride, to: node, label, slot, &nodes, stride)
    }

    /// Takes a ride that brings riders to a node sooner than before, in a slot and those after it.
    @inline(__always)
    mutating func take(
      _ ride: JourneySearch.Ride, to node: Int, _ label: Int, _ first: Int,
      _ nodes: inout MutableSpan<Node>, _ stride: Int
    ) {
      let (index, label) = (Int32(truncatingIfNeeded: rides.count), max(label, leastLabel))
      rides.append(ride)
      var (place, lastPlace) = (first &* stride &+ node, first &* nodeCount &+ node)
      repeat {
        nodes[place].exit = Int32(truncatingIfNeeded: label)
        last[lastPlace] = index
        place &+= stride
        lastPlace &+= nodeCount
      } while place < nodes.count && label < Int(nodes[place].exit)
      reached.insert(node)
      let rest = rest[node]
      guard rest != infinity, label + Int(rest) < limit else { return }
      end(at: label + Int(rest), by: index, from: first)
    }

    /// Takes a journey to the end for a slot, and for those after it where it is better.
    mutating func end(at label: Int, by ride: Int32, from slot: Int) {
      for slot in slot..<best.count {
        guard label < best[slot].label else { return }
        best[slot] = (label, ride)
      }
    }
  }
}
