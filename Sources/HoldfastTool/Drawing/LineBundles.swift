import Foundation

/// The lines of a graph side by side, ready to be drawn.
///
/// The graph is cut into chains, along which the same lines run. The lines of a chain lie beside each
/// other in an order that is the same everywhere, and at the nodes where chains meet, curves connect the
/// parts of each line.
struct LineBundles {
  /// A part of a line with one width.
  struct Stroke {
    var line: Int
    /// The width in pixels.
    var width: Double
    var parts: [Part]
  }

  /// A part of a line: a polyline, or a curve between two ends of chains by way of a node.
  enum Part {
    case polyline([MapVector])
    case curve(from: MapVector, by: MapVector, to: MapVector)

    /// The part as a polyline, which is not far from its curve.
    var polyline: [MapVector] {
      switch self {
      case .polyline(let points): points
      case .curve(let from, let by, let to): [from, from * 0.25 + by * 0.5 + to * 0.25, to]
      }
    }
  }

  /// The strokes of all lines.
  private(set) var strokes: [Stroke] = []
  private struct Chain {
    var nodes: [Int]
    /// The lines in the order from one side to the other.
    var lines: [Int]
    var widths: [Double]
    /// Whether the first line lies on the right of the way from the first node to the last one.
    var isForward = true
    /// The middle, without what curves replace.
    var path: [MapVector] = []

    /// The distance of a line from the middle, to the right of the way.
    func offset(of line: Int) -> Double {
      guard let index = lines.firstIndex(of: line) else { return 0 }
      let total = widths.reduce(0, +) + LineBundles.gap * Double(widths.count - 1)
      let before = widths[..<index].reduce(0, +) + LineBundles.gap * Double(index)
      let offset = before + widths[index] / 2 - total / 2
      return isForward ? offset : -offset
    }

    var width: Double { widths.reduce(0, +) + LineBundles.gap * Double(widths.count - 1) }
  }

  /// The space between two lines, in pixels.
  fileprivate static let gap = 0.7
  /// The greatest width of all lines of a chain.
  private static let mostWidth = 26.0

  private let graph: LineGraph
  private let lines: [MapLine]
  private let factor: Double
  private let mostTrips: Int
  private var chains: [Chain] = []
  private var ends: [Int: [Int]] = [:]
  private var chainOfNode: [Int: [Int]] = [:]

  /// Lays the lines of a graph beside each other.
  ///
  /// - Parameters:
  ///   - graph: The graph.
  ///   - lines: The lines, by the numbers in the graph.
  ///   - factor: The part of the lines' widths that is drawn.
  init(_ graph: LineGraph, of lines: [MapLine], factor: Double) {
    (self.graph, self.lines, self.factor) = (graph, lines, factor)
    mostTrips = graph.trips.values.lazy.flatMap(\.values).max() ?? 1
    makeChains()
    orient()
    order()
    trim()
    draw()
  }

  // MARK: - Chains

  private func lines(between one: Int, _ other: Int) -> [Int] {
    graph.trips[LineGraph.Edge(one, other)].map { $0.keys.sorted() } ?? []
  }

  /// Returns whether a chain ends at a node: not two edges with the same lines, or a line turns back.
  private func isBreak(_ node: Int) -> Bool {
    let around = usedNeighbors(node)
    guard around.count == 2 else { return true }
    let first = lines(between: node, around[0])
    guard first == lines(between: node, around[1]) else { return true }
    let neighbors = LineGraph.Edge(around[0], around[1])
    return !first.allSatisfy {
      graph.turns.contains(LineGraph.Turn(line: $0, node: node, neighbors: neighbors))
    }
  }

  private func usedNeighbors(_ node: Int) -> [Int] {
    graph.neighbors[node].filter { graph.trips[LineGraph.Edge(node, $0)] != nil }
  }

