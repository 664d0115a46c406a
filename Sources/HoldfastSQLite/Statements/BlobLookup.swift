#if SQLCipher
  internal import CSQLCipher
#else
  internal import CSQLite
#endif
package import Foundation
import Synchronization

/// A statement that looks up one blob by three integers, on a connection that nothing else uses.
///
/// It is for short reads by the thousand, such as those of tiles: a look-up takes a lock, binds, steps once and
/// resets, and does nothing else. Several threads may use it; they wait for each other, each for microseconds.
///
/// What is not usual it leaves to an ordinary read of the same file, which says what it is: an error, a value that
/// is neither a blob nor NULL, and all look-ups after ``close()``.
@safe
package final class BlobLookup {
  private let database: Database
  private let statement: Statement
  private let limit: StepLimit
  private let stepCount: Int
  private let isOpen = Mutex(true)

  /// Records which thread looks up, so that a look-up inside of another one does not wait for itself.
  private let token = AccessToken()

  /// Prepares the statement.
  ///
  /// - Parameters:
  ///   - database: A connection that only reads; it is closed with the look-up.
  ///   - sql: A query whose first column is the blob, with three parameters.
  ///   - stepCount: About how many steps one look-up may make.
  /// - Throws: ``DatabaseError`` with SQLite's code.
  package init(_ database: sending Database, sql: String, stepCount: Int) throws {
    statement = try database.withAccess(isReadOnly: true) { db in try db.makeStatement(sql: sql) }
    limit = database.stepLimit
    self.stepCount = stepCount
    self.database = database
  }

  deinit {
    database.close()
  }

  /// Closes the connection, after the look-up that runs.
  ///
  /// - Throws: ``DatabaseError`` when SQLite refuses.
  package func close() throws {
    let error = isOpen.withLock { isOpen in
      isOpen = false
      return database.close()
    }
    if let error { throw error }
  }

  /// Returns a copy of the blob of the first row; see ``withBlob(_:_:_:_:)``.
  package func blob(_ first: Int64, _ second: Int64, _ third: Int64) -> Data?? {
    withBlob(first, second, third) { bytes -> Data? in
      guard let bytes else { return nil }
      return unsafe bytes.withUnsafeBytes { bytes in unsafe Data(bytes) }
    }
  }

  /// Calls a closure with the blob of the first row.
  ///
  /// - Parameters:
  ///   - first: The value of the first parameter.
  ///   - second: The value of the second parameter.
  ///   - third: The value of the third parameter.
  ///   - body: Receives the bytes, valid only during the closure; `nil` when there is no row, or a NULL. It must not
  ///     use the look-up itself.
  /// - Returns: The return value of `body`; `nil`, without a call of it, for what an ordinary read finds out.
  /// - Throws: Whatever `body` throws.
  package func withBlob<Value>(
    _ first: Int64, _ second: Int64, _ third: Int64, _ body: (Span<UInt8>?) throws -> Value
  ) rethrows -> Value? {
    if token.isHeldByCurrentThread { Misuse.trap(Misuse.reentrant) }
    return try isOpen.withLock { isOpen in
      guard isOpen else { return nil }
      token.hold()
      limit.begin(stepCount)
      let handle = unsafe statement.handle
      defer {
        unsafe sqlite3_reset(handle)
        limit.end()
        token.release()
      }
      unsafe sqlite3_bind_int64(handle, 1, first)
      unsafe sqlite3_bind_int64(handle, 2, second)
      unsafe sqlite3_bind_int64(handle, 3, third)
      switch unsafe sqlite3_step(handle) {
      case SQLITE_ROW: break
      case SQLITE_DONE: return try body(nil)
      default: return nil
      }
      let value = unsafe sqlite3_column_value(handle, 0)
      switch unsafe sqlite3_value_type(value) {
      case SQLITE_BLOB: break
      case SQLITE_NULL: return try body(nil)
      default: return nil
      }
      let start = unsafe sqlite3_value_blob(value)?.assumingMemoryBound(to: UInt8.self)
      let count = unsafe Int(sqlite3_value_bytes(value))
      // Without an address there is no blob, or no memory for it.
      guard unsafe start != nil || count == 0 else { return nil }
      return try body(unsafe UnsafeBufferPointer(start: start, count: count).span)
    }
  }
}

// Sendable because the connection and its statement are used under the lock only, once the initializer has returned.
extension BlobLookup: @unchecked Sendable {}
