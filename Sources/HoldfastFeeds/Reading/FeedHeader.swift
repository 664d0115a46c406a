import Holdfast

/// A column of a feed's file, as its table declares it.
struct FeedColumn {
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
      case .required: add(.missingColumn(.missingColumn), name)
      case .expected: add(.missingColumn(.missingExpectedColumn), name)
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
    var others = known.map { column($0) }.filter { $0.index != nil }
    var seen = Set(others.map { ExactText($0.name) })
    for (index, name) in names.enumerated() where !name.isEmpty && !taken.contains(index) {
      // Of two columns with the same name the first one counts, as for known names.
      guard !self.known.contains(name), seen.insert(ExactText(name)).inserted else { continue }
      others.append(
        FeedColumn(name: name.replacing("\0", with: "\u{FFFD}"), index: index))
    }
    return others
  }

  /// Reports unknown and duplicate columns.
  func close() {
    var seen: Set<ExactText> = []
    for (index, name) in names.enumerated() where !name.isEmpty {
      if !seen.insert(ExactText(name)).inserted {
        add(.columnTwice(isKnown: known.contains(name)), name)
      } else if !taken.contains(index) {
        add(.unknownColumn(isKept: keepsOthers), name)
      }
    }
  }

  func add(_ problem: FeedProblem, _ field: String? = nil) {
    report.add(problem.at(file, line: 1, field: field))
  }

  /// Returns the number of a column by GTFS's name, without reporting anything.
  func firstIndex(of name: String) -> Int? {
    names.firstIndex(of: name) ?? names.firstIndex { $0.lowercased() == name }
  }
}