  private mutating func makeChains() {
    let breaks = graph.nodes.indices.map(isBreak)
    var seen: Set<LineGraph.Edge> = []
    func chain(from start: Int, over next: Int) -> Chain? {
      guard seen.insert(LineGraph.Edge(start, next)).inserted else { return nil }
      var nodes = [start, next]
      while let last = nodes.last, !breaks[last], last != start,
        let other = usedNeighbors(last).first(where: { $0 != nodes[nodes.count - 2] }),
        seen.insert(LineGraph.Edge(last, other)).inserted
      {
        nodes.append(other)
      }
      let lines = lines(between: start, next)
      return Chain(nodes: nodes, lines: lines, widths: widths(of: lines, along: nodes))
    }
    // First from the nodes where chains end, then the rings that have none.
    for node in graph.nodes.indices where breaks[node] {
      for next in usedNeighbors(node).sorted() {
        if let chain = chain(from: node, over: next) { chains.append(chain) }
      }
    }
    for edge in graph.trips.keys.sorted() {
      if let chain = chain(from: edge.from, over: edge.to) { chains.append(chain) }
    }
    for (number, chain) in chains.enumerated() {
      guard let first = chain.nodes.first, let last = chain.nodes.last else { continue }
      ends[first, default: []].append(number)
      if last != first { ends[last, default: []].append(number) }
      for node in chain.nodes { chainOfNode[node, default: []].append(number) }
    }
  }

  private func widths(of lines: [Int], along nodes: [Int]) -> [Double] {
    let widths = lines.map { line in
      let trips =
        zip(nodes, nodes.dropFirst()).map {
          graph.trips[LineGraph.Edge($0, $1)]?[line] ?? 0
        }.max() ?? 0
      // Four widths, of which a tenth of the trips has the third one.
      let share = max(0.0001, Double(trips) / Double(mostTrips)).squareRoot().squareRoot()
      return self.lines[line].width * factor * (0.55 + 0.15 * (share * 3).rounded())
    }
    let total = widths.reduce(0, +)
    return total <= Self.mostWidth ? widths : widths.map { $0 * Self.mostWidth / total }
  }

  // MARK: - Sides

  /// Lets the order of lines continue from chain to chain, beginning with the chains of most lines.
  private mutating func orient() {
    var isDone = [Bool](repeating: false, count: chains.count)
    let order = chains.indices.sorted {
      (chains[$1].lines.count, chains[$1].nodes.count, $0)
        < (chains[$0].lines.count, chains[$0].nodes.count, $1)
    }
    for first in order where !isDone[first] {
      isDone[first] = true
      var queue = [first]
      while let number = queue.popLast() {
        let chain = chains[number]
        for node in Set([chain.nodes.first, chain.nodes.last].compactMap(\.self)).sorted() {
          let next = (ends[node] ?? []).filter {
            !isDone[$0] && !Set(chains[$0].lines).isDisjoint(with: chain.lines)
          }
          for other in next {
            // One ends where the other one begins.
            let continues = (chain.nodes.last == node) == (chains[other].nodes.first == node)
            chains[other].isForward = continues == chain.isForward
            isDone[other] = true
          }
          queue += next.sorted { chains[$0].lines.count < chains[$1].lines.count }
        }
      }
    }
  }

  /// Orders the lines so that few of them cross where they part.
  ///
  /// Where two lines of a chain continue in different chains, the one to the right should be on the right.
  private mutating func order() {
    var votes: [LineGraph.Edge: Int] = [:]
    for (node, numbers) in ends where numbers.count > 2 {
      for number in numbers where chains[number].lines.count > 1 {
        let ways = partings(of: number, at: node)
        let isAlong = chains[number].isForward == (chains[number].nodes.last == node)
        for (index, one) in ways.enumerated() {
          for other in ways[(index + 1)...] where one.chain != other.chain {
            // A later line of a chain is farther to the right, seen along its way.
            let isFirstBefore = (one.angle < other.angle) == isAlong
            let pair = LineGraph.Edge(one.line, other.line)
            votes[pair, default: 0] += isFirstBefore == (one.line == pair.from) ? 1 : -1
          }
        }
      }
    }
    var order = Array(lines.indices)
    // Each exchange of neighbors that more votes want, up to a limit in case they contradict each other.
    for _ in order.indices {
      var isSettled = true
      for index in order.indices.dropLast() {
        let (one, other) = (order[index], order[index + 1])
        let vote = votes[LineGraph.Edge(one, other)] ?? 0
        guard one < other ? vote < 0 : vote > 0 else { continue }
        order.swapAt(index, index + 1)
        isSettled = false
      }
      if isSettled { break }
    }
    let ranks = Dictionary(uniqueKeysWithValues: order.enumerated().map { ($1, $0) })
    for number in chains.indices {
      let sorted = zip(chains[number].lines, chains[number].widths).sorted {
        (ranks[$0.0] ?? 0) < (ranks[$1.0] ?? 0)
      }
      (chains[number].lines, chains[number].widths) = (sorted.map(\.0), sorted.map(\.1))
    }
  }

