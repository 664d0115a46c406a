/// A format with a row per line, and the values as SQL literals.
///
/// ```swift
/// // 1,'Arthur',X'00FF'
/// // 2,'Barbara',NULL
/// try db.dumpRequest(Player.all(), format: .quote())
/// ```
///
/// SQLite reads each literal as the same value again, in a database of any encoding. Depending on its
/// version it rounds some real numbers nearer to zero than 1e-80 or greater than 1e80. Control
/// characters other than the line feed, and those that reverse a text, are written by `char`:
/// `'a'||char(0)`. A text that is not valid UTF-8 is a cast: `CAST(X'61FF' AS TEXT)`.
///
/// - SeeAlso: <https://www.sqlite.org/cli.html#changing_output_formats>
public struct QuoteDumpFormat: DumpFormat, Sendable {
  /// Whether the names of the columns are written before the first row, as literals too.
  public var header: Bool

  /// The text between two values.
  public var separator: String

  private var rows = DelimitedRows()

  /// Creates the format.
  ///
  /// - Parameters:
  ///   - header: Whether the names of the columns are written before the first row.
  ///   - separator: The text between two values.
  public init(header: Bool = false, separator: String = ",") {
    self.header = header
    self.separator = separator
  }

  /// Writes a line, or several for a text with ends of lines.
  public mutating func writeRow(
    _ db: Database, statement: Statement, to stream: inout DumpStream
  ) {
    rows.write(
      statement, hasHeader: header, separator: separator, to: &stream, text: \.printableLiteral)
  }

  /// Writes nothing.
  public mutating func finalize(
    _ db: Database, statement: Statement, to stream: inout DumpStream
  ) {
    rows.end()
  }
}

extension DumpFormat where Self == QuoteDumpFormat {
  /// A format with a row per line, and the values as SQL literals; see
  /// ``QuoteDumpFormat/init(header:separator:)``.
  public static func quote(header: Bool = false, separator: String = ",") -> Self {
    QuoteDumpFormat(header: header, separator: separator)
  }
}
