import Foundation

/// The lines of a map: pieces between two points that many trips share, joined to long lines.
struct MapLines {
  /// A style in which lines are drawn together.
  struct Style: Hashable, Comparable {
    /// The place among the styles, from the bottom up.
    var layer: Int
    /// Six hexadecimal digits.
    var color: String
    /// The width in tenths of a pixel.
    var width: Int

    /// Within a layer the widest are at the bottom, so that a narrow line is seen on a wide one.
    static func < (left: Style, right: Style) -> Bool {
      (left.layer, -left.width, left.color) < (right.layer, -right.width, right.color)
    }
  }

  private struct Piece: Hashable {
    var from: MapFrame.Point
    var to: MapFrame.Point
    var layer: Int
    var color: String
  }

  private var tripCounts: [Piece: Int] = [:]

  /// The distance between points that are drawn as one, in tenths of a pixel.
  private(set) var grid = 5

  /// The number of pieces above which points are drawn as one at a greater distance, so that the
  /// picture of a country is no larger than that of a city.
  private static let most = 40_000

  /// The number of pieces.
  var count: Int { tripCounts.count }

  /// Adds a way.
  ///
  /// - Parameters:
  ///   - points: The points of the way; `nil` where it is interrupted.
  ///   - layer: The place among the lines, from the bottom up.
  ///   - color: Six hexadecimal digits.
  ///   - tripCount: The number of trips that take it.
  mutating func add(
    _ points: [MapFrame.Point?], layer: Int, color: String, tripCount: Int
  ) {
    for (from, to) in zip(points, points.dropFirst()) {
      guard let from, let to else { continue }
      add(Piece(from: from, to: to, layer: layer, color: color), tripCount)
    }
    while tripCounts.count > Self.most, grid < 160 {
      grid *= 2
      let finer = tripCounts
      tripCounts = [:]
      for (piece, count) in finer { add(piece, count) }
    }
  }

  private mutating func add(_ piece: Piece, _ tripCount: Int) {
    let (from, to) = (snapped(piece.from), snapped(piece.to))
    guard from != to else { return }
    var piece = piece
    (piece.from, piece.to) = from < to ? (from, to) : (to, from)
    tripCounts[piece, default: 0] += tripCount
  }

  private func snapped(_ point: MapFrame.Point) -> MapFrame.Point {
    func snapped(_ value: Int) -> Int {
      Int((Double(value) / Double(grid)).rounded(.toNearestOrAwayFromZero)) * grid
    }
    return MapFrame.Point(x: snapped(point.x), y: snapped(point.y))
  }

  // MARK: - Drawing

  /// Returns the lines of each style, from the bottom up; the same for equal pieces in any order.
  func lines() -> [(style: Style, lines: [[MapFrame.Point]])] {
    let most = Double(tripCounts.values.max() ?? 1)
    var pieces: [Style: [(MapFrame.Point, MapFrame.Point)]] = [:]
    for (piece, count) in tripCounts {
      let style = Style(
        layer: piece.layer, color: piece.color, width: Self.width(Double(count) / most))
      pieces[style, default: []].append((piece.from, piece.to))
    }
    return pieces.sorted { $0.key < $1.key }.map { ($0.key, Self.joined($0.value)) }
  }

  /// Returns one of eight widths for the share of the busiest piece's trips.
  private static func width(_ share: Double) -> Int {
    // A tenth of the trips is half as wide.
    let step = (max(0.0001, share).squareRoot().squareRoot() * 7).rounded()
    return 7 + Int(step) * 5
  }

  /// Joins pieces to lines; each piece is in one line.
  private static func joined(
    _ pieces: [(MapFrame.Point, MapFrame.Point)]
  ) -> [[MapFrame.Point]] {
    var neighbors: [MapFrame.Point: [MapFrame.Point]] = [:]
    for (from, to) in pieces {
      neighbors[from, default: []].append(to)
      neighbors[to, default: []].append(from)
    }
    for (point, all) in neighbors { neighbors[point] = all.sorted(by: >) }
    var drawn: Set<[MapFrame.Point]> = []
    func next(from point: MapFrame.Point) -> MapFrame.Point? {
      while let other = neighbors[point]?.popLast() {
        if drawn.insert(point < other ? [point, other] : [other, point]).inserted { return other }
      }
      return nil
    }
    // A line begins at a point where an odd number of pieces meet, or else anywhere on a ring.
    let points = neighbors.keys.sorted()
    let ends = points.filter { (neighbors[$0]?.count ?? 0) % 2 == 1 }
    var lines: [[MapFrame.Point]] = []
    for point in ends + points {
      while var last = next(from: point) {
        var line = [point, last]
        while let following = next(from: last) {
          line.append(following)
          last = following
        }
        lines.append(line)
      }
    }
    return lines
  }
}
