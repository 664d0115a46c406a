/// The primary key of a table.
///
/// Every table has one: where none is declared it is the hidden column `rowid`.
///
/// - SeeAlso: <https://www.sqlite.org/lang_createtable.html#rowid>
public struct PrimaryKeyInfo: Hashable, Sendable {
  /// The names of the key's columns, in its order.
  ///
  /// They are `["rowid"]` when no primary key is declared.
  public let columns: [String]

  /// The name of the column that is an alias of the rowid, as an INTEGER PRIMARY KEY is.
  public let rowIDColumn: String?

  /// Whether the table has a rowid, by whatever name: every table but one declared WITHOUT ROWID.
  public let tableHasRowID: Bool

  /// What is known of each of ``columns``; `nil` when no primary key is declared.
  public let columnInfos: [ColumnInfo]?

  /// Whether the key is the rowid, declared or hidden.
  public var isRowID: Bool {
    rowIDColumn != nil || columnInfos == nil
  }

  /// The key of a table that declares none.
  static let hiddenRowID = PrimaryKeyInfo(
    columns: ["rowid"], rowIDColumn: nil, tableHasRowID: true, columnInfos: nil)
}
