import Foundation
import HoldfastSQLite
import HoldfastTestSupport
import Testing

@testable import HoldfastSQLite

@Suite struct StatementCacheTests {
  @Test func theSameSQLIsPreparedOnce() throws {
    try Connection.inMemory { db in
      let first = try db.withStatement(sql: "SELECT 1") { ObjectIdentifier($0) }
      let second = try db.withStatement(sql: "SELECT 1") { ObjectIdentifier($0) }
      #expect(first == second)
      try db.execute(sql: "CREATE TABLE t (a)")
      try db.execute(sql: "INSERT INTO t VALUES (?)", arguments: [1])
      let statement = try db.withStatement(sql: "INSERT INTO t VALUES (?)") { $0 }
      try db.execute(sql: "INSERT INTO t VALUES (?)", arguments: [2])
      #expect(try db.withStatement(sql: "INSERT INTO t VALUES (?)") { $0 === statement })
    }
  }

  @Test func nestedSQLUsesASecondStatement() throws {
    try Connection.inMemory { db in
      let sql =
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT ?) SELECT i FROM n"
      var seen: [[Int]] = []
      try db.withStatement(sql: sql) { outer in
        try outer.start(arguments: [3])
        while let row = try outer.step() {
          let i: Int = row[0]
          seen.append(try Int.fetchAll(db, sql: sql, arguments: [i]))
        }
      }
      #expect(seen == [[1], [1, 2], [1, 2, 3]])
    }
  }

  @Test func theLeastRecentlyUsedStatementIsEvictedFirst() throws {
    try Connection.inMemory { db in
      var cache = StatementCache(capacity: 2)
      func put(_ sql: String) throws {
        cache.put(try db.makeStatement(sql: sql), for: sql)
      }
      try put("SELECT 1")
      try put("SELECT 2")
      let taken = cache.take("SELECT 1")
      let first = try #require(taken)
      cache.put(first, for: "SELECT 1")
      try put("SELECT 3")
      #expect(cache.count == 2)
      let takenAgain = ["SELECT 2", "SELECT 1", "SELECT 1"].map { cache.take($0) }
      #expect(takenAgain.map { $0 === first } == [false, true, false])
      #expect(takenAgain[0] == nil && takenAgain[2] == nil)
    }
  }

  @Test func moreStatementsThanTheCacheHoldsCanRun() throws {
    try Connection.inMemory { db throws in
      for round in 0..<2 {
        for number in 0..<250 {
          #expect(try Int.fetchOne(db, sql: "SELECT \(number)") == number, "round \(round)")
        }
      }
    }
  }

  @Test func sqlWithDifferentBytesIsAnotherStatement() throws {
    try Connection.inMemory { db throws in
      let composed = "SELECT 'é'"
      let decomposed = "SELECT 'e\u{301}'"
      #expect(composed == decomposed)
      for sql in [composed, decomposed, composed] {
        #expect(
          try Data.fetchOne(db, sql: sql) == Data(sql.utf8.dropFirst(8).dropLast()))
      }
    }
  }

  @Test func aCachedSelectGainsAColumnOfAChangedTable() throws {
    try Connection.inMemory { db in
      try db.execute(sql: "CREATE TABLE t (a); INSERT INTO t VALUES (1)")
      let before = try Row.fetchAll(db, sql: "SELECT * FROM t")
      try db.execute(sql: "ALTER TABLE t ADD COLUMN b DEFAULT 2")
      let after = try Row.fetchAll(db, sql: "SELECT * FROM t")
      #expect(before.map(\.columnNames) == [["a"]])
      #expect(after.map(\.columnNames) == [["a", "b"]])
      #expect(after.first?["b"] == 2)
      try db.execute(sql: "ALTER TABLE t DROP COLUMN a")
      #expect(try Row.fetchOne(db, sql: "SELECT * FROM t")?.columnNames == ["b"])
    }
  }

  @Test func aStatementOfADroppedTableFailsUntilTheTableIsRecreated() throws {
    try Connection.inMemory { db in
      try db.execute(sql: "CREATE TABLE t (a)")
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM t") == 0)
      try db.execute(sql: "DROP TABLE t")
      _ = try databaseError { _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM t") }
      try db.execute(sql: "CREATE TABLE t (a)")
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM t") == 0)
    }
  }

  @Test func aCachedStatementForgetsItsValues() async {
    await #expect(processExitsWith: .success) {
      try Connection.inMemory { db in
        // Bound values are in SQLite's memory: the remainder has room for one such value.
        let megabytes = 50
        func bind(_ sql: String) throws {
          let value = Data(count: megabytes << 20)
          #expect(try Int.fetchOne(db, sql: sql, arguments: [value]) == value.count)
        }
        _ = try Int.fetchOne(db, sql: "PRAGMA hard_heap_limit = \(megabytes * 3 << 19)")
        for number in 0..<5 {
          try bind("SELECT length(?) + 0 * \(number)")
        }
        // The same for partly refused values.
        for number in 0..<5 {
          _ = try databaseError {
            _ = try Int.fetchOne(
              db, sql: "SELECT ?, :missing, \(number)", arguments: [Data(count: megabytes << 20)])
          }
        }
        try bind("SELECT length(?)")
        for number in 0..<5 {
          try db.execute(
            sql: "SELECT length(?) + \(number)", arguments: [Data(count: megabytes << 20)])
        }
      }
    }
  }
}
