import HoldfastTransit

/// The rules of GTFS for the columns of a file whose values an import keeps as text.
///
/// The rows are examined on several threads, and what is found is reported in the file's order.
struct FileRules: Sendable {
  /// A column whose values name a row of another file.
  struct Reference: Sendable {
    var column: String
    var file: String
    /// The name under which the values of that file are known.
    var values: String

    init(_ column: String, _ file: String, values: String? = nil) {
      (self.column, self.file, self.values) = (column, file, values ?? file)
    }

    /// The column of that file that has the values; `nil` if it is the one that identifies a row.
    var namedColumn: String? { values == file ? FileRules.all[file]?.sharedKey : values }
  }

  /// The columns that every row must have; the first one is the key if ``hasKey``.
  var required: [String] = []
  /// The columns that every row must have if the feed has several agencies.
  var requiredOfSeveralAgencies: [String] = []
  /// Whether no two rows have the same value in the first required column.
  var hasKey = false
  /// The columns of which no two rows have all values in common; without ``hasKey``.
  ///
  /// No other file refers to such a row, unless by ``sharedKey``.
  var compoundKey: [String] = []
  /// Whether no two rows have all values in common, also those of columns that GTFS does not define.
  ///
  /// "`Primary key (*)` is used when all provided fields for a file are used to uniquely identify a row."
  var isKeyedByRow = false
  /// The column by whose values other files refer to all rows with this value.
  var sharedKey: String?
  var references: [Reference] = []
  /// The columns whose values are small numbers with a meaning each.
  var choices: [(column: String, range: ClosedRange<Int>)] = []
  /// The columns that must be numbers.
  var numbers: [String] = []
  /// The columns that must be numbers of at least 0.
  var amounts: [String] = []
  /// The columns that must be whole numbers of at least 0.
  var counts: [String] = []
  /// The columns that must be times.
  var times: [String] = []
  /// The rules that only this file has.
  var special: Special?

  enum Special: Sendable {
    case transferDistance, attributionRole, pathwayLoop, timeOrder
  }

  /// A flaw of a row in a block.
  fileprivate struct Finding: Sendable {
    enum Kind: Sendable {
      case blank, unknownReference, unknownValue, zeroFraction, noNumber, noInteger, noTime
      case outOfRange
      case far(Double), noRole, loop, reversed, empty
    }
    var row: Int
    var column: Int
    var kind: Kind
  }

  /// The rules with the columns of one header, and the identifiers that are known.
  fileprivate struct Examination: Sendable {
    var required: [Int] = []
    var references: [(index: Int, reference: Reference, table: InternTable<UInt8>)] = []
    var choices: [(index: Int, range: ClosedRange<Int>)] = []
    var numbers: [Int] = []
    var amounts: [Int] = []
    var counts: [Int] = []
    var times: [Int] = []
    var special: (kind: Special, columns: [Int])?
    var positions: [Position?] = []
  }

  /// Reads the rows of a file, and examines them.
  ///
  /// - Parameters:
  ///   - rows: The rows.
  ///   - header: The header.
  ///   - known: The identifiers of files that were read before.
  ///   - report: The report on the feed.
  ///   - add: Called with each block, in the file's order and on the caller's thread.
  /// - Throws: ``FeedError`` with `.damaged` or `.unreadable`; whatever the progress throws.
  func examine(
    _ rows: inout FeedRows, _ header: FeedHeader, _ known: inout KnownIdentifiers,
    in report: ReportBuilder, alsoReading add: (CSVRows) -> Void = { _ in }
  ) throws {
    for name in requirements(known) where header.firstIndex(of: name) == nil {
      header.addMissing(name, .missingExpectedColumn)
    }
    let examination = examination(header, known)
    let key =
      isKeyedByRow
      ? Array(header.names.indices)
      : (hasKey ? [required[0]] : compoundKey).compactMap(header.firstIndex(of:))
    let shared = sharedKey.flatMap(header.firstIndex(of:))
    var keys = InternTable<UInt8>()
    var lines: [UInt32] = []
    try rows.forEachBlock { block in
      examination.findings(in: block)
    } _: { block, findings in
      for finding in findings {
        report.add(
          problem(finding, block[finding.row], examination)
            .at(
              header.file, line: block.line(of: finding.row), field: header.names[finding.column]))
      }
      add(block)
      if let shared { known.insert(block, column: shared, of: header.file) }
      guard let first = key.first else { return }
      for row in 0..<block.count {
        let values = key.filter { !block[row].isBlank($0) }
        guard !values.isEmpty else { continue }
        // No text contains the byte 255.
        let (number, isNew) = keys.insert(
          hasKey
            ? Array(block[row].bytes(first))
            : Array(key.map { Array(block[row].bytes($0)) }.joined(separator: [255])))
        if isNew {
          lines.append(UInt32(clamping: block.line(of: row)))
        } else {
          let text = values.map(block[row].text).joined(separator: ", ")
          report.add(
            .duplicate(text, firstLine: Int(lines[number]), .duplicateIDOfOtherFile)
              .at(header.file, line: block.line(of: row), field: header.names[values[0]]))
        }
      }
    }
    if hasKey, !key.isEmpty { known.insert(keys, of: header.file) }
  }

  private func requirements(_ known: KnownIdentifiers) -> [String] {
    required + (known.mustNameAgency ? requiredOfSeveralAgencies : [])
  }

