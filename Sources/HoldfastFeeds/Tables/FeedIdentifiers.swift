/// The identifiers of one file with their lines; a duplicate is an error.
struct FeedIdentifiers {
  /// The identifiers, numbered like their rows unless one is a duplicate.
  private(set) var table = InternTable<UInt8>()
  /// The lines of the identifiers by their numbers.
  private var lines: [Int] = []

  mutating func insert(_ id: String, of column: FeedColumn, in parser: RowParser) {
    let (number, isNew) = table.insert(id.utf8)
    if isNew {
      lines.append(parser.line)
    } else {
      parser.add(.duplicate(id, firstLine: lines[number]), column)
    }
  }
}
