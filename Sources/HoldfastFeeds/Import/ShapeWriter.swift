import Holdfast
import HoldfastTransit

/// The shapes of a feed on their way from `shapes.txt` into a timetable database.
///
/// The rows of a shape are usually adjacent: it is written when the next one begins, so that memory
/// holds one shape. Rows of a shape that was written already wait in a table, and are added to it at
/// the end.
struct ShapeWriter {
  /// The table of the rows that wait; a temporary one, because the header of the file counts changes
  /// of the schema, and equal feeds give equal bytes.
  private static let staging = "rows_of_shapes"

  private let db: Database
  private let shapes: ShapeTable
  private let report: ReportBuilder
  private let insertion: Statement
  private var others: OtherColumns
  private var shapeID: String?
  /// Whether the shape was written before, and other shapes after it.
  private var isWritten = false
  private var points: [StoredShape.Point] = []
  private var surplus = 0
  private var count = 0
  /// The number of points with the sequence number of the point before.
  private var repeated = 0
  /// The shapes that were written.
  private var written: Set<ExactText> = []
  private var hasStaged = false

  init(_ db: Database, others: OtherColumns, report: ReportBuilder) throws {
    self.db = db
    self.others = others
    self.report = report
    shapes = ShapeTable(db)
    try db.execute(
      sql: """
        CREATE TEMP TABLE \(Self.staging) (shape_id, sequence, latitude, longitude, distance, others)
        """)
    insertion = try db.makeStatement(
      sql: "INSERT INTO \(Self.staging) VALUES (?, ?, ?, ?, ?, ?)")
  }

  /// Adds the points of a block.
  mutating func add(
    _ block: ShapePointTable.Block, _ rows: CSVRows, of table: ShapePointTable
  ) throws {
    var parser = RowParser(file: ShapePointTable.file, report: report)
    for row in block.flawed {
      parser.record = rows[row]
      table.report(parser)
    }
    for (position, run) in block.runs.enumerated() {
      let end =
        position + 1 < block.runs.count ? block.runs[position + 1].first : block.points.count
      parser.record = rows[run.row]
      try begin(table.shapeID(parser))
      for index in run.first..<end {
        var point = block.points[index]
        if !others.isEmpty {
          parser.record = rows[Int(block.rows[index])]
          point.others = others.number(parser)
        }
        try add(point)
      }
    }
  }

  private mutating func begin(_ shapeID: String) throws {
    if let current = self.shapeID, current.hasSameBytes(as: shapeID) { return }
    try writeCurrent()
    self.shapeID = shapeID
    isWritten = written.contains(ExactText(shapeID))
  }

  private mutating func add(_ point: StoredShape.Point) throws {
    guard let shapeID else { return }
    if isWritten {
      hasStaged = true
      return try insertion.execute(
        arguments: [
          shapeID, point.sequence, point.latitude, point.longitude, point.distance, point.others,
        ])
    }
    if points.count < StoredShape.mostPoints {
      points.append(point)
    } else {
      surplus += 1
    }
  }

  /// Writes the shape whose rows were the last ones.
  private mutating func writeCurrent() throws {
    guard let shapeID, !points.isEmpty else { return }
    // Until all records are known, the texts are their numbers.
    let shape = Self.numbered(points)
    try shapes.write(shape, shapeID)
    tally(shape)
    written.insert(ExactText(shapeID))
    points.removeAll(keepingCapacity: true)
  }

  /// Completes the shapes after the last row.
  ///
  /// - Parameter isSimplified: Whether only the points are kept that are enough to draw the paths.
  /// - Returns: The number of points that were written.
  /// - Throws: `DatabaseError` when the disk is full.
  mutating func finish(isSimplified: Bool) throws -> Int {
    try writeCurrent()
    // Only rows that have a point were given a record.
    others.useAll()
    let names = others.names
    for (position, name) in names.enumerated() {
      try db.execute(
        sql: "INSERT INTO other_columns (file, position, name) VALUES (?, ?, ?)",
        arguments: [ShapePointTable.file, position + 1, name])
    }
    if hasStaged {
      try db.execute(sql: "CREATE INDEX temp.\(Self.staging)_id ON \(Self.staging) (shape_id)")
    }
    if isSimplified || hasStaged || !names.isEmpty {
      (count, repeated) = (0, 0)
      try rewriteAll(isSimplified: isSimplified)
    }
    if repeated > 0 {
      report.add(
        .repeatedShapeSequence(repeated).at(ShapePointTable.file, field: "shape_pt_sequence"))
    }
    if surplus > 0 { report.add(.tooManyShapePoints(surplus).at(ShapePointTable.file)) }
    try db.execute(sql: "DROP TABLE \(Self.staging)")
    return count
  }

