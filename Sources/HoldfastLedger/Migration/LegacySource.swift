/// The table in which an older version of an app recorded its files.
///
/// ```swift
/// let old = LegacySource(table: "download", idColumns: ["id"], pathColumn: "file")
/// ```
public struct LegacySource: Hashable, Sendable {
  /// The name of the table, in the main database.
  public var table: String

  /// The columns with the identifiers, in the order of ``LedgerTable/idColumns``.
  public var idColumns: [String]

  /// The column of the path; rows without one are left out.
  public var pathColumn: String

  /// The column that is 1 for the rows that are imported; without it, all are.
  public var stateColumn: String?

  /// The column of the time at which the file was recorded.
  public var timeColumn: String?

  /// Creates the description of a table.
  ///
  /// - Parameters:
  ///   - table: The name of the table.
  ///   - idColumns: The columns with the identifiers.
  ///   - pathColumn: The column of the path.
  ///   - stateColumn: The column that is 1 for the rows that are imported.
  ///   - timeColumn: The column of the time at which the file was recorded.
  public init(
    table: String, idColumns: [String], pathColumn: String, stateColumn: String? = nil,
    timeColumn: String? = nil
  ) {
    self.table = table
    self.idColumns = idColumns
    self.pathColumn = pathColumn
    self.stateColumn = stateColumn
    self.timeColumn = timeColumn
  }
}
