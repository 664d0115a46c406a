import HoldfastTransit

/// The columns of `shapes.txt`, and the conversion of a block of its rows to points.
///
/// - SeeAlso: <https://gtfs.org/documentation/schedule/reference/#shapestxt>
struct ShapePointTable: Sendable {
  static let file = "shapes.txt"

  /// The points of a block, in the file's order.
  struct Block: Sendable {
    /// Consecutive points of one shape.
    struct Run: Sendable {
      /// A row of the shape, which has its `shape_id`.
      var row: Int
      /// The index of the first point.
      var first: Int
    }

    var points: [StoredShape.Point] = []
    /// The row of each point.
    var rows: [Int32] = []
    var runs: [Run] = []
    /// The rows that are no point, except blank ones, and those with a distance that is none or a `shape_pt_sequence`
    /// with a fraction.
    var flawed: [Int] = []
  }

  private let id, latitude, longitude, sequence: Int
  private let distance: Int?
  private let columns: Int

  /// Finds the columns in the header, which reports missing ones; `nil` if there is no point without
  /// one of them.
  init?(_ header: inout FeedHeader) {
    let required = ["shape_id", "shape_pt_lat", "shape_pt_lon", "shape_pt_sequence"].map {
      header.column($0, .expected).index
    }
    distance = header.column("shape_dist_traveled").index
    columns = header.names.count
    guard let id = required[0], let latitude = required[1], let longitude = required[2],
      let sequence = required[3]
    else { return nil }
    (self.id, self.latitude, self.longitude, self.sequence) = (id, latitude, longitude, sequence)
  }

  /// Returns the `shape_id` of a row.
  func shapeID(_ parser: RowParser) -> String {
    String(decoding: parser.bytes(id), as: UTF8.self)
  }

  /// Converts the rows of a block.
  func points(of rows: CSVRows) -> Block {
    var block = Block()
    block.points.reserveCapacity(rows.count)
    block.rows.reserveCapacity(rows.count)
    let bytes = rows.bytes
    var last = 0..<0
    for row in 0..<rows.count {
      let id = rows.range(of: id, in: row)
      guard !id.isEmpty, fits(row, rows), let point = point(row, rows, bytes) else {
        if !rows.isBlank(row) { block.flawed.append(row) }
        continue
      }
      let hasFraction = bytes[rows.range(of: sequence, in: row)].contains(UInt8(ascii: "."))
      let lacksDistance =
        distance.map { point.distance == nil && !rows.range(of: $0, in: row).isEmpty } ?? false
      if hasFraction || lacksDistance { block.flawed.append(row) }
      if block.runs.isEmpty || !bytes[id].elementsEqual(bytes[last]) {
        block.runs.append(Block.Run(row: row, first: block.points.count))
        last = id
      }
      block.points.append(point)
      block.rows.append(Int32(row))
    }
    return block
  }

  /// Returns whether which value belongs to which column is known.
  private func fits(_ row: Int, _ rows: CSVRows) -> Bool {
    let count = rows.fieldCount(of: row)
    guard count > columns else { return true }
    return (columns..<count).allSatisfy { rows.range(of: $0, in: row).isEmpty }
  }

  private func point(_ row: Int, _ rows: CSVRows, _ bytes: [UInt8]) -> StoredShape.Point? {
    guard let latitude = DecimalField.value(of: bytes, rows.range(of: latitude, in: row)),
      let longitude = DecimalField.value(of: bytes, rows.range(of: longitude, in: row)),
      abs(latitude) <= 90, abs(longitude) <= 180,
      let sequence = Self.sequence(bytes, rows.range(of: sequence, in: row))
    else { return nil }
    let distance = distance.flatMap {
      DecimalField.value(of: bytes, rows.range(of: $0, in: row))
    }
    return StoredShape.Point(
      latitude: latitude, longitude: longitude, sequence: sequence, distance: distance)
  }

  private static func sequence(_ bytes: [UInt8], _ range: Range<Int>) -> Int64? {
    DecimalField.number(of: bytes, range)
      ?? bytes[range].beforeZeroFraction.flatMap { DecimalField.number(of: bytes, $0.indices) }
  }

  /// Reports why a row is no point, or its distance none, or that its `shape_pt_sequence` has a fraction.
  ///
  /// Surplus cells and text that is cut off are reported with the row's text.
  func report(_ parser: RowParser) {
    func column(_ name: String, _ index: Int) -> FeedColumn { FeedColumn(name: name, index: index) }
    let record = parser.record
    if record.count > columns { return }
    for (name, index) in [
      ("shape_id", id), ("shape_pt_lat", latitude), ("shape_pt_lon", longitude),
      ("shape_pt_sequence", sequence),
    ] where record.isBlank(index) {
      parser.add(.blankValue(.blankKeyOfRow), column(name, index))
      return
    }
    for (name, index, limit) in [
      ("shape_pt_lat", latitude, 90.0), ("shape_pt_lon", longitude, 180.0),
    ] {
      guard let value = record.decimal(index) else {
        return parser.add(.noNumber(.badShapePoint, record.text(index)), column(name, index))
      }
      if abs(value) > limit {
        return parser.add(.shapePointOutOfRange(record.text(index), limit), column(name, index))
      }
    }
    let place = column("shape_pt_sequence", sequence)
    if parser.wholeNumber(place, sequence).map({ $0 < 0 }) ?? true {
      return parser.add(.badShapeSequence(record.text(sequence)), place)
    }
    if let distance, !record.isBlank(distance), record.decimal(distance) == nil {
      parser.add(
        .noNumber(.badDecimal, record.text(distance)), column("shape_dist_traveled", distance))
    }
  }
}
