#if SQLCipher
  internal import CSQLCipher
#else
  internal import CSQLite
#endif

/// The values that are computed from a database's content, kept with a connection as long as the
/// content cannot have changed.
///
/// Only the thread that holds the connection uses it.
final class ContentCache {
  /// The state of the content as the connection sees it: equal stamps mean equal content.
  struct Stamp: Equatable {
    /// Changes when other connections commit.
    var dataVersion: Int
    /// Changes with each row that this connection changes.
    var changeCount: Int
    /// Changes when this connection changes a table.
    var schemaGeneration: Int
  }

  private var stamp: Stamp?
  private var values: [ObjectIdentifier: Any] = [:]

  /// Returns the value of a type, if it was kept at this stamp.
  func value<Value>(at stamp: Stamp) -> Value? {
    self.stamp == stamp ? values[ObjectIdentifier(Value.self)] as? Value : nil
  }

  /// Keeps the value of a type, and drops values with other stamps.
  func keep<Value>(_ value: Value, at stamp: Stamp) {
    if self.stamp != stamp { values = [:] }
    self.stamp = stamp
    values[ObjectIdentifier(Value.self)] = value
  }

  func removeAll() {
    stamp = nil
    values = [:]
  }
}

extension Database {
  /// Returns a value that depends on nothing but the main database's content, and computes it only if
  /// that may have changed since the last call.
  ///
  /// One value of each type is kept, until the connection is closed or releases its memory. While
  /// the connection has a write transaction open, a new value is returned and not kept, because a
  /// rollback would make it wrong.
  ///
  /// - Parameter compute: Reads the content and returns the value.
  /// - Returns: The value of `compute`, of now or of an earlier call.
  /// - Throws: ``DatabaseError`` when the file cannot be read; whatever `compute` throws.
  /// - SeeAlso: <https://www.sqlite.org/pragma.html#pragma_data_version>
  package func cached<Value>(_ compute: (Database) throws -> Value) throws -> Value {
    // Before the computation, so that a commit meanwhile makes the value outdated.
    let stamp = ContentCache.Stamp(
      dataVersion: try Int.fetchOne(self, sql: "PRAGMA main.data_version") ?? 0,
      changeCount: totalChangesCount, schemaGeneration: schemaCache.generation)
    if let value: Value = contentCache.value(at: stamp) { return value }
    let value = try compute(self)
    if !hasWriteTransaction { contentCache.keep(value, at: stamp) }
    return value
  }

  private var hasWriteTransaction: Bool {
    handle.ifPresent {
      unsafe sqlite3_txn_state(handle.pointer, "main") == SQLITE_TXN_WRITE
    } ?? true
  }
}
