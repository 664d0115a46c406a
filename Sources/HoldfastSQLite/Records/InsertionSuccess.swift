/// The result of an insertion.
///
/// ```swift
/// mutating func didInsert(_ inserted: InsertionSuccess) {
///   id = inserted.rowID
/// }
/// ```
public struct InsertionSuccess: Sendable {
  /// The rowid of the row.
  ///
  /// - SeeAlso: <https://www.sqlite.org/lang_createtable.html#rowid>
  public var rowID: Int64

  /// The name of the INTEGER PRIMARY KEY column, if the table has one.
  public var rowIDColumn: String?

  /// Whether a row was stored; IGNORE stores no row in case of a conflict.
  @usableFromInline let isStored: Bool

  init(rowID: Int64, rowIDColumn: String?, isStored: Bool) {
    self.rowID = rowID
    self.rowIDColumn = rowIDColumn
    self.isStored = isStored
  }
}

/// The result of an insertion or update.
public struct PersistenceSuccess: Sendable {
  @usableFromInline let isStored: Bool

  init(isStored: Bool) {
    self.isStored = isStored
  }

  @usableFromInline
  init(_ inserted: InsertionSuccess) {
    isStored = inserted.isStored
  }
}
