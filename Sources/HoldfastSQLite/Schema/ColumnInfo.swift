/// A column of a table or a view.
///
/// - SeeAlso: <https://www.sqlite.org/pragma.html#pragma_table_xinfo>
public struct ColumnInfo: Hashable, Sendable {
  /// The column's name, as declared.
  public let name: String

  /// The declared type; empty when there is none.
  ///
  /// SQLite stores any value in any column unless the table is STRICT; the declared type determines
  /// the column's affinity.
  public let type: String

  /// Whether the column is declared NOT NULL.
  public let isNotNull: Bool

  /// The SQL of the default value; `nil` when there is none.
  public let defaultValueSQL: String?

  /// The column's position in the primary key, from 1; 0 when it is not part of the key.
  public let primaryKeyIndex: Int

  /// Whether the column is computed from other columns, and cannot be written.
  ///
  /// - SeeAlso: <https://www.sqlite.org/gencol.html>
  public let isGenerated: Bool
}

extension ColumnInfo: FetchableRecord {
  /// Creates a column from a row of `PRAGMA table_xinfo`.
  ///
  /// - Parameter row: A row of the pragma.
  /// - Throws: ``RowDecodingError`` when the row has other columns.
  public init(row: Row) throws {
    name = try row.decode(forColumn: "name")
    type = try row.decode(forColumn: "type")
    isNotNull = try row.decode(forColumn: "notnull")
    defaultValueSQL = try row.decode(forColumn: "dflt_value")
    primaryKeyIndex = try row.decode(forColumn: "pk")
    // 1 is a hidden column of a virtual table, 2 and 3 are virtual and stored generated ones.
    isGenerated = try row.decode(Int?.self, forColumn: "hidden").map { $0 >= 2 } ?? false
  }
}