  private mutating func tally(_ shape: StoredShape) {
    count += shape.points.count
    repeated += zip(shape.points, shape.points.dropFirst()).count { $0.sequence == $1.sequence }
  }

  /// Completes each shape with the rows that wait for it and the texts of its records.
  private mutating func rewriteAll(isSimplified: Bool) throws {
    for shapeID in try shapes.shapeIDs() {
      guard var shape = try shapes.shape(shapeID) else { continue }
      let staged = try hasStaged ? stagedPoints(of: shapeID, atMost: shape.points.count) : []
      if !staged.isEmpty {
        let stored = shape.points.map { point in
          var point = point
          if point.others >= 0 { point.others = Int32(shape.texts[Int(point.others)]) ?? -1 }
          return point
        }
        shape = Self.numbered(stored + staged)
      }
      let texts = shape.texts.compactMap { Int32($0).flatMap { others.text($0) } }
      let isChanged = isSimplified || !texts.isEmpty || !staged.isEmpty
      if isChanged {
        shape = Self.named(shape.points, texts)
        if isSimplified {
          let kept = ShapeSimplifier.kept(shape.points).map { shape.points[$0] }
          shape = Self.named(kept, shape.texts)
        }
        try shapes.write(shape, shapeID)
      }
      tally(shape)
    }
  }

  /// Returns the rows that wait for a shape.
  private mutating func stagedPoints(
    of shapeID: String, atMost taken: Int
  ) throws -> [StoredShape.Point] {
    var points: [StoredShape.Point] = []
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT latitude, longitude, sequence, distance, others FROM \(Self.staging)
        WHERE shape_id = ? ORDER BY rowid
        """, arguments: [shapeID])
    while let row = try rows.next() {
      if taken + points.count >= StoredShape.mostPoints {
        surplus += 1
        continue
      }
      points.append(
        StoredShape.Point(
          latitude: try row.decode(atIndex: 0), longitude: try row.decode(atIndex: 1),
          sequence: try row.decode(atIndex: 2), distance: try row.decode(atIndex: 3),
          others: try row.decode(atIndex: 4)))
    }
    return points
  }

  /// Returns a shape whose texts are the numbers of the records.
  private static func numbered(_ points: [StoredShape.Point]) -> StoredShape {
    var points = points
    var indices: [Int32: Int32] = [:]
    var texts: [String] = []
    for index in points.indices where points[index].others >= 0 {
      let number = points[index].others
      if indices[number] == nil {
        indices[number] = Int32(texts.count)
        texts.append(String(number))
      }
      points[index].others = indices[number] ?? -1
    }
    return StoredShape(points, texts: texts)
  }

  /// Returns a shape with the texts that its points have, sorted, so that the order of rows does not
  /// matter.
  private static func named(_ points: [StoredShape.Point], _ texts: [String]) -> StoredShape {
    let used = Set(points.map(\.others)).filter { $0 >= 0 }
      .sorted { ExactText(texts[Int($0)]) < ExactText(texts[Int($1)]) }
    var indices: [Int32: Int32] = [:]
    for (index, number) in used.enumerated() { indices[number] = Int32(index) }
    let named = points.map { point in
      var point = point
      point.others = indices[point.others] ?? -1
      return point
    }
    return StoredShape(named, texts: used.map { texts[Int($0)] })
  }
}

extension FeedReading {
  /// Writes the shapes into a timetable database.
  ///
  /// - Parameters:
  ///   - db: The connection, inside a transaction.
  ///   - detail: How much of them is kept.
  /// - Returns: The number of points; `nil` if the feed has no shapes, or none are kept.
  /// - Throws: ``FeedError`` with `.damaged` or `.unreadable`; `DatabaseError` with SQLite's code;
  ///   whatever the progress throws.
  func writeShapes(_ db: Database, _ detail: ShapeDetail) throws -> Int? {
    guard detail != .none else { return nil }
    return try readShapes { rows in
      guard var header = rows.header else { return nil }
      let table = ShapePointTable(&header)
      let others = OtherColumns(header.others())
      header.close(refusesDuplicates: false)
      guard let table else {
        try rows.forEachBlock({ _ in }, { _, _ in })
        return nil
      }
      var writer = try ShapeWriter(db, others: others, report: report)
      try rows.forEachBlock({ table.points(of: $0) }) { try writer.add($1, $0, of: table) }
      return try writer.finish(isSimplified: detail == .simplified)
    }
  }
}
