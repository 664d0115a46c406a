/// The calls of each node, node by node.
struct NodeCalls {
  /// A call of a pattern.
  struct Call {
    let pattern: Int32
    /// The index of the call in its pattern, shifted by the bits of its access.
    private let place: Int32

    init(pattern: Int, index: Int, access: UInt8) {
      self.pattern = Int32(pattern)
      place = Int32(index) << 2 | Int32(access)
    }

    /// The index of the call in its pattern.
    var index: Int32 { place >> 2 }

    /// Whether riders may board or alight there, whichever is asked for.
    func allows(_ access: UInt8) -> Bool { place & Int32(access) != 0 }
  }

  /// The index of the first call of each node, and the number of all calls.
  let starts: [Int32]
  let calls: [Call]

  /// Returns the calls at which riders board from each node, and those at which they alight to each node.
  ///
  /// Where no rule names a route or a trip, both are the same list of all calls.
  static func of(
    _ list: JourneyPatterns, _ transfers: JourneyTransfers
  ) -> (boardings: NodeCalls, alightings: NodeCalls) {
    guard transfers.hasVehicles else {
      let all = NodeCalls(
        list, with: JourneyPatterns.Access.boarding | JourneyPatterns.Access.alighting,
        transfers.boardingNodes, of: [])
      return (all, all)
    }
    return (
      NodeCalls(
        list, with: JourneyPatterns.Access.boarding, transfers.boardingNodes,
        of: transfers.named.map(\.boarding)),
      NodeCalls(
        list, with: JourneyPatterns.Access.alighting, transfers.alightingNodes,
        of: transfers.named.map(\.alighting))
    )
  }

  /// Groups the calls of all patterns at which riders may board or alight, and those of the trips
  /// that have nodes of their own.
  private init(
    _ list: JourneyPatterns, with access: UInt8, _ nodes: JourneyNodes,
    of named: [JourneyTransfers.NamedCalls]
  ) {
    func each(_ body: (_ node: Int, _ call: Call) -> Void) {
      for pattern in 0..<list.count {
        let range = list.calls(of: pattern)
        for call in range where list.access[call] & access != 0 {
          body(
            Int(nodes.ofCalls[call]),
            Call(
              pattern: pattern, index: call - range.lowerBound, access: list.access[call]))
        }
      }
      for trip in named {
        let first = list.calls(of: trip.pattern).lowerBound
        for (index, node) in trip.nodes.enumerated()
        where node >= 0 && node != nodes.ofCalls[first + index]
          && list.access[first + index] & access != 0
        {
          body(
            Int(node),
            Call(pattern: trip.pattern, index: index, access: list.access[first + index]))
        }
      }
    }
    var starts = [Int32](repeating: 0, count: nodes.count + 1)
    each { node, _ in starts[node + 1] += 1 }
    for node in 0..<nodes.count { starts[node + 1] += starts[node] }
    var calls = [Call](
      repeating: Call(pattern: 0, index: 0, access: 0), count: Int(starts[nodes.count]))
    var next = starts
    each { node, call in
      calls[Int(next[node])] = call
      next[node] += 1
    }
    (self.starts, self.calls) = (starts, calls)
  }
}
