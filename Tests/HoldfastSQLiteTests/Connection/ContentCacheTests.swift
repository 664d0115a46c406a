import Foundation
import HoldfastTestSupport
import Testing

@testable import HoldfastSQLite

@Suite struct ContentCacheTests {
  private struct Sum: Equatable, Sendable { var value: Int }
  private struct Count: Equatable, Sendable { var value: Int }

  let folder: TemporaryDirectory
  let path: String

  init() throws {
    folder = try TemporaryDirectory()
    path = folder.file("t.db").path
    try Connection(path).withAccess { db throws in
      try db.execute(sql: "CREATE TABLE t (a INTEGER); INSERT INTO t VALUES (1)")
    }
  }

  /// Returns the sum of the table's rows, and whether it was computed.
  private func sum(_ db: Database) throws -> (value: Int, isComputed: Bool) {
    var isComputed = false
    let sum = try db.cached { db in
      isComputed = true
      return Sum(value: try Int.fetchOne(db, sql: "SELECT sum(a) FROM t") ?? 0)
    }
    return (sum.value, isComputed)
  }

  @Test func `A value is computed once for all accesses`() throws {
    let connection = try Connection(path)
    for number in 0..<3 {
      try connection.withAccess { db throws in
        #expect(try sum(db) == (1, number == 0))
        let count = try db.cached { db in
          // Reading the schema for the first time changes nothing.
          #expect(try db.tableExists("t"))
          return Count(value: try Int.fetchOne(db, sql: "SELECT count(*) FROM t") ?? 0)
        }
        #expect(count == Count(value: 1))
      }
    }
  }

  @Test func `A commit of another connection makes a value outdated`() throws {
    let connection = try Connection(path)
    #expect(try connection.withAccess(sum) == (1, true))
    try Connection(path).withAccess { try $0.execute(sql: "UPDATE t SET a = 5") }
    #expect(try connection.withAccess(sum) == (5, true))
    #expect(try connection.withAccess(sum) == (5, false))
  }

  @Test func `A change of the connection itself makes a value outdated`() throws {
    try Connection(path).withAccess { db throws in
      #expect(try sum(db) == (1, true))
      for (sql, expected) in [
        ("INSERT INTO t VALUES (2)", 3), ("DELETE FROM t", 0),
        ("INSERT INTO t VALUES (7)", 7), ("DROP TABLE t; CREATE TABLE t (a)", 0),
        ("CREATE TABLE u AS SELECT 9 AS a; DROP TABLE t; ALTER TABLE u RENAME TO t", 9),
      ] {
        try db.execute(sql: sql)
        #expect(try sum(db) == (expected, true), "\(sql)")
        #expect(try sum(db) == (expected, false), "\(sql)")
      }
    }
  }

  @Test func `What is rolled back leaves no value`() throws {
    try Connection(path).withAccess { db throws in
      try db.execute(sql: "BEGIN; INSERT INTO t VALUES (2)")
      #expect(try sum(db) == (3, true))
      #expect(try sum(db) == (3, true))
      try db.execute(sql: "ROLLBACK")
      #expect(try sum(db) == (1, true))
      #expect(try sum(db) == (1, false))
    }
  }

  @Test func `A value that cannot be computed is computed again`() throws {
    struct Failure: Error {}
    try Connection(path).withAccess { db throws in
      #expect(throws: Failure.self) { try db.cached { _ throws -> Sum in throw Failure() } }
      #expect(try sum(db) == (1, true))
    }
  }

  @Test func `Released memory contains the values`() throws {
    try Connection(path).withAccess { db throws in
      #expect(try sum(db) == (1, true))
      db.releaseMemory()
      #expect(try sum(db) == (1, true))
    }
  }
}
