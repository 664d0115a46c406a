/// The nodes to which riders alight, or those from which they board.
///
/// The first ones are those of the stops, by index. Where a rule names a route or a trip, the stop has
/// others for these; they follow by stop, then by route, and the route's before those of its trips.
struct JourneyNodes {
  private let stopCount: Int
  /// The node of each call; -1 without a stop.
  private(set) var ofCalls: [Int32]
  /// The stops and sides of the nodes that follow the stops' own nodes.
  private var stops: [Int32] = []
  private var sides: [TransferRule.Side] = []
  /// The index of the first of the other nodes of each stop, and the number of them; empty if there
  /// are none.
  private var starts: [Int32] = []

  var count: Int { stopCount + sides.count }

  /// Whether rules name a route or a trip.
  var hasOthers: Bool { !sides.isEmpty }

  /// Creates the nodes of stops, and of the sides that rules name at stops.
  init(_ patterns: JourneyPatterns, stopCount: Int, _ named: [Int32: Set<TransferRule.Side>] = [:])
  {
    (self.stopCount, ofCalls) = (stopCount, patterns.stops)
    guard !named.isEmpty else { return }
    starts = [Int32](repeating: 0, count: stopCount + 1)
    for (stop, list) in named.sorted(by: { $0.key < $1.key }) {
      starts[Int(stop) + 1] = Int32(list.count)
      for side in list.sorted() {
        stops.append(stop)
        sides.append(side)
      }
    }
    for stop in 0..<stopCount { starts[stop + 1] += starts[stop] }
    for pattern in 0..<patterns.count {
      for call in patterns.calls(of: pattern) where patterns.stops[call] >= 0 {
        ofCalls[call] = node(
          patterns.stops[call], TransferRule.Side(rid: patterns.rids[pattern]))
      }
    }
  }

  /// Appends the calls of a trip that live data change or add.
  mutating func append(_ trip: LiveTrips.Trip) {
    let side = TransferRule.Side(rid: trip.rid, tid: trip.tid ?? 0)
    ofCalls += trip.calls.map { $0.stop < 0 ? -1 : node($0.stop, side) }
  }

  /// The nodes of a stop besides its own.
  func others(of stop: Int) -> Range<Int> {
    guard !starts.isEmpty else { return stopCount..<stopCount }
    return stopCount + Int(starts[stop])..<stopCount + Int(starts[stop + 1])
  }

  /// All nodes of a stop.
  func nodes(of stop: Int) -> [Int32] {
    [Int32(stop)] + others(of: stop).map { Int32($0) }
  }

  func stop(of node: Int) -> Int32 { node < stopCount ? Int32(node) : stops[node - stopCount] }

  func side(of node: Int) -> TransferRule.Side {
    node < stopCount ? TransferRule.Side() : sides[node - stopCount]
  }

  /// The node of a route's vehicles, or of a trip's, at a stop.
  func node(_ stop: Int32, _ side: TransferRule.Side) -> Int32 {
    let others = others(of: Int(stop))
    for wanted in [side, TransferRule.Side(rid: side.rid)] {
      let node = first(in: others, notBefore: wanted)
      if node < others.upperBound, self.side(of: node) == wanted { return Int32(node) }
    }
    return stop
  }

  /// The nodes of a route and of its trips at a stop.
  func nodes(ofRoute rid: Int64, at stop: Int) -> Range<Int> {
    let others = others(of: stop)
    let first = first(in: others, notBefore: TransferRule.Side(rid: rid))
    return first..<self.first(in: others, notBefore: TransferRule.Side(rid: rid, tid: .max))
  }

  private func first(in nodes: Range<Int>, notBefore side: TransferRule.Side) -> Int {
    var (low, high) = (nodes.lowerBound, nodes.upperBound)
    while low < high {
      let middle = (low + high) / 2
      if self.side(of: middle) < side { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
