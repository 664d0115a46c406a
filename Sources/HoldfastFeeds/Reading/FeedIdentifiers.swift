import Holdfast

/// The identifiers of one file with their lines; a duplicate is an error.
struct FeedIdentifiers {
  private var lines: [ExactText: Int] = [:]

  mutating func insert(_ id: String, of column: FeedColumn, in parser: RowParser) {
    if let line = lines[ExactText(id)] {
      parser.add(.duplicate(id, firstLine: line), column)
    } else {
      lines[ExactText(id)] = parser.line
    }
  }
}
