/// The rows of a statement, each on a line, as several formats write them.
struct DelimitedRows: Sendable {
  private var isFirst = true

  /// Writes the current row, and the names of the columns before the first one.
  ///
  /// - Parameters:
  ///   - statement: The statement, which is at a row.
  ///   - hasHeader: Whether the names are written.
  ///   - separator: The text between two values.
  ///   - stream: The destination.
  ///   - text: Returns the text of a value; a name is passed to it as a value too.
  mutating func write(
    _ statement: Statement, hasHeader: Bool, separator: String, to stream: inout DumpStream,
    text: (DatabaseValue) -> String
  ) {
    if isFirst, hasHeader {
      stream.write(
        line: statement.columnNames.map { text($0.databaseValue) }.joined(separator: separator))
    }
    isFirst = false
    stream.write(line: statement.databaseValues.map(text).joined(separator: separator))
  }

  /// Begins the rows of another statement.
  mutating func end() {
    isFirst = true
  }
}
