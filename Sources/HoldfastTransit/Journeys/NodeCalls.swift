/// The calls of each node, node by node.
struct NodeCalls {
  /// A call of a pattern.
  struct Call {
    let pattern: Int32
    /// The index of the call in its pattern.
    let index: Int32
  }

  /// The index of the first call of each node, and the number of all calls.
  let starts: [Int32]
  let calls: [Call]

  /// Groups the calls of all patterns at which riders may board or alight, and those of the trips
  /// that have nodes of their own.
  init(
    _ list: JourneyPatterns, with access: UInt8, _ nodes: JourneyNodes,
    of named: [JourneyTransfers.NamedCalls]
  ) {
    func each(_ body: (_ node: Int, _ call: Call) -> Void) {
      for pattern in 0..<list.count {
        let range = list.calls(of: pattern)
        for call in range where list.access[call] & access != 0 {
          body(
            Int(nodes.ofCalls[call]),
            Call(pattern: Int32(pattern), index: Int32(call - range.lowerBound)))
        }
      }
      for trip in named {
        let first = list.calls(of: trip.pattern).lowerBound
        for (index, node) in trip.nodes.enumerated()
        where node >= 0 && node != nodes.ofCalls[first + index]
          && list.access[first + index] & access != 0
        {
          body(Int(node), Call(pattern: Int32(trip.pattern), index: Int32(index)))
        }
      }
    }
    var starts = [Int32](repeating: 0, count: nodes.count + 1)
    each { node, _ in starts[node + 1] += 1 }
    for node in 0..<nodes.count { starts[node + 1] += starts[node] }
    var calls = [Call](
      repeating: Call(pattern: 0, index: 0), count: Int(starts[nodes.count]))
    var next = starts
    each { node, call in
      calls[Int(next[node])] = call
      next[node] += 1
    }
    (self.starts, self.calls) = (starts, calls)
  }
}
