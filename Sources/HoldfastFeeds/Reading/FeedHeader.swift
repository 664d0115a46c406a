import Holdfast

/// A column of a feed's file, as its table declares it.
struct FeedColumn: Sendable {
  /// The consequence of a missing column or a missing value.
  enum Need {
    /// The feed is refused without the column.
    case required
    /// GTFS requires the column, but the feed is used without it.
    case expected
    case optional
  }

  /// The name as GTFS spells it.
  var name: String
  /// The number of the field in each row; `nil` if the file lacks the column.
  var index: Int?
}

/// The header of one file, in which its table finds the columns that it knows.
struct FeedHeader {
  /// The number of columns that GTFS does not know and that are kept.
  ///
  /// A table or a result of SQLite has at most 2000 columns, and the known ones must fit as well.
  static let mostOthers = 1900

  let file: String
  let names: [String]
  private let report: ReportBuilder
  private var known: Set<String> = []
  private var taken: Set<Int> = []
  private var keepsOthers = false

  init(_ record: CSVRecord, of file: String, report: ReportBuilder) {
    self.file = file
    self.report = report
    names = (0..<record.count).map(record.text)
  }

  /// Finds a column by GTFS's name; a difference in letter case is accepted and reported.
  mutating func column(_ name: String, _ need: FeedColumn.Need = .optional) -> FeedColumn {
    known.insert(name)
    guard let index = firstIndex(of: name) else {
      switch need {
      case .required: addMissing(name, .missingColumn)
      case .expected: addMissing(name, .missingExpectedColumn)
      case .optional: break
      }
      return FeedColumn(name: name, index: nil)
    }
    taken.insert(index)
    if names[index] != name { add(.columnNameCase(names[index]), name) }
    return FeedColumn(name: name, index: index)
  }

  /// Finds the columns that are kept as text: those that GTFS defines and the table has no property
  /// for, and those that no call of ``column(_:_:)`` has found.
  ///
  /// - Parameter known: The names of the former.
  /// - Returns: The columns that the file has, each name once.
  mutating func others(known: [String] = []) -> [FeedColumn] {
    keepsOthers = true
    let found = known.map { column($0) }.filter { $0.index != nil }
    var others: [FeedColumn] = []
    // They become columns in SQL, whose names SQLite compares without the case of letters.
    var seen = Set(self.known.map(\.foldedDatabaseIdentifier))
    for (index, name) in names.enumerated() where !name.isEmpty && !taken.contains(index) {
      // Of two columns with the same name the first one counts, as for known names.
      let name = name.replacing("\0", with: "\u{FFFD}")
      guard seen.insert(name.foldedDatabaseIdentifier).inserted else { continue }
      others.append(FeedColumn(name: name, index: index))
    }
    if others.count > Self.mostOthers {
      add(.tooManyColumns(others.count - Self.mostOthers))
      others.sort { ExactText($0.name) < ExactText($1.name) }
      others.removeLast(others.count - Self.mostOthers)
    }
    return found + others
  }

  /// Reports unknown and duplicate columns.
  ///
  /// - Parameter refusesDuplicates: Whether a feed is refused whose file has a known column twice.
  func close(refusesDuplicates: Bool = true) {
    var seen: Set<DatabaseIdentifier> = []
    for (index, name) in names.enumerated() where !name.isEmpty {
      if !seen.insert(name.foldedDatabaseIdentifier).inserted {
        add(.columnTwice(isKnown: refusesDuplicates && known.contains(name)), name)
      } else if !taken.contains(index) {
        add(.unknownColumn(isKept: keepsOthers), name)
      }
    }
  }

  func add(_ problem: FeedProblem, _ field: String? = nil) {
    report.add(problem.at(file, line: 1, field: field))
  }

  /// Reports that a column is missing.
  func addMissing(_ name: String, _ flaw: FeedFlaw) { add(.missingColumn(flaw, separator), name) }

  /// What seems to separate the values in place of commas; `nil` if nothing does.
  private var separator: String? {
    guard names.count == 1, let name = names.first else { return nil }
    return [(";", "semicolons"), ("\t", "tabs"), ("|", "vertical bars")]
      .first { name.contains($0.0) }?.1
  }

  /// Returns the number of a column by GTFS's name, without reporting anything.
  func firstIndex(of name: String) -> Int? {
    names.firstIndex(of: name) ?? names.firstIndex { $0.lowercased() == name }
  }
}
