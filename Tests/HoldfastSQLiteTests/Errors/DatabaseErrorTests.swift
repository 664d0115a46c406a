import Foundation
import HoldfastSQLite
import HoldfastTestSupport
import Testing

@Suite struct DatabaseErrorTests {
  @Test func anErrorHasExtendedCodeMessageSQLAndFile() throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("stops.db").path
    try Connection(path).withAccess { db in
      try db.execute(sql: "CREATE TABLE t (id INTEGER PRIMARY KEY, a NOT NULL, b UNIQUE)")
      let sql = "INSERT INTO t VALUES (?, ?, ?)"
      try db.execute(sql: sql, arguments: [1, "x", "y"])
      let error = try databaseError { try db.execute(sql: sql, arguments: [1, "secret", 2]) }
      #expect(db.lastErrorCode == error.extendedResultCode && db.lastErrorMessage == error.message)
      #expect(error.extendedResultCode == .SQLITE_CONSTRAINT_PRIMARYKEY)
      #expect(error.resultCode == .SQLITE_CONSTRAINT)
      #expect(error.message == "UNIQUE constraint failed: t.id")
      #expect(error.sql == sql)
      #expect(error.arguments == [1, "secret", 2])
      #expect(error.path == path)
      #expect(error.systemErrno == 0)
      #expect(
        error.description
          == "SQLite error 1555: UNIQUE constraint failed: t.id - while executing `\(sql)` in \(path)"
      )
      let null = try databaseError { try db.execute(sql: sql, arguments: [2, nil, 2]) }
      #expect(null.extendedResultCode == .SQLITE_CONSTRAINT_NOTNULL)
      let unique = try databaseError { try db.execute(sql: sql, arguments: [2, 1, "y"]) }
      #expect(unique.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE)
    }
  }

  @Test func boundValuesAreDescribedOnlyWhenAllowed() throws {
    for isPublic in [false, true] {
      var configuration = Configuration()
      configuration.publicStatementArguments = isPublic
      try Connection(nil, configuration).withAccess { db in
        try db.execute(sql: "CREATE TABLE t (a CHECK (a <> 'secret'))")
        let error = try databaseError {
          try db.execute(sql: "INSERT INTO t VALUES (?)", arguments: ["secret"])
        }
        #expect(error.description.contains("with arguments ['secret']") == isPublic)
        #expect(error.description.components(separatedBy: "secret").count == (isPublic ? 3 : 2))
        #expect(error.path == nil)
      }
    }
  }

  @Test func aSyntaxErrorNamesItsToken() throws {
    try Connection.inMemory { db in
      let error = try databaseError { try db.execute(sql: "SELEC 1") }
      #expect(error.resultCode == .SQLITE_ERROR)
      #expect(error.message == "near \"SELEC\": syntax error")
      #expect(error.sql == "SELEC 1")
    }
  }

  @Test func openingInAMissingFolderReportsTheErrno() throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("missing/t.db").path
    let error = try databaseError { _ = try Connection(path) }
    #expect(error.resultCode == .SQLITE_CANTOPEN)
    #expect(error.systemErrno == ENOENT)
    #expect(error.path == path)
    #expect(error.description.hasSuffix(" in \(path) (errno \(ENOENT))"))
    #expect(error.advice?.contains("folder exist") == true)
  }

  @Test func anErrnoIsNotReportedWithALaterError() throws {
    try Connection.inMemory { db in
      _ = try databaseError { try db.execute(sql: "ATTACH '/missing/folder/t.db' AS other") }
      try db.execute(sql: "PRAGMA max_page_count = 2; CREATE TABLE t (a)")
      let full = try databaseError {
        try db.execute(sql: "INSERT INTO t VALUES (zeroblob(100000))")
      }
      #expect(full.resultCode == .SQLITE_FULL)
      #expect(full.systemErrno == 0)
    }
  }

  @Test func aFileThatIsNotADatabaseFailsToOpen() throws {
    let folder = try TemporaryDirectory()
    let file = folder.file("text.db")
    let text = Data(String(repeating: "This is a text. ", count: 100).utf8)
    try text.write(to: file)
    for isReadOnly in [false, true] {
      let error = try databaseError { _ = try Connection(file.path, isReadOnly: isReadOnly) }
      #expect(error.resultCode == .SQLITE_NOTADB)
      #expect(error.path == file.path)
      #expect(error.advice?.contains("SQLite database") == true)
    }
    #expect(try Data(contentsOf: file) == text)
    #expect(try folder.names == ["text.db"])
  }

  @Test(.enabled(if: SmallVolume.isPossible, "mounting a small tmpfs needs Linux and root"))
  func aFullDiskIsAnErrorAndKeepsTheDatabaseValid() throws {
    let directory = try TemporaryDirectory()
    let volume = try SmallVolume(at: directory.file("volume"), kilobytes: 512)
    let path = volume.url.appending(path: "t.db").path
    let connection = try Connection(path)
    try connection.withAccess { db in
      try db.execute(sql: "CREATE TABLE t (a)")
      try db.execute(sql: "INSERT INTO t VALUES (1)")
      let error = try databaseError {
        try db.inTransaction {
          while true { try db.execute(sql: "INSERT INTO t VALUES (randomblob(20000))") }
        }
      }
      #expect(error.resultCode == .SQLITE_FULL)
      #expect(error.advice?.hasPrefix("Free some disk space") == true)
      #expect(!db.isInsideTransaction)
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM t") == 1)
      #expect(try db.integrityProblems() == [])
    }
    connection.database.close()
    try Connection(path).withAccess { db throws in
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM t") == 1)
      #expect(try db.integrityProblems() == [])
    }
  }

  @Test func theAdviceDependsOnTheCode() {
    func advice(_ code: ResultCode) -> String? { DatabaseError(resultCode: code).advice }
    #expect(advice(.SQLITE_BUSY_SNAPSHOT)?.contains("IMMEDIATE") == true)
    #expect(advice(.SQLITE_BUSY)?.contains("busyMode") == true)
    #expect(advice(.SQLITE_BUSY_RECOVERY)?.contains("busyMode") == true)
    for code in [ResultCode.SQLITE_READONLY_DBMOVED, .SQLITE_IOERR_VNODE] {
      #expect(advice(code)?.contains("open it again") == true)
    }
    #expect(advice(.SQLITE_READONLY_DIRECTORY)?.contains("writable") == true)
    #expect(advice(.SQLITE_READONLY)?.contains("`write`") == true)
    #expect(advice(.SQLITE_CORRUPT)?.contains("db check") == true)
    #expect(advice(.SQLITE_AUTH)?.contains("permissions") == true)
    #expect(advice(.SQLITE_CONSTRAINT) == nil)
  }

  @Test func onlyErrorsCausedByAnotherConnectionAreTransient() {
    for code: ResultCode in [.SQLITE_BUSY, .SQLITE_BUSY_SNAPSHOT, .SQLITE_LOCKED, .SQLITE_PROTOCOL]
    {
      #expect(DatabaseError(resultCode: code).isTransient)
    }
    for code: ResultCode in [.SQLITE_ERROR, .SQLITE_FULL, .SQLITE_INTERRUPT, .SQLITE_CORRUPT] {
      #expect(!DatabaseError(resultCode: code).isTransient)
    }
  }

  @Test func anErrorOfACodeAloneHasTheMessageOfTheCode() {
    var error = DatabaseError(resultCode: .SQLITE_FULL)
    #expect(error.message == "database or disk is full")
    #expect(DatabaseError().message == "SQL logic error")
    #expect(error.description == "SQLite error 13: database or disk is full")
    error.message = nil
    #expect(error.description == "SQLite error 13: database or disk is full")
  }
}
