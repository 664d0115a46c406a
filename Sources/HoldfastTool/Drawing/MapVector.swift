/// A position or a direction on the map, in pixels from the upper left corner.
struct MapVector: Hashable {
  var x: Double
  var y: Double

  init(_ x: Double, _ y: Double) {
    (self.x, self.y) = (x, y)
  }

  /// Creates the position of a point of the frame.
  init(_ point: MapFrame.Point) {
    self.init(Double(point.x) / 10, Double(point.y) / 10)
  }

  /// The point in tenths of a pixel.
  var point: MapFrame.Point {
    MapFrame.Point(x: Int((x * 10).rounded()), y: Int((y * 10).rounded()))
  }

  var length: Double { (x * x + y * y).squareRoot() }

  /// The direction with the length 1; zero for a vector without a length.
  var unit: MapVector { length > 0 ? self * (1 / length) : self }

  /// The direction to the right of this one, on a map whose y grows downwards.
  var normal: MapVector { MapVector(-y, x) }

  func dot(_ other: MapVector) -> Double { x * other.x + y * other.y }

  func distance(to other: MapVector) -> Double { (self - other).length }

  /// Returns the distance to a straight line between two positions.
  func distance(toLineFrom start: MapVector, to end: MapVector) -> Double {
    let line = end - start
    let square = line.dot(line)
    guard square > 0 else { return distance(to: start) }
    let share = min(1, max(0, (self - start).dot(line) / square))
    return distance(to: start + line * share)
  }

  static func + (left: MapVector, right: MapVector) -> MapVector {
    MapVector(left.x + right.x, left.y + right.y)
  }

  static func - (left: MapVector, right: MapVector) -> MapVector {
    MapVector(left.x - right.x, left.y - right.y)
  }

  static func * (left: MapVector, factor: Double) -> MapVector {
    MapVector(left.x * factor, left.y * factor)
  }
}
