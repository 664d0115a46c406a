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

  init(_ record: CSVRecord, of file: String, report: ReportBuilder) {
    self.file = file
    self.report = report
    names = (0..<record.count).map(record.text)
  }

  /// Finds a column by GTFS's name; a difference in letter case is accepted and reported.
  mutating func column(_ name: String, _ need: FeedColumn.Need = .optional) -> FeedColumn {
    known.insert(name)
    guard let index = index(of: name) else {
      switch need {
      case .required: add(.missingColumn(.error), name)
      case .expected: add(.missingColumn(.warning), name)
      case .optional: break
      }
      return FeedColumn(name: name, index: nil)
    }
    taken.insert(index)
    if names[index] != name { add(.columnNameCase(names[index]), name) }
    return FeedColumn(name: name, index: index)
  }

  /// Reports unknown and duplicate columns.
  func close() {
    var seen: Set<ExactText> = []
    for (index, name) in names.enumerated() where !name.isEmpty {
      if !seen.insert(ExactText(name)).inserted {
        add(.columnTwice(isKnown: known.contains(name)), name)
      } else if !taken.contains(index) {
        add(.unknownColumn(), name)
      }
    }
  }

  func add(_ problem: FeedProblem, _ field: String? = nil) {
    report.add(problem.at(file, line: 1, field: field))
  }

  private func index(of name: String) -> Int? {
    names.firstIndex(of: name) ?? names.firstIndex { $0.lowercased() == name }
  }
}
