import Holdfast

/// A column of a feed's file, as its table asks for it.
struct FeedColumn {
  /// What the lack of a column or of its value means.
  enum Need {
    /// The feed is refused without the column.
    case required
    /// GTFS requires the column; the feed is used without it.
    case expected
    case optional
  }

  /// The name as GTFS spells it.
  var name: String
  /// The number of the field in each row; `nil` if the file lacks the column.
  var index: Int?
}

/// The header of one file, from which its table takes the columns it knows.
struct FeedHeader {
  let file: String
  let names: [String]
  private let journal: ReportBuilder
  private var known: Set<String> = []
  private var taken: Set<Int> = []

  init(_ record: CSVRecord, of file: String, journal: ReportBuilder) {
    self.file = file
    self.journal = journal
    names = (0..<record.count).map(record.text)
  }

  /// Finds a column by GTFS's name; another case is forgiven and noted.
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

  /// Notes the columns that no table asked for, and those that stand there twice.
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
    journal.add(problem.at(file, line: 1, field: field))
  }

  private func index(of name: String) -> Int? {
    names.firstIndex(of: name) ?? names.firstIndex { $0.lowercased() == name }
  }
}
