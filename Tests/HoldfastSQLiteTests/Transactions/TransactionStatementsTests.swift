import HoldfastSQLite
import Synchronization
import Testing

@Suite struct TransactionStatementsTests {
  /// Returns how often SQLite prepares a statement that begins or ends a transaction.
  private func preparations(_ db: Database, of work: () throws -> Void) throws -> Int {
    let asked = Mutex(0)
    db.setAuthorizer { action in
      if action.code == .transaction { asked.withLock { $0 += 1 } }
      return .allow
    }
    // Earlier statements are prepared again once, because there is a new authorizer.
    try work()
    asked.withLock { $0 = 0 }
    try work()
    db.setAuthorizer(nil)
    return asked.withLock { $0 }
  }

  @Test func transactionStatementsArePreparedOnce() throws {
    try Connection.inMemory { db throws in
      let count = try preparations(db) {
        try db.transaction(nil) { _ in }
        try db.transaction(.deferred) { _ in }
        try db.transaction(.exclusive) { _ in }
        try db.snapshot { _ in }
        try db.beginTransaction()
        try db.rollback()
      }
      #expect(count == 0)
    }
  }

  @Test func transactionStatementsArePreparedAgainAfterMemoryIsReleased() throws {
    try Connection.inMemory { db throws in
      let count = try preparations(db) {
        try db.transaction(nil) { _ in }
        db.releaseMemory()
      }
      #expect(count == 2)
    }
  }

  @Test func aFailedTransactionIsRolledBack() throws {
    struct Stop: Error {}
    try Connection.inMemory { db throws in
      try db.execute(sql: "CREATE TABLE t (a)")
      #expect(throws: Stop.self) {
        try db.transaction(nil) { db throws in
          try db.execute(sql: "INSERT INTO t VALUES (1)")
          throw Stop()
        }
      }
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM t") == 0)
      #expect(!db.isInsideTransaction)
    }
  }
}
