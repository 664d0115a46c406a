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
