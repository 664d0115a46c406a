/// Rules for the points of `shapes.txt`, and for the trips that name a shape.
struct ShapeRules {
  static let file = "shapes.txt"

  /// A flaw of a point.
  private struct Finding: Sendable {
    enum Kind: Sendable {
      case blank, noNumber, noInteger, negative, outOfRange(Int), decreasing(Double, Double)
    }
    var row: Int
    var column: Int
    var kind: Kind
  }

  /// The points of one shape that follow each other in a block.
  private struct Run: Sendable {
    var row: Int
    var count: Int
    /// Where the points of the run that have all values begin.
    var firstPoint: Int
  }

  private struct Examined: Sendable {
    var findings: [Finding] = []
    var points: [ShapePoints.Point] = []
    var runs: [Run] = []
  }

  /// The columns of one header.
  private struct Columns: Sendable {
    var id, latitude, longitude, sequence: Int
    var distance: Int?
  }

  private struct Shape {
    var line: UInt32
    var points: UInt32
  }

  private(set) var ids = InternTable<UInt8>()
  private(set) var points = ShapePoints()
  private var shapes: [Shape] = []
  private var isRead = false

  /// Reads the rows of the file, and examines them.
  ///
  /// - Throws: ``FeedError`` with `.damaged` or `.unreadable`; whatever the progress throws.
  mutating func examine(
    _ rows: inout FeedRows, _ header: FeedHeader, in report: ReportBuilder
  ) throws {
    let names = ["shape_id", "shape_pt_lat", "shape_pt_lon", "shape_pt_sequence"]
    let indices = names.compactMap(header.firstIndex(of:))
    for name in names where header.firstIndex(of: name) == nil {
      header.addMissing(name, .missingExpectedColumn)
    }
    guard indices.count == names.count else {
      return try rows.forEachBlock({ _ in }, { _, _ in })
    }
    isRead = true
    let columns = Columns(
      id: indices[0], latitude: indices[1], longitude: indices[2], sequence: indices[3],
      distance: header.firstIndex(of: "shape_dist_traveled"))
    try rows.forEachBlock { block in
      Self.examined(block, columns)
    } _: { block, examined in
      for finding in examined.findings {
        report.add(
          Self.problem(finding, block[finding.row])
            .at(header.file, line: block.line(of: finding.row), field: header.names[finding.column])
        )
      }
      for (position, run) in examined.runs.enumerated() {
        let (number, isNew) = ids.insert(block[run.row].bytes(columns.id))
        if isNew {
          shapes.append(Shape(line: UInt32(clamping: block.line(of: run.row)), points: 0))
        }
        let points = shapes[number].points.addingReportingOverflow(UInt32(clamping: run.count))
        shapes[number].points = points.overflow ? .max : points.partialValue
        let end =
          position + 1 < examined.runs.count
          ? examined.runs[position + 1].firstPoint : examined.points.count
        self.points.add(examined.points[run.firstPoint..<end], to: number)
      }
    }
  }

  /// Reports shapes that no trip has, and trips that name no shape.
  func finish(_ schedule: FeedSchedule, in report: ReportBuilder) {
    var isUsed = [Bool](repeating: false, count: ids.count)
    var isExamined = [Bool](repeating: false, count: schedule.assembler.texts.count)
    for trip in schedule.trips where trip.shape >= 0 && !isExamined[Int(trip.shape)] {
      isExamined[Int(trip.shape)] = true
      if let number = ids.number(of: schedule.assembler.texts[Int(trip.shape)]) {
        isUsed[number] = true
      } else {
        let id = schedule.assembler.texts.text(Int(trip.shape))
        report.add(
          .unknownReference(.unknownShape, id, Self.file)
            .at(TripTable.file, line: Int(trip.line), field: "shape_id"))
      }
    }
    guard isRead else { return }
    var repeated = 0
    for (number, shape) in shapes.enumerated() {
      repeated += points.repeatedSequences(of: number)
      if !isUsed[number] { add(.unusedShape(ids.text(number)), shape, report) }
      if let (distance, last) = points.firstDecrease(of: number) {
        report.add(
          .decreasingDistance(distance, after: last, .decreasingShapeDistance)
            .at(Self.file, line: Int(shape.line), field: "shape_dist_traveled"))
      }
      if shape.points == 1 { add(.onePointOfShape(ids.text(number)), shape, report) }
    }
    if repeated > 0 {
      report.add(.repeatedShapeSequence(repeated).at(Self.file, field: "shape_pt_sequence"))
    }
  }

