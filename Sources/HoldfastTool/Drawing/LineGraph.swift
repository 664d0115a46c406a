/// The ways of all lines as a graph: ways that run close to each other share its edges.
///
/// Paths are added one after the other; each one follows the edges that are there as long as it runs
/// beside them in the same direction. What is added first decides where an edge lies.
///
/// - SeeAlso: Brosi and Bast, "Metro Maps from Raw Data", 2021, which merges lines in this way.
struct LineGraph {
  /// Two neighboring nodes, the lower number first.
  struct Edge: Hashable, Comparable {
    var from: Int
    var to: Int

    init(_ first: Int, _ second: Int) {
      (from, to) = (min(first, second), max(first, second))
    }

    static func < (left: Edge, right: Edge) -> Bool {
      (left.from, left.to) < (right.from, right.to)
    }
  }

  /// The way of a line through a node.
  struct Turn: Hashable {
    var line: Int
    var node: Int
    /// The neighbors, the lower number first.
    var neighbors: Edge
  }

  /// The positions of the nodes.
  private(set) var nodes: [MapVector] = []
  /// The neighbors of each node.
  private(set) var neighbors: [[Int]] = []
  /// The numbers of trips of each edge, by line.
  private(set) var trips: [Edge: [Int: Int]] = [:]
  private(set) var turns: Set<Turn> = []

  private var cells: [Cell: [Int]] = [:]

  private struct Cell: Hashable {
    var x: Int
    var y: Int
  }

  /// The distance between the samples of a path, in pixels.
  private let step: Double
  /// The least distance between the nodes of a path.
  private let spacing: Double
  /// The distance from which a path joins another one, and at which it leaves it again.
  private let reach: (joining: Double, leaving: Double)
  /// The number of nodes of a path after which it may join itself, as on the way back.
  private static let ownTail = 8

  /// Creates a graph without nodes.
  ///
  /// - Parameter reach: The distance within which ways are drawn side by side, in pixels.
  init(reach: Double) {
    self.reach = (reach, reach * 1.5)
    step = reach / 3
    spacing = reach * 0.6
  }

  // MARK: - Adding

  /// Adds the way of a line.
  ///
  /// - Parameters:
  ///   - points: The points of the way; `nil` where it is interrupted.
  ///   - line: The number of the line.
  ///   - tripCount: The number of trips that take it.
  mutating func add(_ points: [MapFrame.Point?], line: Int, tripCount: Int) {
    for part in points.split(separator: nil) where part.count > 1 {
      add(part.compactMap { $0.map { MapVector($0) } }, line, tripCount)
    }
  }

  /// A place of a path, and the direction in which the path leads there.
  private struct Sample {
    var place: MapVector
    var direction: MapVector
  }

  private func samples(of points: [MapVector]) -> [Sample] {
    var samples: [Sample] = []
    for (start, end) in zip(points, points.dropFirst()) {
      let length = start.distance(to: end)
      guard length > 0 else { continue }
      let direction = (end - start).unit
      let count = max(1, Int((length / step).rounded(.up)))
      for number in (samples.isEmpty ? 0 : 1)...count {
        let place = start + (end - start) * (Double(number) / Double(count))
        samples.append(Sample(place: place, direction: direction))
      }
    }
    return samples
  }

  /// Returns where a path runs beside others long enough to join them.
  private func joins(_ samples: [Sample]) -> [Bool] {
    var isNear: [Bool] = []
    for sample in samples {
      let node = nearest(
        to: sample.place, sample.direction, isNear.last ?? false, except: [])
      isNear.append(node != nil)
    }
    // The runs of places near others; a short interruption does not end one.
    var runs: [Range<Int>] = []
    for index in isNear.indices where isNear[index] {
      if let last = runs.last, index - last.upperBound <= Self.shortestGap {
        runs[runs.count - 1] = last.lowerBound..<(index + 1)
      } else {
        runs.append(index..<(index + 1))
      }
    }
    var joins = [Bool](repeating: false, count: samples.count)
    for run in runs where run.count >= min(Self.shortestRun, samples.count * 2 / 3) {
      for index in run { joins[index] = true }
    }
    return joins
  }

  /// The least number of samples along which paths are drawn as one, and of those between two runs.
  private static let shortestRun = 16
  private static let shortestGap = 8

  private mutating func add(_ points: [MapVector], _ line: Int, _ tripCount: Int) {
    var walk = Walk()
    let samples = samples(of: points)
    for (sample, joins) in zip(samples, joins(samples)) {
      visit(sample.place, sample.direction, joins: joins, &walk)
    }
    // The last node lies where the way ends.
    if let last = points.last, let node = walk.nodes.last, !walk.isJoined,
      nodes[node].distance(to: last) > spacing / 2
    {
      append(addNode(at: last), to: &walk)
    }
    for (one, other) in zip(walk.nodes, walk.nodes.dropFirst()) {
      trips[Edge(one, other), default: [:]][line, default: 0] += tripCount
    }
    for index in walk.nodes.indices.dropFirst().dropLast() {
      let around = Edge(walk.nodes[index - 1], walk.nodes[index + 1])
      turns.insert(Turn(line: line, node: walk.nodes[index], neighbors: around))
    }
  }

