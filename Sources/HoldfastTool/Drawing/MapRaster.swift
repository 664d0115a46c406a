/// The covered places of a map, in small squares, so that names find a free place.
struct MapRaster {
  /// The kinds of shapes that cover a square.
  struct Cover: OptionSet {
    let rawValue: UInt8

    static let line = Cover(rawValue: 1)
    /// A stop or a name.
    static let mark = Cover(rawValue: 2)
  }

  /// A rectangle in pixels.
  struct Box {
    var x: ClosedRange<Double>
    var y: ClosedRange<Double>

    /// Creates a box from its left upper corner.
    init(x: Double, y: Double, width: Double, height: Double) {
      (self.x, self.y) = (x...(x + max(0, width)), y...(y + max(0, height)))
    }
  }

  /// The area that is covered, which is wider than the map.
  private let area: Box
  private let size: Double
  private let columns: Int
  private let rows: Int
  private var squares: [Cover]

  /// Creates an empty area.
  init(_ area: Box) {
    self.area = area
    let (width, height) = (
      area.x.upperBound - area.x.lowerBound, area.y.upperBound - area.y.lowerBound
    )
    // About a million squares for the largest picture.
    size = max(2, (width * height / 1_000_000).squareRoot())
    columns = Int((width / size).rounded(.up)) + 1
    rows = Int((height / size).rounded(.up)) + 1
    squares = Array(repeating: [], count: columns * rows)
  }

  private func column(_ x: Double) -> Int {
    Int(min(Double(columns), max(-1, ((x - area.x.lowerBound) / size).rounded(.down))))
  }

  private func row(_ y: Double) -> Int {
    Int(min(Double(rows), max(-1, ((y - area.y.lowerBound) / size).rounded(.down))))
  }

  /// Returns whether a box lies within the area.
  func contains(_ box: Box) -> Bool {
    area.x.contains(box.x.lowerBound) && area.x.contains(box.x.upperBound)
      && area.y.contains(box.y.lowerBound) && area.y.contains(box.y.upperBound)
  }

  /// Covers a box.
  mutating func cover(_ box: Box, with cover: Cover) {
    forEachSquare(of: box) { squares, index in squares[index].insert(cover) }
  }

  /// Covers a polyline of a width.
  mutating func cover(_ path: [MapVector], width: Double, with cover: Cover) {
    for (start, end) in zip(path, path.dropFirst()) {
      let count = max(1, Int((start.distance(to: end) / size).rounded(.up)))
      for number in 0...count {
        let place = start + (end - start) * (Double(number) / Double(count))
        self.cover(
          Box(x: place.x - width / 2, y: place.y - width / 2, width: width, height: width),
          with: cover)
      }
    }
  }

  /// Returns how many squares of a box are covered by lines, and whether any is by a mark.
  func covered(_ box: Box) -> (lineCount: Int, hasMark: Bool) {
    var (lineCount, hasMark) = (0, false)
    for row in max(0, row(box.y.lowerBound))...max(0, min(rows - 1, row(box.y.upperBound))) {
      for column in max(
        0, column(box.x.lowerBound))...max(0, min(columns - 1, column(box.x.upperBound)))
      {
        let cover = squares[row * columns + column]
        if cover.contains(.mark) { hasMark = true }
        if cover.contains(.line) { lineCount += 1 }
      }
    }
    return (lineCount, hasMark)
  }

  private mutating func forEachSquare(
    of box: Box, _ body: (inout [Cover], Int) -> Void
  ) {
    let (top, bottom) = (max(0, row(box.y.lowerBound)), min(rows - 1, row(box.y.upperBound)))
    let (left, right) = (
      max(0, column(box.x.lowerBound)), min(columns - 1, column(box.x.upperBound))
    )
    guard top <= bottom, left <= right else { return }
    for row in top...bottom {
      for column in left...right { body(&squares, row * columns + column) }
    }
  }
}