  /// Returns the lines that continue in one other chain, and how far to the right it turns.
  private func partings(
    of number: Int, at node: Int
  ) -> [(line: Int, chain: Int, angle: Double)] {
    let back = direction(of: number, from: node)
    return chains[number].lines.compactMap { line in
      let next = (ends[node] ?? []).filter { other in
        other != number && chains[other].lines.contains(line)
          && goes(line, from: number, by: node, to: other)
      }
      guard next.count == 1, let chain = next.first else { return nil }
      let way = direction(of: chain, from: node)
      let ahead = back * -1
      let cross = ahead.x * way.y - ahead.y * way.x
      return (line, chain, atan2(cross, ahead.dot(way)))
    }
  }

  /// The direction in which a chain leaves one of its ends.
  private func direction(of chain: Int, from node: Int) -> MapVector {
    let nodes = chains[chain].nodes
    let path = nodes.first == node ? Array(nodes.prefix(4)) : Array(nodes.suffix(4).reversed())
    guard let last = path.last else { return MapVector(0, 0) }
    return (graph.nodes[last] - graph.nodes[node]).unit
  }

  // MARK: - Drawing

  /// Makes room for curves at the nodes where several chains meet.
  private mutating func trim() {
    for number in chains.indices {
      let chain = chains[number]
      var path = Self.smoothed(chain.nodes.map { graph.nodes[$0] })
      let length = zip(path, path.dropFirst()).map { $0.distance(to: $1) }.reduce(0, +)
      let most = chain.width / 2 + 4
      for isStart in [true, false] {
        guard let node = isStart ? chain.nodes.first : chain.nodes.last,
          (ends[node]?.count ?? 0) > 1
        else { continue }
        if !isStart { path.reverse() }
        path = Self.shortened(path, by: min(most, length * 0.4))
        if !isStart { path.reverse() }
      }
      chains[number].path = Self.simplified(path, tolerance: 0.4)
    }
  }

  private mutating func draw() {
    var strokes: [StrokeKey: [Part]] = [:]
    for chain in chains {
      for (line, width) in zip(chain.lines, chain.widths) {
        let path = Self.moved(chain.path, by: chain.offset(of: line))
        strokes[StrokeKey(line, width), default: []].append(.polyline(path))
      }
    }
    for (node, numbers) in ends.sorted(by: { $0.key < $1.key }) where numbers.count > 1 {
      /// The chains, with the lines that lead from them to others here.
      var connected: [Int: Set<Int>] = [:]
      for (index, one) in numbers.enumerated() {
        for other in numbers[(index + 1)...] {
          for line in chains[one].lines where chains[other].lines.contains(line) {
            guard goes(line, from: one, by: node, to: other) else { continue }
            connected[one, default: []].insert(line)
            connected[other, default: []].insert(line)
            let width = min(width(of: line, in: one), width(of: line, in: other))
            let (start, end) = (end(of: one, at: node, line), end(of: other, at: node, line))
            let part = Part.curve(from: start.place, by: Self.corner(start, end), to: end.place)
            strokes[StrokeKey(line, width), default: []].append(part)
          }
        }
      }
      for number in numbers {
        // A line that ends here reaches the node.
        for line in chains[number].lines where connected[number]?.contains(line) != true {
          let end = end(of: number, at: node, line)
          let length = max(0, (graph.nodes[node] - end.place).dot(end.direction))
          let part = Part.polyline([end.place, end.place + end.direction * length])
          let key = StrokeKey(line, width(of: line, in: number))
          strokes[key, default: []].append(part)
        }
      }
    }
    self.strokes = strokes.sorted { $0.key < $1.key }.map {
      Stroke(line: $0.key.line, width: Double($0.key.width) / 10, parts: $0.value)
    }
  }

  private struct StrokeKey: Hashable, Comparable {
    var line: Int
    /// In tenths of a pixel, so that similar widths are one.
    var width: Int

    init(_ line: Int, _ width: Double) {
      (self.line, self.width) = (line, max(5, Int((width * 10).rounded())))
    }

    static func < (left: StrokeKey, right: StrokeKey) -> Bool {
      (left.line, left.width) < (right.line, right.width)
    }
  }

  private func width(of line: Int, in chain: Int) -> Double {
    chains[chain].lines.firstIndex(of: line).map { chains[chain].widths[$0] } ?? 0
  }

