extension JourneySearch {
  /// A node that a round has reached.
  private struct ReachedNode {
    let stop: Int32
    let node: Int32
    let reached: VehicleTransfers.Reached
  }

  /// A label at a stop for all vehicles there, except for those that rules of a pair of stops name.
  private struct Arrival {
    let stop: Int32
    let reached: VehicleTransfers.Reached
    /// The nodes of the vehicles that these rules name, sorted.
    let excluded: [Int32]
  }

  /// Walks from the nodes that were reached to those where the next rides begin, where rules name
  /// routes or trips.
  ///
  /// Each way is walked once for all vehicles, and each rule is looked at once.
  mutating func walkByVehicle(_ round: Int) {
    let slot = labels.slot(round)
    let bound = labels.arrivals.bound(slot)
    let nodes = reachedNodes(slot, below: bound)
    footpaths.find(
      from: nodes.indices.lazy.filter { $0 == 0 || nodes[$0 - 1].stop != nodes[$0].stop }
        .map { Int(nodes[$0].stop) }, network)
    var arrivals: [Arrival] = []
    var first = 0
    while first < nodes.count {
      let stop = nodes[first].stop
      var end = first + 1
      while end < nodes.count, nodes[end].stop == stop { end += 1 }
      let earliest = nodes[first].reached
      for way in footpaths.ways.of(Int(stop)) where earliest.label + Int(way.seconds) < bound {
        arrive(
          way.target, earliest.label + Int(way.seconds), earliest.ride, slot, later: &arrivals)
      }
      for way in footpaths.ruledWays.of(Int(stop)) {
        change(from: nodes[first..<end], way, slot, below: bound, later: &arrivals)
      }
      first = end
    }
    enter(arrivals, slot)
  }

  private var targets: JourneyNodes {
    isForward ? network.transfers.boardingNodes : network.transfers.alightingNodes
  }

  /// Returns the nodes that the round has reached, by stop and label.
  private func reachedNodes(_ slot: Int, below bound: Int) -> [ReachedNode] {
    let sources = isForward ? network.transfers.alightingNodes : network.transfers.boardingNodes
    var nodes: [ReachedNode] = []
    for node in labels.arrivals.reached {
      let reached = reached(node, slot)
      guard reached.label < bound else { continue }
      nodes.append(
        ReachedNode(stop: sources.stop(of: node), node: Int32(node), reached: reached))
    }
    nodes.sort { ($0.stop, $0.reached.label, $0.node) < ($1.stop, $1.reached.label, $1.node) }
    return nodes
  }

  private func reached(_ node: Int, _ slot: Int) -> VehicleTransfers.Reached {
    VehicleTransfers.Reached(
      label: Int(labels.nodes[slot * labels.nodeCount + node].exit),
      ride: labels.arrivals.ride(to: node, slot))
  }

  /// Enters all vehicles at a stop, at once if no rule names any there.
  private mutating func arrive(
    _ stop: Int32, _ label: Int, _ ride: Int32, _ slot: Int, excluding excluded: [Int32] = [],
    later arrivals: inout [Arrival]
  ) {
    if targets.others(of: Int(stop)).isEmpty {
      labels.enter(Int(stop), slot, Int32(label), ride)
    } else {
      arrivals.append(
        Arrival(
          stop: stop, reached: VehicleTransfers.Reached(label: label, ride: ride),
          excluded: excluded))
    }
  }

  /// Changes between vehicles at a pair of stops whose rules name some of them.
  private mutating func change(
    from nodes: ArraySlice<ReachedNode>, _ way: Footpaths.RuledWay, _ slot: Int, below bound: Int,
    later arrivals: inout [Arrival]
  ) {
    let stop = nodes[nodes.startIndex].stop
    let rules = network.vehicleTransfers(
      at: isForward
        ? JourneyTransfers.Pair(from: stop, to: way.target)
        : JourneyTransfers.Pair(from: way.target, to: stop), isForward: isForward)
    var reached = [VehicleTransfers.Reached](repeating: .never, count: rules.sources.count)
    for source in 1..<max(1, rules.sources.count) {
      for node in rules.sources.nodes(of: source) where labels.arrivals.reached.contains(Int(node))
      {
        let label = self.reached(Int(node), slot)
        if label.label < bound { reached[source] = reached[source].or(label) }
      }
    }
    let other = nodes.first { !rules.sources.contains($0.node) }
    if let other { reached[0] = other.reached }
    for (target, found) in rules.targets(after: reached, way).enumerated()
    where found.label < bound {
      if target == 0 {
        arrive(
          way.target, found.label, found.ride, slot, excluding: rules.targets.nodes,
          later: &arrivals)
      } else {
        for node in rules.targets.nodes(of: target) {
          labels.enter(Int(node), slot, Int32(found.label), found.ride)
        }
      }
    }
  }

  /// Enters the vehicles at stops with the earliest arrival that is for them.
  private mutating func enter(_ arrivals: [Arrival], _ slot: Int) {
    let sorted = arrivals.sorted {
      ($0.stop, $0.reached.label, $0.reached.ride) < ($1.stop, $1.reached.label, $1.reached.ride)
    }
    var first = 0
    while first < sorted.count {
      let stop = sorted[first].stop
      var remaining = targets.nodes(of: Int(stop))
      while first < sorted.count, sorted[first].stop == stop {
        let arrival = sorted[first]
        first += 1
        guard !remaining.isEmpty else { continue }
        var left: [Int32] = []
        var next = 0
        for node in remaining {
          while next < arrival.excluded.count, arrival.excluded[next] < node { next += 1 }
          if next < arrival.excluded.count, arrival.excluded[next] == node {
            left.append(node)
          } else {
            labels.enter(Int(node), slot, Int32(arrival.reached.label), arrival.reached.ride)
          }
        }
        remaining = left
      }
    }
  }
}
