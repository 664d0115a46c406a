#if SQLCipher
  internal import CSQLCipher
#else
  internal import CSQLite
#endif

/// The insertion, update or deletion of one row.
///
/// It is valid only during ``TransactionObserver/databaseDidChange(with:)``; to keep it, make a
/// ``copy()``.
///
/// - SeeAlso: <https://www.sqlite.org/c3ref/update_hook.html>
@safe
public struct DatabaseEvent {
  /// The kind of a row change.
  public enum Kind: CInt, Sendable {
    /// The row was inserted.
    case insert = 18  // SQLITE_INSERT
    /// The row was deleted.
    case delete = 9  // SQLITE_DELETE
    /// The row was updated.
    case update = 23  // SQLITE_UPDATE
  }

  /// The kind of the change.
  public let kind: Kind

  /// The row's id; if the change changed it, the new one.
  public let rowID: Int64

  // Mostly only the row id is needed, so strings are made on demand.
  private let names: Names

  @safe
  private enum Names {
    case borrowed(database: UnsafePointer<CChar>, table: UnsafePointer<CChar>)
    case owned(database: String, table: String)
  }

  init(
    kind: Kind, rowID: Int64, database: UnsafePointer<CChar>, table: UnsafePointer<CChar>
  ) {
    self.kind = kind
    self.rowID = rowID
    unsafe names = .borrowed(database: database, table: table)
  }

  /// Creates an event that owns its names.
  init(kind: Kind, rowID: Int64, databaseName: String, tableName: String) {
    self.kind = kind
    self.rowID = rowID
    names = .owned(database: databaseName, table: tableName)
  }

  /// The name of the schema: `main`, `temp`, or the name of an attached database.
  public var databaseName: String {
    switch names {
    case .borrowed(let database, _): unsafe String(cString: database)
    case .owned(let database, _): database
    }
  }

  /// The name of the table.
  public var tableName: String {
    switch names {
    case .borrowed(_, let table): unsafe String(cString: table)
    case .owned(_, let table): table
    }
  }

  /// Returns a copy that remains valid after the call.
  public func copy() -> DatabaseEvent {
    guard case .borrowed = names else { return self }
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

  /// Whether another event of the same statement is in the same table.
  func isBeside(_ other: DatabaseEvent) -> Bool {
    switch (names, other.names) {
    // SQLite keeps one address for a table's name as long as the schema does not change.
    case (.borrowed(let database, let table), .borrowed(let otherDatabase, let otherTable)):
      unsafe table == otherTable && database == otherDatabase
    default:
      tableName.hasSameBytes(as: other.tableName)
        && databaseName.hasSameBytes(as: other.databaseName)
    }
  }

  private func isIn(_ table: String) -> Bool {
    guard case .borrowed(_, var bytes) = names else { return tableName.hasSameBytes(as: table) }
    for byte in table.utf8 {
      guard unsafe UInt8(bitPattern: bytes.pointee) == byte else { return false }
      unsafe bytes += 1
    }
    return unsafe bytes.pointee == 0
  }
}
