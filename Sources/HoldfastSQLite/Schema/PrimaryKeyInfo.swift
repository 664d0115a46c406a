/// The primary key of a table.
///
/// Every table has one: if none is declared, it is the hidden column `rowid`.
///
/// - SeeAlso: <https://www.sqlite.org/lang_createtable.html#rowid>
public struct PrimaryKeyInfo: Hashable, Sendable {
  /// The names of the key's columns, in order.
  ///
  /// They are `["rowid"]` when no primary key is declared.
  public let columns: [String]

  /// The name of the column that is an alias of the rowid, such as an INTEGER PRIMARY KEY.
  public let rowIDColumn: String?

  /// Whether the table has a rowid: true for every table that is not declared WITHOUT ROWID.
  public let tableHasRowID: Bool

  /// The declarations of ``columns``; `nil` when no primary key is declared.
  public let columnInfos: [ColumnInfo]?

  /// Whether the key is that of a view, whose changes SQLite does not count.
  let isOfView: Bool

  /// Whether the key is the rowid, declared or hidden.
  public var isRowID: Bool {
    rowIDColumn != nil || columnInfos == nil
  }

  /// The key of a table that declares none.
  static let hiddenRowID = PrimaryKeyInfo(
    columns: ["rowid"], rowIDColumn: nil, tableHasRowID: true, columnInfos: nil, isOfView: false)
}
