/// The primary key of a table.
///
/// Every table has one: if none is declared, it is the rowid. A view has one if
/// ``Configuration/schemaSource`` names it.
///
/// - SeeAlso: <https://www.sqlite.org/lang_createtable.html#rowid>
public struct PrimaryKeyInfo: Hashable, Sendable {
  /// The names of the key's columns, in order.
  ///
  /// When no primary key is declared, they are `["rowid"]`, or another name of the rowid if a column has this
  /// one.
  public let columns: [String]

  /// The name of the column that is an alias of the rowid, such as an INTEGER PRIMARY KEY.
  public let rowIDColumn: String?

  /// Whether the table has a rowid: true for every table that is not declared WITHOUT ROWID.
  public let tableHasRowID: Bool

  /// The declarations of ``columns``; `nil` when no primary key is declared.
  public let columnInfos: [ColumnInfo]?

  /// The names by which SQL reads the rowid, without those that a column has; empty for a table that has no
  /// rowid, and for a view.
  package let rowIDNames: [String]

  /// Whether the key belongs to a view, whose changes SQLite does not count.
  let isOfView: Bool

  /// Whether the key is the rowid, declared or hidden.
  public var isRowID: Bool {
    rowIDColumn != nil || columnInfos == nil
  }

  /// The name by which SQL reads the rowid: its column's, or one that no column has.
  ///
  /// It is `nil` for a table that has no rowid, or whose columns have all of the names.
  package var rowIDName: String? {
    rowIDColumn ?? rowIDNames.first
  }

  /// Returns the key, or throws an error if it belongs to a view without one.
  @inline(__always)
  func checked(_ name: String, path: String?) throws -> PrimaryKeyInfo {
    guard !columns.isEmpty else { throw DatabaseError.viewWithoutKey(name, path: path) }
    return self
  }

  /// All names that SQLite has for the rowid; a column that is declared with one of them hides the rowid.
  package static let allRowIDNames = ["rowid", "_rowid_", "oid"]
}
