import HoldfastSQLite

extension ConnectionPool {
  /// Runs the closure on the connection that the thread already holds for the purpose, or on one
  /// for which it waits in line.
  func reentrantAccess<Value>(
    _ purpose: Purpose, _ isolation: Isolation, _ body: (Database) throws -> Value
  ) throws -> Value {
    let usesReaders = purpose == .read && slots.count > 1
    for (number, slot) in slots.enumerated() where (number > 0) == usesReaders {
      if slot.token.isHeldByCurrentThread, let db = slot.openedDatabase {
        return purpose == .read ? try db.readOnly { try body(db) } : try body(db)
      }
    }
    return try accessInside(purpose, isolation, body)
  }
}