  private func add(_ problem: FeedProblem, _ shape: Shape, _ report: ReportBuilder) {
    report.add(problem.at(Self.file, line: Int(shape.line), field: "shape_id"))
  }

  // MARK: One block

  private static func examined(_ rows: CSVRows, _ columns: Columns) -> Examined {
    var examined = Examined()
    var last: (id: ArraySlice<UInt8>, sequence: Int?, distance: Double?)?
    for row in 0..<rows.count where !rows.isBlank(row) {
      let record = rows[row]
      func find(_ kind: Finding.Kind, _ column: Int) {
        examined.findings.append(Finding(row: row, column: column, kind: kind))
      }
      for (column, limit) in [(columns.latitude, 90), (columns.longitude, 180)] {
        if record.isBlank(column) {
          find(.blank, column)
        } else if !isPlainDegrees(record.bytes(column), below: limit) {
          switch record.decimal(column) {
          case nil: find(.noNumber, column)
          case let degrees? where abs(degrees) > Double(limit): find(.outOfRange(limit), column)
          default: break
          }
        }
      }
      let number = record.wholeNumber(columns.sequence)
      if (number ?? -1) < 0 {
        let kind: Finding.Kind = number == nil ? .noInteger : .negative
        find(record.isBlank(columns.sequence) ? .blank : kind, columns.sequence)
      }
      let id = record.bytes(columns.id)
      if id.isEmpty {
        find(.blank, columns.id)
        last = nil
        continue
      }
      let isSame = last.map { $0.id == id } ?? false
      if isSame { examined.runs[examined.runs.count - 1].count += 1 }
      if !isSame {
        examined.runs.append(Run(row: row, count: 1, firstPoint: examined.points.count))
      }
      if let latitude = record.decimal(columns.latitude), abs(latitude) <= 90,
        let longitude = record.decimal(columns.longitude), abs(longitude) <= 180,
        let sequence = number
      {
        let distance = columns.distance.flatMap { record.decimal($0) }
        examined.points.append(
          ShapePoints.Point(
            latitude: latitude, longitude: longitude, sequence: Int32(clamping: sequence),
            distance: distance ?? .nan))
      }
      guard let column = columns.distance, !record.isBlank(column) else {
        last = (id, nil, nil)
        continue
      }
      let (sequence, distance) = (number, record.decimal(column))
      if distance == nil { find(.noNumber, column) }
      if let distance, distance < 0 { find(.negative, column) }
      if isSame, let before = last, let earlier = before.sequence, let sequence,
        sequence > earlier, let distance, let shorter = before.distance, distance < shorter
      {
        find(.decreasing(distance, shorter), column)
      }
      last = (id, sequence, distance)
    }
    return examined
  }

  /// Returns whether a text is a number of degrees in the usual form that is within a limit, without
  /// converting it.
  private static func isPlainDegrees(_ text: ArraySlice<UInt8>, below limit: Int) -> Bool {
    var whole = 0
    var digits = 0
    var hasPoint = false
    for (position, byte) in text.enumerated() {
      switch byte {
      case UInt8(ascii: "-") where position == 0: continue
      case UInt8(ascii: ".") where digits > 0 && !hasPoint: hasPoint = true
      case 0x30...0x39:
        digits += 1
        if !hasPoint { whole = whole * 10 + Int(byte - 0x30) }
        if whole >= limit { return false }
      default: return false
      }
    }
    return digits > 0
  }

  private static func problem(_ finding: Finding, _ record: CSVRecord) -> FeedProblem {
    let text = record.text(finding.column)
    switch finding.kind {
    case .blank: return .blankValue(.blankValue)
    case .noNumber: return .noNumber(.badTextNumber, text)
    case .noInteger: return .noNumber(.badTextInteger, text)
    case .negative: return .negative(text)
    case .outOfRange(let limit):
      return .outOfRange(text, "-\(limit) to \(limit)", .outOfRangeOfOtherFile)
    case .decreasing(let distance, let last):
      return .decreasingDistance(distance, after: last, .decreasingShapeDistance)
    }
  }
}
