import Foundation
import HoldfastSQLite
import HoldfastTestSupport
import Testing

@Suite struct TypedArgumentsTests {
  private func withTable(_ body: (Database, Statement) throws -> Void) throws {
    try Connection.inMemory { db in
      try db.execute(sql: "CREATE TABLE t (a PRIMARY KEY, b, c)")
      try body(db, try db.makeStatement(sql: "INSERT INTO t VALUES (?, ?, ?)"))
    }
  }

  @Test func valuesOfAllTypesAreBoundInOrder() throws {
    try withTable { db, insert in
      let (date, id) = (Date(timeIntervalSince1970: 1.5), UUID())
      let absent: String? = nil
      try insert.execute(1, "é", absent)
      try insert.execute(false, 2.5 as Double?, Data([1, 2]))
      try insert.execute("", "a\0b", Data())
      try insert.execute(id, date, Int8(-1))
      let invalid = try DatabaseValue.fetchOne(db, sql: "SELECT CAST(x'FF41' AS TEXT)")
      try insert.execute(3, invalid, DatabaseValue.null)
      let found = try Row.fetchAll(db, sql: "SELECT a, b, c FROM t ORDER BY rowid")
        .map(\.databaseValues)
      let expected: [[DatabaseValue]] = [
        [1, "é", .null], [0, 2.5, Data([1, 2]).databaseValue], ["", "a\0b", Data().databaseValue],
        [id.databaseValue, date.databaseValue, -1],
      ]
      #expect(found.count == 5 && Array(found.prefix(4)) == expected)
      #expect(try String.fetchOne(db, sql: "SELECT hex(b) FROM t WHERE a = 3") == "FF41")
    }
  }

  @Test func textsOfAnyLengthAreStored() throws {
    try withTable { db, insert in
      for length in [0, 1, 15, 16, 255, 256, 257, 900, 2048, 100_000] {
        let text = String(repeating: "é", count: length)
        try insert.execute(length, text, text + "b")
      }
      let wrong = try Int.fetchAll(
        db, sql: "SELECT a FROM t WHERE length(b) <> a OR c <> b || 'b' OR b GLOB '*[^é]*'")
      #expect(wrong == [])
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM t") == 10)
    }
  }

  @Test func aWrongNumberOfValuesIsAnErrorAndSetsNone() throws {
    try withTable { db, insert in
      try insert.setArguments([1, 2, 3])
      for run in [{ try insert.execute(1, 2) }, { try insert.execute(1, "b", 3, 4) }] {
        let error = try databaseError { try run() }
        #expect(error.resultCode == .SQLITE_MISUSE)
        #expect(try databaseError { try insert.execute() }.resultCode == .SQLITE_MISUSE)
      }
      try insert.execute(1, "b", 3)
      #expect(insert.arguments.isEmpty)
      #expect(try databaseError { try insert.execute() }.resultCode == .SQLITE_MISUSE)
      try insert.execute(arguments: [2, "c", 4])
      #expect(try Int.fetchAll(db, sql: "SELECT a FROM t ORDER BY a") == [1, 2])
    }
  }

  @Test func anErrorHasTheValues() throws {
    try withTable { _, insert in
      try insert.execute(1, "b", 3)
      let error = try databaseError { try insert.execute(1, "c", nil as Int?) }
      #expect(error.resultCode == .SQLITE_CONSTRAINT)
      #expect(error.arguments == [1, "c", nil])
    }
  }
}
