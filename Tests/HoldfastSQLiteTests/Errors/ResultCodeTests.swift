import HoldfastSQLite
import Testing

@Suite struct ResultCodeTests {
  /// Returns the name of the clause that catches the error of the statement.
  private func clause(_ sql: String) throws -> String {
    try Connection.inMemory { db in
      try db.execute(
        sql: "CREATE TABLE t (id INTEGER PRIMARY KEY, a NOT NULL); INSERT INTO t VALUES (1, 1)")
      do {
        try db.execute(sql: sql)
        return "none"
      } catch ResultCode.SQLITE_CONSTRAINT_PRIMARYKEY {
        return "primary key"
      } catch ResultCode.SQLITE_CONSTRAINT {
        return "constraint"
      } catch ResultCode.SQLITE_ERROR {
        return "error"
      }
    }
  }

  @Test func aPrimaryCodeMatchesItsExtendedCodes() throws {
    #expect(try clause("INSERT INTO t VALUES (1, 1)") == "primary key")
    #expect(try clause("INSERT INTO t VALUES (2, NULL)") == "constraint")
    #expect(try clause("SELECT nothing") == "error")
    #expect(try clause("INSERT INTO t VALUES (2, 2)") == "none")
  }

  @Test func otherErrorsDoNotMatchACode() {
    #expect(!(ResultCode.SQLITE_ERROR ~= (Unexpected(sentence: "") as any Error)))
  }

  @Test func anExtendedCodeMatchesOnlyItself() {
    #expect(ResultCode.SQLITE_BUSY ~= .SQLITE_BUSY_SNAPSHOT)
    #expect(ResultCode.SQLITE_BUSY ~= .SQLITE_BUSY)
    #expect(!(ResultCode.SQLITE_BUSY_SNAPSHOT ~= .SQLITE_BUSY))
    #expect(!(ResultCode.SQLITE_BUSY_SNAPSHOT ~= .SQLITE_BUSY_RECOVERY))
    #expect(ResultCode.SQLITE_BUSY_SNAPSHOT.primaryResultCode == .SQLITE_BUSY)
    #expect(ResultCode.busySnapshot == .SQLITE_BUSY_SNAPSHOT)
    #expect("\(ResultCode.SQLITE_BUSY)" == "5 (database is locked)")
  }

  /// The numbers are SQLite's: an extended code is its primary code plus a multiple of 256.
  @Test(
    arguments: [
      (ResultCode.SQLITE_IOERR_SHORT_READ, 522), (.SQLITE_READONLY_DIRECTORY, 1544),
      (.SQLITE_BUSY_RECOVERY, 261), (.SQLITE_BUSY_SNAPSHOT, 517), (.SQLITE_IOERR_VNODE, 6922),
      (.SQLITE_READONLY_DBMOVED, 1032), (.SQLITE_CONSTRAINT_UNIQUE, 2067),
      (.SQLITE_CANTOPEN_ISDIR, 526), (.SQLITE_CORRUPT_VTAB, 267),
    ] as [(ResultCode, CInt)])
  func rawValuesAreThoseOfSQLite(code: ResultCode, number: CInt) {
    #expect(code.rawValue == number)
  }

  @Test func codesAreMembersOfTheErrorToo() throws {
    try Connection.inMemory { db in
      do {
        try db.execute(sql: "CREATE TABLE t (a CHECK (a <> 'x'))")
        try db.execute(sql: "INSERT INTO t VALUES (?)", arguments: ["x"])
      } catch DatabaseError.SQLITE_CONSTRAINT_CHECK {
        #expect(DatabaseError.SQLITE_CONSTRAINT == .SQLITE_CONSTRAINT)
        return
      }
      Issue.record("The check did not fail, or the code did not match.")
    }
    var error = DatabaseError(resultCode: .SQLITE_BUSY, message: "m", sql: "SELECT ?")
    error.arguments = ["secret"]
    #expect(error.expandedDescription.contains("'secret'") && !error.description.contains("secret"))
  }
}