  /// The nodes of a path that is being added.
  private struct Walk {
    var nodes: [Int] = []
    /// Whether the last node was there before.
    var isJoined = false
  }

  private mutating func visit(
    _ place: MapVector, _ direction: MapVector, joins: Bool, _ walk: inout Walk
  ) {
    let passed = walk.nodes.suffix(Self.ownTail)
    // On another path the last node may still be the nearest one; a node that was passed is not returned to.
    let tail = walk.isJoined ? passed.dropLast() : passed
    if joins, let node = nearest(to: place, direction, walk.isJoined, except: tail) {
      guard node != walk.nodes.last else { return }
      guard walk.isJoined || isAhead(nodes[node], direction, of: walk) else { return }
      append(node, to: &walk)
      walk.isJoined = true
      return
    }
    if let last = walk.nodes.last {
      guard nodes[last].distance(to: place) >= spacing,
        !walk.isJoined || isAhead(place, direction, of: walk)
      else { return }
    }
    append(addNode(at: place), to: &walk)
    walk.isJoined = false
  }

  /// Returns whether a way to another path, or away from it, is not steep; a path may be too far beside it.
  private func isAhead(_ place: MapVector, _ direction: MapVector, of walk: Walk) -> Bool {
    guard let last = walk.nodes.last else { return true }
    let way = place - nodes[last]
    return way.unit.dot(direction) > 0.85 || way.length > 4 * reach.leaving
  }

  private mutating func append(_ node: Int, to walk: inout Walk) {
    if let last = walk.nodes.last, last != node {
      // A neighbor of both is on the way.
      let between = neighbors[last].first { neighbors[$0].contains(node) }
      if !neighbors[last].contains(node) {
        if let between, isOnTheWay(between, from: last, to: node) {
          walk.nodes.append(between)
        } else {
          neighbors[last].append(node)
          neighbors[node].append(last)
        }
      }
    }
    walk.nodes.append(node)
  }

  private func isOnTheWay(_ node: Int, from: Int, to: Int) -> Bool {
    nodes[from].distance(to: nodes[node]) + nodes[node].distance(to: nodes[to])
      < nodes[from].distance(to: nodes[to]) * 1.2
  }

  private mutating func addNode(at place: MapVector) -> Int {
    nodes.append(place)
    neighbors.append([])
    cells[cell(of: place), default: []].append(nodes.count - 1)
    return nodes.count - 1
  }

  // MARK: - Finding

  private func cell(of place: MapVector) -> Cell {
    Cell(
      x: Int((place.x / reach.leaving).rounded(.down)),
      y: Int((place.y / reach.leaving).rounded(.down)))
  }

  /// Returns the nearest node that a path may join: one whose edges lead into its direction.
  private func nearest(
    to place: MapVector, _ direction: MapVector, _ isJoined: Bool, except tail: ArraySlice<Int>
  ) -> Int? {
    let most = isJoined ? reach.leaving : reach.joining
    var found: (node: Int, distance: Double)?
    let middle = cell(of: place)
    for x in middle.x - 1...middle.x + 1 {
      for y in middle.y - 1...middle.y + 1 {
        for node in cells[Cell(x: x, y: y)] ?? [] {
          let distance = nodes[node].distance(to: place)
          guard distance <= most, distance < found?.distance ?? .infinity, !tail.contains(node),
            distance < 0.3 || isParallel(node, direction)
          else { continue }
          found = (node, distance)
        }
      }
    }
    return found?.node
  }

  /// Returns the nodes of the cells around a place; nodes within a distance are among them.
  ///
  /// - Parameters:
  ///   - place: The place.
  ///   - distance: The distance in pixels.
  /// - Returns: The numbers of the nodes, also of some that are farther away.
  func nodes(around place: MapVector, within distance: Double) -> [Int] {
    let middle = cell(of: place)
    let count = Int((distance / reach.leaving).rounded(.up))
    var result: [Int] = []
    for x in middle.x - count...middle.x + count {
      for y in middle.y - count...middle.y + count { result += cells[Cell(x: x, y: y)] ?? [] }
    }
    return result
  }

  private func isParallel(_ node: Int, _ direction: MapVector) -> Bool {
    neighbors[node].contains { other in
      (nodes[other] - nodes[node]).unit.dot(direction).magnitude > 0.85
    }
  }
}
