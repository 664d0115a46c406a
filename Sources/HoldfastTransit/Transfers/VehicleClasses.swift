/// The vehicles at a stop in the classes that rules tell apart: class 0 for those that no rule names, and
/// one for each route and each trip that a rule names.
struct VehicleClasses {
  /// The routes and trips, a route before its trips.
  private let sides: [TransferRule.Side]
  /// The class of the route of each class of a trip; 0 if there is none.
  let parents: [Int]
  /// The class after those of the trips of each class of a route.
  let ends: [Int]
  /// The index of the first node of each class, and the number of all nodes.
  private let starts: [Int32]
  private let list: [Int32]
  /// The nodes of the classes from 1 on, sorted.
  let nodes: [Int32]

  var count: Int { sides.count }

  init(_ sides: [TransferRule.Side], _ nodes: JourneyNodes, at stop: Int) {
    let sides = Set(sides).union([TransferRule.Side()]).sorted()
    var (parents, ends) = ([Int](repeating: 0, count: sides.count), Array(1...sides.count))
    var (starts, list): ([Int32], [Int32]) = ([0, 0], [])
    for (index, side) in sides.enumerated().dropFirst() {
      if side.tid == 0 {
        while ends[index] < sides.count, sides[ends[index]].rid == side.rid { ends[index] += 1 }
        let trips = sides[index + 1..<ends[index]]
        var next = trips.startIndex
        for trip in trips.indices { parents[trip] = index }
        // The route's node, and those of trips that have no class of their own.
        for node in nodes.nodes(ofRoute: side.rid, at: stop) {
          while next < trips.endIndex, trips[next] < nodes.side(of: node) { next += 1 }
          if next < trips.endIndex, trips[next] == nodes.side(of: node) { continue }
          list.append(Int32(node))
        }
      } else {
        let node = nodes.node(Int32(stop), side)
        if nodes.side(of: Int(node)) == side { list.append(node) }
      }
      starts.append(Int32(list.count))
    }
    (self.sides, self.parents, self.ends) = (sides, parents, ends)
    (self.starts, self.list, self.nodes) = (starts, list, list.sorted())
  }

  /// The nodes of a class from 1 on.
  func nodes(of index: Int) -> ArraySlice<Int32> {
    list[Int(starts[index])..<Int(starts[index + 1])]
  }

  /// Whether a node belongs to a class from 1 on.
  func contains(_ node: Int32) -> Bool {
    var (low, high) = (0, nodes.count)
    while low < high {
      let middle = (low + high) / 2
      if nodes[middle] < node { low = middle + 1 } else { high = middle }
    }
    return low < nodes.count && nodes[low] == node
  }

  /// Returns the class of a side that a rule names.
  func index(of side: TransferRule.Side) -> Int { find(side) ?? 0 }

  /// Returns the class of a vehicle: its trip's class, or else its route's, or else 0.
  func nearest(to side: TransferRule.Side) -> Int {
    find(side) ?? find(TransferRule.Side(rid: side.rid)) ?? 0
  }

  private func find(_ side: TransferRule.Side) -> Int? {
    var (low, high) = (0, sides.count)
    while low < high {
      let middle = (low + high) / 2
      if sides[middle] < side { low = middle + 1 } else { high = middle }
    }
    return low < sides.count && sides[low] == side ? low : nil
  }
}
