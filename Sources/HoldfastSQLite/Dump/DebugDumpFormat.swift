import Foundation

/// A format with a row per line, for developers to read.
///
/// ```swift
/// // 1|Arthur|69BF8A9C-D9F0-4777-BD11-93451D84CBCF
/// // 2|Barbara|
/// try db.dumpRequest(Player.all(), format: .debug())
/// ```
///
/// A blob is written as text if it is printable UTF-8, else as a UUID if it has 16 bytes, else as a SQL
/// literal. A text is written as it is, with its control characters. The format may change; use another
/// one where a program or a test reads the lines.
public struct DebugDumpFormat: DumpFormat, Sendable {
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
    rows.write(statement, hasHeader: header, separator: separator, to: &stream) { value in
      if case .blob(let bytes) = value.storage {
        Self.text(of: bytes)
      } else {
        value.text(nullValue: nullValue)
      }
    }
  }

  /// Writes nothing.
  public mutating func finalize(
    _ db: Database, statement: Statement, to stream: inout DumpStream
  ) {
    rows.end()
  }

  private static func text(of bytes: Data) -> String {
    if let text = String(validating: bytes, as: UTF8.self),
      !text.unicodeScalars.contains(where: \.isUnprintable)
    {
      return text
    }
    return UUID.fromDatabaseValue(bytes.databaseValue)?.uuidString ?? bytes.blobLiteral
  }
}

extension DumpFormat where Self == DebugDumpFormat {
  /// A format with a row per line, for developers to read; see
  /// ``DebugDumpFormat/init(header:separator:nullValue:)``.
  public static func debug(
    header: Bool = false, separator: String = "|", nullValue: String = ""
  ) -> Self {
    DebugDumpFormat(header: header, separator: separator, nullValue: nullValue)
  }
}
