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
  ///
  /// - Parameters:
  ///   - list: The index of the first call of each pattern, and the number of all calls; and how riders
  ///     board at each.
  ///   - transfers: The rules with the nodes of the calls.
  /// - Returns: Both lists, in each of which the calls of a node follow one another.
  static func of(
    _ list: (starts: [Int32], access: [UInt8]), _ transfers: JourneyTransfers
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
    _ list: (starts: [Int32], access: [UInt8]), with access: UInt8, _ nodes: JourneyNodes,
    of named: [JourneyTransfers.NamedCalls]
  ) {
    // The calls of named trips that have other nodes than the other trips of their patterns.
    var others: [(node: Int, call: Call)] = []
    for trip in named {
      let first = Int(list.starts[trip.pattern])
      for (index, node) in trip.nodes.enumerated()
      where node >= 0 && node != nodes.ofCalls[first + index]
        && list.access[first + index] & access != 0
      {
        others.append(
          (
            Int(node),
            Call(pattern: trip.pattern, index: index, access: list.access[first + index])
          ))
      }
    }
    let accesses = list.access
    var starts = [Int32](repeating: 0, count: nodes.count + 1)
    Self.count(nodes.ofCalls.span, accesses.span, access, in: &starts)
    for other in others { starts[other.node + 1] += 1 }
    for node in 0..<nodes.count { starts[node + 1] += starts[node] }
    var calls = [Call](
      repeating: Call(pattern: 0, index: 0, access: 0), count: Int(starts[nodes.count]))
    var next = starts
    Self.group(list, nodes.ofCalls.span, access, into: &calls, at: &next)
    for other in others {
      calls[Int(next[other.node])] = other.call
      next[other.node] += 1
    }
    (self.starts, self.calls) = (starts, calls)
  }

  /// Counts the calls of each node that have an access, one place after the node's own.
  private static func count(
    _ nodes: Span<Int32>, _ accesses: Span<UInt8>, _ access: UInt8, in counts: inout [Int32]
  ) {
    var counts = counts.mutableSpan
    for call in nodes.indices where accesses[call] & access != 0 {
      counts[Int(nodes[call]) + 1] += 1
    }
  }

  /// Puts the calls that have an access in their places.
  private static func group(
    _ list: (starts: [Int32], access: [UInt8]), _ nodes: Span<Int32>, _ access: UInt8,
    into calls: inout [Call],
    at next: inout [Int32]
  ) {
    let (ownStarts, ownAccesses) = list
    let (starts, accesses) = (ownStarts.span, ownAccesses.span)
    var calls = calls.mutableSpan
    var next = next.mutableSpan
    for pattern in 0..<starts.count - 1 {
      let first = Int(starts[pattern])
      for call in first..<Int(starts[pattern + 1]) where accesses[call] & access != 0 {
        let node = Int(nodes[call])
        calls[Int(next[node])] = Call(
          pattern: pattern, index: call - first, access: accesses[call])
        next[node] += 1
      }
    }
  }
}
