/// A format with a row per line, and the values as they are.
///
/// ```swift
/// // 1|Arthur|500
/// // 2|Barbara|1000
/// try db.dumpRequest(Player.all(), format: .list())
/// ```
///
/// Blobs are written as UTF-8. A value may contain the separator or the end of a line, so other programs
/// cannot always read the lines; ``QuoteDumpFormat`` and ``JSONDumpFormat`` have no such values.
///
/// - SeeAlso: <https://www.sqlite.org/cli.html#changing_output_formats>
public struct ListDumpFormat: DumpFormat, Sendable {
  /// Whether the names of the columns are written before the first row.
  public var header: Bool

  /// The text between two values.
  public var separator: String

  /// The text of NULL.
  public var nullValue: String

  private var rows = DelimitedRows()

  /// Creates the format.
  ///
  /// - Parameters:
  ///   - header: Whether the names of the columns are written before the first row.
  ///   - separator: The text between two values.
  ///   - nullValue: The text of NULL.
  public init(header: Bool = false, separator: String = "|", nullValue: String = "") {
    self.header = header
    self.separator = separator
    self.nullValue = nullValue
  }

  /// Writes a line.
  public mutating func writeRow(
    _ db: Database, statement: Statement, to stream: inout DumpStream
  ) {
    rows.write(statement, hasHeader: header, separator: separator, to: &stream) {
      $0.text(nullValue: nullValue)
    }
  }

  /// Writes nothing.
  public mutating func finalize(
    _ db: Database, statement: Statement, to stream: inout DumpStream
  ) {
    rows.end()
  }
}

extension DumpFormat where Self == ListDumpFormat {
  /// A format with a row per line, and the values as they are; see
  /// ``ListDumpFormat/init(header:separator:nullValue:)``.
  public static func list(
    header: Bool = false, separator: String = "|", nullValue: String = ""
  ) -> Self {
    ListDumpFormat(header: header, separator: separator, nullValue: nullValue)
  }
}
