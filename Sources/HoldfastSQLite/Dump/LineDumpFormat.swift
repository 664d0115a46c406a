/// A format with a value per line, after the name of its column.
///
/// ```swift
/// //    id = 1
/// //  name = Arthur
/// //
/// //    id = 2
/// //  name = Barbara
/// try db.dumpRequest(Player.all(), format: .line())
/// ```
///
/// Blobs are written as UTF-8.
///
/// - SeeAlso: <https://www.sqlite.org/cli.html#changing_output_formats>
public struct LineDumpFormat: DumpFormat, Sendable {
  /// The text of NULL.
  public var nullValue: String

  /// Creates the format.
  ///
  /// - Parameter nullValue: The text of NULL.
  public init(nullValue: String = "") {
    self.nullValue = nullValue
  }

  /// Writes a line per column, and an empty one before the next row.
  public mutating func writeRow(
    _ db: Database, statement: Statement, to stream: inout DumpStream
  ) {
    let width = statement.columnNames.map(\.count).max() ?? 0
    for (name, value) in zip(statement.columnNames, statement.databaseValues) {
      let indent = String(repeating: " ", count: width - name.count)
      stream.write(line: "\(indent)\(name) = \(value.text(nullValue: nullValue))")
    }
    stream.margin()
  }

  /// Writes nothing.
  public mutating func finalize(
    _ db: Database, statement: Statement, to stream: inout DumpStream
  ) {}
}

extension DumpFormat where Self == LineDumpFormat {
  /// A format with a value per line, after the name of its column; see
  /// ``LineDumpFormat/init(nullValue:)``.
  public static func line(nullValue: String = "") -> Self {
    LineDumpFormat(nullValue: nullValue)
  }
}
