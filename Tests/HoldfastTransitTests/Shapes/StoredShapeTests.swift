import HoldfastTestSupport
import Testing

@testable import HoldfastTransit

/// The bytes of a shape, and which of its points are enough to draw it.
@Suite struct StoredShapeTests {
  private func path(
    _ random: inout SeededRandom, count: Int, digits: Double
  ) -> [StoredShape.Point] {
    var (latitude, longitude) = (-33.86, 151.2)
    return (0..<count).map { index in
      latitude += Double.random(in: -0.001...0.001, using: &random)
      longitude += Double.random(in: -0.001...0.001, using: &random)
      return StoredShape.Point(
        latitude: (latitude * digits).rounded() / digits,
        longitude: (longitude * digits).rounded() / digits, sequence: Int64(index) * 3,
        distance: Int.random(in: 0..<3, using: &random) == 0 ? nil : Double(index) / 7,
        others: Int32.random(in: -1..<3, using: &random))
    }
  }

  @Test(arguments: [(0, 1e6), (1, 1e6), (2, 1e8), (500, 1e6), (500, 1e8), (300, 1e15)])
  func `a shape is the same after it was stored, to the last digit`(
    count: Int, digits: Double
  ) throws {
    var random = SeededRandom(seed: UInt64(count) + UInt64(digits))
    let points = path(&random, count: count, digits: digits)
    let shape = StoredShape(points, texts: ["a", "", "é,\"\""])
    let stored = try StoredShape(shape.bytes)
    #expect(stored.points == points)
    if points.contains(where: { $0.others >= 0 }) { #expect(stored.texts == shape.texts) }
  }

  @Test func `six digits take about four bytes a point`() {
    var random = SeededRandom(seed: 7)
    let points = path(&random, count: 1000, digits: 1e6).map {
      StoredShape.Point(
        latitude: $0.latitude, longitude: $0.longitude, sequence: $0.sequence)
    }
    #expect(StoredShape(points).bytes.count < 4500)
  }

  @Test func `points in any order are sorted by their numbers, then by their content`() {
    var random = SeededRandom(seed: 3)
    var points = path(&random, count: 20, digits: 1e6)
    points[4].sequence = points[5].sequence
    let texts = ["c", "a", "b"]
    let sorted = StoredShape(points, texts: texts)
    for _ in 0..<10 {
      #expect(StoredShape(points.shuffled(using: &random), texts: texts) == sorted)
    }
  }

  @Test func `damaged bytes are an error or a shape, whatever they are`() throws {
    var random = SeededRandom(seed: 11)
    let bytes = StoredShape(path(&random, count: 40, digits: 1e6), texts: ["a", "b", "c"]).bytes
    var errors = 0
    for length in 0..<bytes.count {
      #expect(throws: DamagedBytes.self) { try StoredShape(Array(bytes.prefix(length))) }
    }
    for _ in 0..<2000 {
      var damaged = bytes
      damaged[Int.random(in: 0..<bytes.count, using: &random)] ^=
        1 << UInt8.random(in: 0..<8, using: &random)
      do {
        for point in try StoredShape(damaged).points {
          #expect(abs(point.latitude) <= 90 && abs(point.longitude) <= 180)
        }
      } catch is DamagedBytes {
        errors += 1
      }
    }
    #expect(errors > 100)
  }

  // MARK: Simplification

  /// Returns the distance in meters between a point and the line between two others, computed in
  /// another way than the simplifier's: by the sides of the triangle on the sphere.
  private func distance(
    of point: StoredShape.Point, from line: (StoredShape.Point, StoredShape.Point)
  ) throws -> Double {
    func position(_ point: StoredShape.Point) throws -> Position {
      try Position(latitude: point.latitude, longitude: point.longitude)
    }
    let (one, other, own) = (try position(line.0), try position(line.1), try position(point))
    let base = one.distance(to: other).meters
    let (left, right) = (one.distance(to: own).meters, other.distance(to: own).meters)
    guard base > 0, left * left <= right * right + base * base,
      right * right <= left * left + base * base
    else { return min(left, right) }
    let half = (base + left + right) / 2
    return 2 * max(0, half * (half - base) * (half - left) * (half - right)).squareRoot() / base
  }

  @Test(arguments: [1.0, 0.1, 0.02])
  func `every point that is left out is within five meters of the path`(scale: Double) throws {
    var random = SeededRandom(seed: 5)
    let points = path(&random, count: 600, digits: 1e6).map { point in
      StoredShape.Point(
        latitude: -33 + (point.latitude + 33) * scale,
        longitude: 151 + (point.longitude - 151) * scale,
        sequence: point.sequence)
    }
    let kept = ShapeSimplifier.kept(points)
    #expect(kept.first == 0 && kept.last == 599)
    for (first, last) in zip(kept, kept.dropFirst()) {
      for index in first..<last {
        // The sphere is not a plane: a hundredth more.
        #expect(try distance(of: points[index], from: (points[first], points[last])) < 5.05)
      }
    }
    if scale < 0.1 { #expect(kept.count < 400) }
  }

  @Test func `a straight line across the antimeridian is two points`() {
    let points = (0...100).map { index in
      let longitude = 179.95 + Double(index) * 0.001
      return StoredShape.Point(
        latitude: -17, longitude: longitude > 180 ? longitude - 360 : longitude,
        sequence: Int64(index))
    }
    #expect(ShapeSimplifier.kept(points) == [0, 100])
    // A bend of a hundred meters stays.
    var bent = points
    bent[50].latitude += 0.001
    #expect(ShapeSimplifier.kept(bent) == [0, 49, 50, 51, 100])
  }

  @Test func `a long path that turns at every point is simplified in bounded time`() {
    let points = (0..<20_000).map { index in
      StoredShape.Point(
        latitude: index.isMultiple(of: 2) ? 0 : 1, longitude: Double(index) / 1000,
        sequence: Int64(index))
    }
    #expect(ShapeSimplifier.kept(points).count == points.count)
  }
}
