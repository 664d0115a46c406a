import Foundation
import HoldfastSQLite
import Synchronization
import Testing

@Suite struct TransactionClockTests {
  /// A connection whose clock counts seconds from 1.
  private func connection() throws -> Connection {
    let count = Mutex(0.0)
    var configuration = Configuration()
    configuration.transactionClock = .custom { _ in
      count.withLock { count in
        count += 1
        return Date(timeIntervalSince1970: count)
      }
    }
    return try Connection(nil, configuration)
  }

  @Test(arguments: [
    ("BEGIN", "COMMIT"), ("BEGIN IMMEDIATE", "ROLLBACK"), ("SAVEPOINT a", "RELEASE a"),
    ("SAVEPOINT a", "COMMIT"),
  ])
  func aTransactionHasOneDate(_ begin: String, _ end: String) throws {
    try connection().withAccess { db in
      func date() throws -> Double { try db.transactionDate.timeIntervalSince1970 }
      let first = try date()
      #expect(try date() == first + 1)
      try db.execute(sql: begin)
      try db.execute(sql: "CREATE TABLE t (a)")
      #expect(try date() == first + 2)
      try db.execute(sql: "SAVEPOINT b; RELEASE b")
      #expect(try date() == first + 2)
      try db.execute(sql: end)
      #expect(try date() == first + 3)
      try db.inTransaction { () throws in
        #expect(try date() == first + 4)
        try db.inSavepoint { () throws in
          #expect(try date() == first + 4)
          return .rollback
        }
        #expect(try date() == first + 4)
        return .commit
      }
      #expect(try date() == first + 5)
    }
  }

  @Test func theDateIsThatOfTheBeginning() throws {
    try Connection.inMemory { db in
      let before = Date()
      try db.beginTransaction()
      let after = Date()
      while Date() == after {}
      let date = try db.transactionDate
      #expect(before <= date && date <= after)
      // SQLite ends this transaction itself.
      try db.execute(
        sql: "CREATE TABLE t (a PRIMARY KEY ON CONFLICT ROLLBACK); INSERT INTO t VALUES (1)")
      #expect(throws: DatabaseError.self) { try db.execute(sql: "INSERT INTO t VALUES (1)") }
      #expect(try db.transactionDate > after)
    }
  }

  @Test func aReadHasOneDate() throws {
    try connection().database.withAccess(isReadOnly: true) { db in
      try db.snapshot { db in
        let date = try db.transactionDate
        #expect(try db.transactionDate == date)
      }
    }
  }

  @Test func theErrorOfAClockIsThrownWhenItIsAsked() throws {
    var configuration = Configuration()
    configuration.transactionClock = .custom { _ in throw CancellationError() }
    try Connection(nil, configuration).withAccess { db in
      try db.inTransaction { () throws in
        #expect(throws: CancellationError.self) { try db.transactionDate }
        return .commit
      }
    }
  }
}