  /// Returns whether a line leads from one chain to another one; at its end it leads nowhere.
  private func goes(_ line: Int, from one: Int, by node: Int, to other: Int) -> Bool {
    neighbors(of: node, in: one).contains { first in
      neighbors(of: node, in: other).contains { second in
        graph.turns.contains(
          LineGraph.Turn(line: line, node: node, neighbors: LineGraph.Edge(first, second)))
      }
    }
  }

  private func neighbors(of node: Int, in chain: Int) -> [Int] {
    let nodes = chains[chain].nodes
    var result: [Int] = []
    if nodes.first == node, nodes.count > 1 { result.append(nodes[1]) }
    if nodes.last == node, nodes.count > 1 { result.append(nodes[nodes.count - 2]) }
    return result
  }

  /// The end of a line's part at a node, and the direction in which it leads there.
  private func end(
    of chain: Int, at node: Int, _ line: Int
  ) -> (place: MapVector, direction: MapVector) {
    let chain = chains[chain]
    let path = Self.moved(chain.path, by: chain.offset(of: line))
    guard path.count > 1 else { return (path.first ?? graph.nodes[node], MapVector(0, 0)) }
    return chain.nodes.first == node
      ? (path[0], (path[0] - path[1]).unit)
      : (path[path.count - 1], (path[path.count - 1] - path[path.count - 2]).unit)
  }

  /// Returns the point towards which two ends lead, if it lies before both; otherwise their middle.
  private static func corner(
    _ one: (place: MapVector, direction: MapVector),
    _ other: (place: MapVector, direction: MapVector)
  ) -> MapVector {
    let middle = (one.place + other.place) * 0.5
    let cross = one.direction.x * other.direction.y - one.direction.y * other.direction.x
    guard cross.magnitude > 0.05 else { return middle }
    let way = other.place - one.place
    let first = (way.x * other.direction.y - way.y * other.direction.x) / cross
    let second = (way.x * one.direction.y - way.y * one.direction.x) / cross
    let most = way.length * 2
    guard first > 0, second > 0, first < most, second < most else { return middle }
    return one.place + one.direction * first
  }
}

// MARK: - Stops

extension LineBundles {
  /// Where a stop lies across the lines that call there.
  struct Crossing {
    /// The middles of the outermost of these lines.
    var from: MapVector
    var to: MapVector
  }

  /// Returns where a stop lies on the lines; `nil` where none of them is near.
  ///
  /// - Parameters:
  ///   - place: The position of the stop.
  ///   - lines: The numbers of the lines that call there.
  ///   - reach: The distance within which a line is near, in pixels.
  /// - Returns: The crossing at the nearest node, where one with more of the lines counts as
  ///   nearer.
  func crossing(at place: MapVector, of lines: Set<Int>, reach: Double) -> Crossing? {
    var found: (node: Int, chain: Int, rank: Double)?
    for node in graph.nodes(around: place, within: reach) {
      let distance = graph.nodes[node].distance(to: place)
      guard distance <= reach else { continue }
      for chain in chainOfNode[node] ?? [] {
        let count = chains[chain].lines.count { lines.contains($0) }
        // Of nodes at similar distances the one with more of the lines.
        let rank = distance - 2 * Double(count)
        guard count > 0, rank < found?.rank ?? .infinity else { continue }
        found = (node, chain, rank)
      }
    }
    guard let found else { return nil }
    let chain = chains[found.chain]
    guard let index = chain.nodes.firstIndex(of: found.node) else { return nil }
    let before = graph.nodes[chain.nodes[max(0, index - 1)]]
    let after = graph.nodes[chain.nodes[min(chain.nodes.count - 1, index + 1)]]
    let side = (after - before).unit.normal
    let offsets = chain.lines.filter { lines.contains($0) }.map { chain.offset(of: $0) }
    let middle = graph.nodes[found.node]
    return Crossing(
      from: middle + side * (offsets.min() ?? 0), to: middle + side * (offsets.max() ?? 0))
  }
}

extension LineBundles {
  /// Returns whether a line ends near a place.
  func hasEnd(at place: MapVector, within reach: Double) -> Bool {
    graph.nodes(around: place, within: reach).contains { node in
      usedNeighbors(node).count == 1 && graph.nodes[node].distance(to: place) <= reach
    }
  }
}
