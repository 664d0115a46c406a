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
    var cursor: DatabaseValueCursor<Int>?
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

  // MARK: - Rows

  @Test func aRowThatTheLoopDoesNotKeepIsNotCopied() throws {
    try Connection.inMemory { db in
      let cursor = try Row.fetchCursor(db, sql: Self.numbers)
      var sum = 0
      while let row = try cursor.next() {
        #expect(!row.isDetached)
        sum += row[0]
      }
      #expect(sum == 15)
      let requested = try SQLRequest<Row>(sql: Self.numbers).fetchCursor(db)
      #expect(try requested.next()?.isDetached == false)
    }
  }

  @Test(arguments: [[], [1], [5], [2, 3, 4], [1, 3, 5], [1, 2, 3, 4, 5]])
  func keptRowsStayRight(kept: [Int]) throws {
    try Connection.inMemory { db in
      let sql = "SELECT i, 'text of number ' || i AS name, x'0102' AS bytes FROM (\(Self.numbers))"
      let cursor = try Row.fetchCursor(db, sql: sql)
      var rows: [Row] = []
      while let row = try cursor.next() {
        if kept.contains(row["i"]) { rows.append(row) }
      }
      // A second run of the same statement does not change them either.
      #expect(try Row.fetchAll(db, sql: sql).count == 5)
      #expect(rows.map { $0[0] as Int } == kept)
      #expect(rows.map { $0["name"] as String } == kept.map { "text of number \($0)" })
      #expect(rows == rows.map { $0.copy() })
    }
  }

  @Test func aRowThatIsKeptPastTheAccessStaysRight() throws {
    let folder = try TemporaryDirectory()
    let reader = try Connection(folder.file("t.db").path, Configuration())
    var rows: [Row?] = []
    try reader.withAccess { db in
      let cursor = try Row.fetchCursor(db, sql: Self.numbers)
      rows = [try cursor.next(), try cursor.next()]
    }
    #expect(rows == [["i": 1], ["i": 2]])
  }

  @Test func aRowIsReadAgainAfterASchemaChange() throws {
    try Connection.inMemory { db in
      try db.execute(sql: "CREATE TABLE t (a); INSERT INTO t VALUES (1)")
      let statement = try db.makeStatement(sql: "SELECT * FROM t")
      #expect(try Row.fetchCursor(statement).next() == ["a": 1])
      try db.execute(sql: "ALTER TABLE t ADD COLUMN b DEFAULT 2")
      let cursor = try Row.fetchCursor(statement)
      #expect(try cursor.next() == ["a": 1, "b": 2])
      #expect(try cursor.next() == nil)
    }
  }

  /// The statement of a cursor may run again after its end, for another one.
  @Test func aCursorAtItsEndStaysThereWhileItsStatementRunsAgain() throws {
    try Connection.inMemory { db in
      let statement = try db.makeStatement(sql: Self.numbers)
      let first = try Row.fetchCursor(statement)
      while try first.next() != nil {}
      let second = try Row.fetchCursor(statement)
      let row = try #require(try second.next())
      #expect(try first.next() == nil)
      #expect(row[0] as Int == 1)
      #expect(try second.next()?[0] as Int? == 2)
    }
  }

  // MARK: - Columns of known types

  @Test func columnsAreReadAsTuples() throws {
    try Connection.inMemory { db in
      let sql = "SELECT 1, 'a text that is not short', NULL, 2.5 UNION ALL SELECT 2, 'b', 3, 4"
      let cursor = try Row.fetchCursor(
        db, sql: sql, as: (Int64.self, String.self, Double?.self, Double.self))
      let first = try #require(try cursor.next())
      #expect(first == (1, "a text that is not short", nil, 2.5))
      let second = try #require(try cursor.next())
      #expect(second == (2, "b", 3, 4))
      #expect(try cursor.next() == nil)
      let one = try Row.fetchCursor(db, sql: sql, as: Int.self)
      #expect(try one.next() == 1)
      let statement = try db.makeStatement(sql: "SELECT ?, NULL")
      let null = try Row.fetchCursor(statement, arguments: [7], as: (Int.self, Int.self))
      let error = try #require(throws: RowDecodingError.self) { try null.next() }
      #expect(error.column == "NULL" && error.storedType == "null")
      #expect(throws: DatabaseError.self) {
        try Row.fetchCursor(db, sql: "SELECT 1", as: (Int.self, Int?.self))
      }
    }
  }

  @Test func aColumnThatIsGoneIsAnError() throws {
    try Connection.inMemory { db in
      try db.execute(sql: "CREATE TABLE t (a, b); INSERT INTO t VALUES (1, 2)")
      let statement = try db.makeStatement(sql: "SELECT * FROM t")
      try db.execute(sql: "ALTER TABLE t DROP COLUMN b")
      #expect(throws: DatabaseError.self) {
        try Row.fetchCursor(statement, as: (Int.self, Int?.self)).next()
      }
    }
  }
}
