/// The calls of each node, node by node.
struct NodeCalls {
  /// The index of the first call of each node, and the number of all calls.
  private(set) var starts: [Int32]
  private(set) var patterns: [Int32]
  /// The index of each call in its pattern.
  private(set) var calls: [Int32]

  /// Groups the calls of all patterns at which riders may board or alight, and those of the trips
  /// that have nodes of their own.
  init(
    _ list: JourneyPatterns, with access: UInt8, _ nodes: JourneyTransfers.Nodes,
    of named: [JourneyTransfers.NamedCalls]
  ) {
    starts = [Int32](repeating: 0, count: nodes.count + 1)
    func each(_ body: (_ node: Int, _ pattern: Int, _ call: Int) -> Void) {
      for pattern in 0..<list.count {
        let range = list.calls(of: pattern)
        for call in range where list.access[call] & access != 0 {
          body(Int(nodes.ofCalls[call]), pattern, call - range.lowerBound)
        }
      }
      for trip in named {
        let range = list.calls(of: trip.pattern)
        for (call, node) in trip.nodes.enumerated()
        where node >= 0 && node != nodes.ofCalls[range.lowerBound + call]
          && list.access[range.lowerBound + call] & access != 0
        {
          body(Int(node), trip.pattern, call)
        }
      }
    }
    var counts = [Int32](repeating: 0, count: nodes.count + 1)
    each { node, _, _ in counts[node] += 1 }
    var sum: Int32 = 0
    for node in 0..<nodes.count {
      starts[node] = sum
      sum += counts[node]
    }
    starts[nodes.count] = sum
    var (patterns, calls) = (
      [Int32](repeating: 0, count: Int(sum)), [Int32](repeating: 0, count: Int(sum))
    )
    var next = starts
    each { node, pattern, call in
      let index = Int(next[node])
      patterns[index] = Int32(pattern)
      calls[index] = Int32(call)
      next[node] += 1
    }
    (self.patterns, self.calls) = (patterns, calls)
  }
}
