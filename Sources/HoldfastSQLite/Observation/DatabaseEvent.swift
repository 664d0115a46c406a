internal import CSQLite

/// One row that was inserted, updated or deleted.
///
/// It is lent to ``TransactionObserver/databaseDidChange(with:)``; keep a ``copy()``.
///
/// - SeeAlso: <https://www.sqlite.org/c3ref/update_hook.html>
@safe
public struct DatabaseEvent {
  /// What happened to the row.
  public enum Kind: CInt, Sendable {
    /// The row is new.
    case insert = 18  // SQLITE_INSERT
    /// The row is gone.
    case delete = 9  // SQLITE_DELETE
    /// The row has other values.
    case update = 23  // SQLITE_UPDATE
  }

  /// What happened to the row.
  public let kind: Kind

  /// The row's id, after the change if that changed it.
  public let rowID: Int64

  // Most events are looked at for their row only: no string is made before somebody asks.
  private let names: Names

  @safe
  private enum Names {
    case lent(database: UnsafePointer<CChar>, table: UnsafePointer<CChar>)
    case kept(database: String, table: String)
  }

  init(
    kind: Kind, rowID: Int64, database: UnsafePointer<CChar>, table: UnsafePointer<CChar>
  ) {
    self.kind = kind
    self.rowID = rowID
    unsafe names = .lent(database: database, table: table)
  }

  /// Creates an event that stands for itself.
  init(kind: Kind, rowID: Int64, databaseName: String, tableName: String) {
    self.kind = kind
    self.rowID = rowID
    names = .kept(database: databaseName, table: tableName)
  }

  /// The name of the schema: `main`, `temp`, or that of an attached database.
  public var databaseName: String {
    switch names {
    case .lent(let database, _): unsafe String(cString: database)
    case .kept(let database, _): database
    }
  }

  /// The name of the table.
  public var tableName: String {
    switch names {
    case .lent(_, let table): unsafe String(cString: table)
    case .kept(_, let table): table
    }
  }

  /// Returns an event that may be kept.
  public func copy() -> DatabaseEvent {
    guard case .lent = names else { return self }
    return DatabaseEvent(
      kind: kind, rowID: rowID, databaseName: databaseName, tableName: tableName)
  }

  func isOf(_ kind: DatabaseEventKind) -> Bool {
    switch (self.kind, kind) {
    case (.insert, .insert(let table)), (.delete, .delete(let table)),
      (.update, .update(let table, _)):
      isIn(table)
    default: false
    }
  }

  /// Whether the other event, of the same statement, is in the same table.
  func isBeside(_ other: DatabaseEvent) -> Bool {
    switch (names, other.names) {
    // SQLite names a table by one address as long as the schema stays.
    case (.lent(let database, let table), .lent(let otherDatabase, let otherTable)):
      unsafe table == otherTable && database == otherDatabase
    default:
      tableName.hasSameBytes(as: other.tableName)
        && databaseName.hasSameBytes(as: other.databaseName)
    }
  }

  private func isIn(_ table: String) -> Bool {
    guard case .lent(_, var bytes) = names else { return tableName.hasSameBytes(as: table) }
    for byte in table.utf8 {
      guard unsafe UInt8(bitPattern: bytes.pointee) == byte else { return false }
      unsafe bytes += 1
    }
    return unsafe bytes.pointee == 0
  }
}
