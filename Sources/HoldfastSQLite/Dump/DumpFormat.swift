/// A format in which rows are dumped.
///
/// The formats of this module are ``debug(header:separator:nullValue:)``, ``json(encoder:)``,
/// ``line(nullValue:)``, ``list(header:separator:nullValue:)`` and ``quote(header:separator:)``. A format
/// of your own reads ``Statement/databaseValues``:
///
/// ```swift
/// struct TabbedFormat: DumpFormat {
///   mutating func writeRow(_ db: Database, statement: Statement, to stream: inout DumpStream) {
///     stream.write(statement.databaseValues.map(\.description).joined(separator: "\t") + "\n")
///   }
///
///   mutating func finalize(_ db: Database, statement: Statement, to stream: inout DumpStream) {}
/// }
/// ```
///
/// Each statement is dumped by a copy of the format, so that it begins with the same state.
public protocol DumpFormat {
  /// Writes the current row of a statement.
  ///
  /// - Parameters:
  ///   - db: The connection.
  ///   - statement: The statement, which is at a row.
  ///   - stream: The destination.
  /// - Throws: Any error, which ends the dump.
  mutating func writeRow(_ db: Database, statement: Statement, to stream: inout DumpStream) throws

  /// Writes what follows the last row of a statement, or stands in the place of its rows; also after an
  /// error, which ends the rows.
  ///
  /// - Parameters:
  ///   - db: The connection.
  ///   - statement: The statement, which is at its end or has failed.
  ///   - stream: The destination.
  mutating func finalize(_ db: Database, statement: Statement, to stream: inout DumpStream)
}
