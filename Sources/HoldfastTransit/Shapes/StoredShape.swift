/// The points of a shape, as the database stores them in one blob.
///
/// `docs/transit-format.md` describes the bytes.
package struct StoredShape: Equatable, Sendable {
  /// A point: a row of `shapes.txt`.
  package struct Point: Equatable, Sendable {
    /// `shape_pt_lat`, in degrees.
    package var latitude: Double
    /// `shape_pt_lon`, in degrees.
    package var longitude: Double
    /// `shape_pt_sequence`.
    package var sequence: Int64
    /// `shape_dist_traveled`, finite; `nil` if blank.
    package var distance: Double?
    /// The index of the record of other columns in ``StoredShape/texts``; -1 if all are blank.
    package var others: Int32

    /// Creates a point.
    package init(
      latitude: Double, longitude: Double, sequence: Int64, distance: Double? = nil,
      others: Int32 = -1
    ) {
      (self.latitude, self.longitude, self.sequence) = (latitude, longitude, sequence)
      (self.distance, self.others) = (distance, others)
    }
  }

  /// The largest number of points.
  package static let mostPoints = 1 << 20

  private static let distanceBit: UInt64 = 1
  private static let othersBit: UInt64 = 2

  /// The points, in the order of their sequence numbers.
  package var points: [Point]
  /// The records of other columns, in CSV.
  package var texts: [String]

  /// Creates a shape, and sorts its points.
  ///
  /// Points with the same sequence number are ordered by their content, so that the order of the
  /// feed's rows does not matter.
  ///
  /// - Parameters:
  ///   - points: The points, in any order; at most ``mostPoints``.
  ///   - texts: The records of other columns.
  package init(_ points: [Point], texts: [String] = []) {
    self.texts = texts
    let isSorted = zip(points, points.dropFirst()).allSatisfy { $0.sequence < $1.sequence }
    self.points =
      isSorted
      ? points
      : points.sorted { one, other in
        if one.sequence != other.sequence { return one.sequence < other.sequence }
        let (first, second) = (Self.key(of: one), Self.key(of: other))
        if first != second { return first.lexicographicallyPrecedes(second) }
        guard one.others != other.others, one.others >= 0, other.others >= 0 else {
          return one.others < other.others
        }
        return texts[Int(one.others)].utf8.lexicographicallyPrecedes(texts[Int(other.others)].utf8)
      }
  }

  private static func key(of point: Point) -> [Double] {
    [point.latitude, point.longitude, point.distance ?? -1, point.distance == nil ? 0 : 1]
  }

  // MARK: - Bytes

  /// The bytes of the blob.
  package var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.append(count: points.count)
    let hasDistance = points.contains { $0.distance != nil }
    let hasOthers = points.contains { $0.others >= 0 }
    writer.append(
      unsigned: (hasDistance ? Self.distanceBit : 0) | (hasOthers ? Self.othersBit : 0))
    IntegerColumn.append(steady: points.map(\.sequence), to: &writer)
    DistanceColumn.append(steady: points.map(\.latitude), to: &writer)
    DistanceColumn.append(steady: points.map(\.longitude), to: &writer)
    if hasDistance {
      IntegerColumn.append(points.map { $0.distance == nil ? 0 : 1 }, to: &writer)
      DistanceColumn.append(steady: points.compactMap(\.distance), to: &writer)
    }
    if hasOthers {
      IntegerColumn.append(points.map { Int64($0.others) + 1 }, to: &writer)
      writer.append(count: texts.count)
      // Without shared beginnings: no text takes more memory than bytes.
      for text in texts {
        writer.append(count: text.utf8.count)
        writer.append(contentsOf: text.utf8)
      }
    }
    return writer.bytes
  }

  /// Decodes a blob.
  ///
  /// - Parameter bytes: The bytes, which may be anything.
  /// - Throws: ``DamagedBytes`` when they are not a shape.
  package init(_ bytes: [UInt8]) throws {
    var reader = ByteReader(bytes)
    let count = try reader.count(upTo: Self.mostPoints)
    let bits = try reader.unsigned()
    guard bits <= Self.distanceBit | Self.othersBit else { throw DamagedBytes() }
    let sequences = try IntegerColumn.read(count, from: &reader)
    let latitudes = try DistanceColumn.read(count, from: &reader)
    let longitudes = try DistanceColumn.read(count, from: &reader)
    points = []
    points.reserveCapacity(count)
    for index in 0..<count {
      let (latitude, longitude) = (latitudes[index], longitudes[index])
      guard abs(latitude) <= 90, abs(longitude) <= 180,
        index == 0 || sequences[index - 1] <= sequences[index]
      else { throw DamagedBytes() }
      points.append(
        Point(latitude: latitude, longitude: longitude, sequence: sequences[index]))
    }
    if bits & Self.distanceBit != 0 {
      let exists = try IntegerColumn.read(count, from: &reader)
      let indices = exists.indices.filter { exists[$0] != 0 }
      let distances = try DistanceColumn.read(indices.count, from: &reader)
      for (index, distance) in zip(indices, distances) {
        guard distance.isFinite else { throw DamagedBytes() }
        points[index].distance = distance
      }
    }
    texts = []
    if bits & Self.othersBit != 0 {
      let others = try IntegerColumn.read(Int32.self, count, from: &reader)
      for _ in 0..<(try reader.count(upTo: bytes.count)) {
        let length = try reader.count(upTo: bytes.count)
        let own = try reader.bytes(length)
        guard let text = String(validating: own, as: UTF8.self) else { throw DamagedBytes() }
        texts.append(text)
      }
      for (index, number) in others.enumerated() {
        guard number >= 0, number <= texts.count else { throw DamagedBytes() }
        points[index].others = number - 1
      }
    }
    try reader.end()
  }
}