  private func examination(_ header: FeedHeader, _ known: KnownIdentifiers) -> Examination {
    var examination = Examination()
    examination.required = requirements(known).compactMap(header.firstIndex(of:))
    examination.references = references.compactMap { reference in
      guard let index = header.firstIndex(of: reference.column),
        let table = known[reference.values]
      else { return nil }
      return (index, reference, table)
    }
    examination.choices = choices.compactMap { choice in
      header.firstIndex(of: choice.column).map { ($0, choice.range) }
    }
    examination.numbers = (numbers + amounts).compactMap(header.firstIndex(of:))
    examination.amounts = amounts.compactMap(header.firstIndex(of:))
    examination.counts = counts.compactMap(header.firstIndex(of:))
    examination.times = times.compactMap(header.firstIndex(of:))
    if let special {
      let columns = special.columns.map { header.firstIndex(of: $0) ?? -1 }
      let isComplete =
        special == .attributionRole ? columns.contains { $0 >= 0 } : !columns.contains(-1)
      if isComplete { examination.special = (special, columns) }
      examination.positions = known.positions
    }
    return examination
  }

  private func problem(
    _ finding: Finding, _ record: CSVRecord, _ examination: Examination
  ) -> FeedProblem {
    let text = record.text(finding.column)
    switch finding.kind {
    case .blank: return .blankValue(.blankValue)
    case .unknownReference:
      let reference = examination.references.first { $0.index == finding.column }?.reference
      return .unknownReference(
        .unknownKeyOfOtherFile, text, reference?.file ?? "", column: reference?.namedColumn)
    case .unknownValue: return .unknownValue(text, leftOut: false)
    case .zeroFraction: return .zeroFraction(text, record.wholeNumber(finding.column) ?? 0)
    case .noNumber: return .noNumber(.badTextNumber, text)
    case .noInteger: return .noNumber(.badTextInteger, text)
    case .noTime: return .badTime(.badTextTime, text)
    case .outOfRange: return .negative(text)
    case .far(let meters): return .transferDistance(text, meters: meters)
    case .noRole: return .attributionWithoutRole()
    case .loop: return .pathwayLoop(text)
    case .reversed: return .spanOfTimes(.reversedSpan, text)
    case .empty: return .spanOfTimes(.emptySpan, text)
    }
  }
}

extension FileRules.Examination {
  /// Returns what the rows of a block have, in their order.
  fileprivate func findings(in rows: CSVRows) -> [FileRules.Finding] {
    var findings: [FileRules.Finding] = []
    for row in 0..<rows.count where !rows.isBlank(row) {
      let record = rows[row]
      func find(_ kind: FileRules.Finding.Kind, _ column: Int) {
        findings.append(FileRules.Finding(row: row, column: column, kind: kind))
      }
      for index in required where record.isBlank(index) { find(.blank, index) }
      for (index, _, table) in references where !record.isBlank(index) {
        if table.number(of: record.bytes(index)) == nil { find(.unknownReference, index) }
      }
      for (index, range) in choices where !record.isBlank(index) {
        if record.integer(index).map(range.contains) == true { continue }
        let number = record.wholeNumber(index)
        find(number.map(range.contains) == true ? .zeroFraction : .unknownValue, index)
      }
      for index in numbers where !record.isBlank(index) && record.decimal(index) == nil {
        find(.noNumber, index)
      }
      for index in amounts {
        if let amount = record.decimal(index), amount < 0 { find(.outOfRange, index) }
      }
      for index in counts where !record.isBlank(index) {
        switch record.wholeNumber(index) {
        case nil: find(.noInteger, index)
        case let count? where count < 0: find(.outOfRange, index)
        default: if record.integer(index) == nil { find(.zeroFraction, index) }
        }
      }
      for index in times where !record.isBlank(index) {
        if WindowRules.seconds(record.text(index)) == nil { find(.noTime, index) }
      }
      if let special, let (kind, column) = finding(special, record) { find(kind, column) }
    }
    return findings
  }

  private func finding(
    _ special: (kind: FileRules.Special, columns: [Int]), _ record: CSVRecord
  ) -> (FileRules.Finding.Kind, Int)? {
    let columns = special.columns
    switch special.kind {
    case .transferDistance:
      let stops = references.first { $0.reference.file == StopTable.file }?.table
      let places = columns.map { column in
        stops?.number(of: record.bytes(column)).flatMap { positions[$0] }
      }
      guard let from = places[0], let to = places[1] else { return nil }
      let meters = from.distance(to: to).meters
      return meters > 2000 ? (.far(meters), columns[1]) : nil
    case .attributionRole:
      let hasRole = columns.contains { $0 >= 0 && record.wholeNumber($0) == 1 }
      return hasRole ? nil : (.noRole, columns.first { $0 >= 0 } ?? 0)
    case .pathwayLoop:
      let (from, to) = (record.bytes(columns[0]), record.bytes(columns[1]))
      return !from.isEmpty && from == to ? (.loop, columns[1]) : nil
    case .timeOrder:
      let times = columns.map { WindowRules.seconds(record.text($0)) }
      guard let start = times[0], let end = times[1], end <= start else { return nil }
      return (end == start ? .empty : .reversed, columns[1])
    }
  }
}

extension FileRules.Special {
  /// The columns that the rule examines.
  var columns: [String] {
    switch self {
    case .transferDistance, .pathwayLoop: ["from_stop_id", "to_stop_id"]
    case .attributionRole: ["is_producer", "is_operator", "is_authority"]
    case .timeOrder: ["start_time", "end_time"]
    }
  }
}
