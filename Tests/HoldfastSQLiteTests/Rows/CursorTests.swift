import Foundation
import HoldfastSQLite
import HoldfastTestSupport
import Testing

@Suite struct CursorTests {
  static let numbers =
    "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 5) SELECT i FROM n"

  @Test func elementsAreReturnedOneByOneAndThenNil() throws {
    try Connection.inMemory { db in
      let cursor = try Int.fetchCursor(db, sql: Self.numbers)
      var seen: [Int] = []
      try cursor.forEach { seen.append($0) }
      #expect(seen == [1, 2, 3, 4, 5])
      #expect(try cursor.next() == nil)
    }
  }

  @Test func anErrorInTheLoopEndsTheCursor() throws {
    try Connection.inMemory { db in
      let cursor = try Int.fetchCursor(db, sql: Self.numbers)
      #expect(throws: Unexpected.self) {
        try cursor.forEach { if $0 == 2 { throw Unexpected(sentence: "2") } }
      }
      #expect(try cursor.next() == 3)
    }
  }

  /// The rows after an error are unknown: a cursor without a further one would say that there are none.
  @Test func aCursorThatFailedFailsAgain() throws {
    try Connection.inMemory { db throws in
      db.add(
        function: DatabaseFunction("broken", argumentCount: 1) { values in
          guard let number = Int.fromDatabaseValue(values[0]), number < 3 else {
            throw Unexpected(sentence: "broken")
          }
          return number
        })
      let sql = "SELECT broken(column1) FROM (VALUES (1), (2), (3), (4))"
      let statement = try db.makeStatement(sql: sql)
      let cursors: [AnyCursor<Int>] = [
        AnyCursor(try Int.fetchCursor(db, sql: sql)), AnyCursor(try Int.fetchCursor(statement)),
        AnyCursor(try Row.fetchCursor(db, sql: sql).map { $0[0] as Int }),
        AnyCursor(try SQLRequest<Int>(sql: sql).fetchCursor(db).filter { $0 > 0 }),
      ]
      for cursor in cursors {
        #expect(try [cursor.next(), cursor.next()] == [1, 2])
        for _ in 0..<2 {
          let error = try databaseError { _ = try cursor.next() }
          #expect(error.message?.contains("broken") == true && error.sql == sql)
        }
      }
      // A further run is another one.
      #expect(try Int.fetchCursor(statement).next() == 1)
    }
  }

  @Test func anElementThatDoesNotConvertIsAnError() throws {
    try Connection.inMemory { db in
      let cursor = try Int.fetchCursor(db, sql: "SELECT 1 UNION ALL SELECT 'x' UNION ALL SELECT 3")
      #expect(try cursor.next() == 1)
      #expect(throws: RowDecodingError.self) { try cursor.next() }
      #expect(try cursor.next() == 3)
    }
  }

  @Test func anUnfinishedCursorHoldsNoLockAfterItsAccess() throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("t.db").path
    var configuration = Configuration()
    configuration.busyMode = .immediateError
    // Without a write-ahead log a reader blocks writers.
    let reader = try Connection(path, configuration)
    let writer = try Connection(path, configuration)
    try writer.withAccess { db in
      try db.execute(sql: "CREATE TABLE t (a); INSERT INTO t VALUES (1), (2)")
    }
    var cursor: StatementCursor<Int>?
    try reader.withAccess { db in
      cursor = try Int.fetchCursor(db, sql: "SELECT a FROM t")
      #expect(try cursor?.next() == 1)
      let error = try databaseError {
        try writer.withAccess { try $0.execute(sql: "DELETE FROM t") }
      }
      #expect(error.resultCode == .SQLITE_BUSY)
    }
    try writer.withAccess { try $0.execute(sql: "DELETE FROM t") }
    // The cursor still exists, and is at its end in a later access.
    try reader.withAccess { _ throws in #expect(try cursor?.next() == nil) }
  }

  @Test func aReleasedCursorEndsImmediately() throws {
    try Connection.inMemory { db in
      try db.execute(sql: "CREATE TABLE t (a); INSERT INTO t VALUES (1), (2)")
      do {
        let cursor = try Int.fetchCursor(db, sql: "SELECT a FROM t")
        #expect(try cursor.next() == 1)
      }
      // A table cannot be dropped while it is being read.
      try db.execute(sql: "DROP TABLE t")
    }
  }

  @Test func elementsAreMappedFilteredAndCollected() throws {
    try Connection.inMemory { db throws in
      let sql = "SELECT 1 AS i UNION ALL SELECT 2 UNION ALL SELECT 3"
      let odd = try Int.fetchCursor(db, sql: sql).filter { $0 != 2 }.map { $0 * 10 }
      #expect(try Array(odd) == [10, 30])
      #expect(try odd.next() == nil)
      #expect(try Set(Int.fetchCursor(db, sql: sql)) == [1, 2, 3])
      #expect(try Int.fetchCursor(db, sql: sql).reduce(into: 0) { $0 += $1 } == 6)
      #expect(try Int.fetchCursor(db, sql: "SELECT 1 WHERE 0").isEmpty())
      #expect(try !Int.fetchCursor(db, sql: sql).isEmpty())
    }
  }

  @Test func cursorsHaveNames() throws {
    try Connection.inMemory { db in
      let rows: RowCursor = try Row.fetchCursor(db, sql: "SELECT 1")
      let values: DatabaseValueCursor<Int> = try Int.fetchCursor(db, sql: "SELECT 1")
      let fast: FastDatabaseValueCursor<Int> = values
      let records: RecordCursor<Row> = rows
      #expect(try records.next() == ["1": 1] && fast.next() == 1)
      #expect(rows.columnNames == ["1"] && rows.databaseRegion.isEmpty)
      var count = 0
      let counting = AnyCursor<Int> {
        count += 1
        return count < 4 ? count : nil
      }
      for cursor in [
        AnyCursor(counting), AnyCursor([1, 2, 3]), AnyCursor(iterator: (1...3).makeIterator()),
      ] {
        #expect(try Array(cursor) == [1, 2, 3])
      }
    }
  }
}
