import Foundation
import HoldfastSQLite
import HoldfastTestSupport
import Testing

@Suite struct DatabaseTests {
  // MARK: - Paths

  @Test(arguments: [
    "100%41 #1?x", "file:t.db", "FILE:t.db", "file:/t.db?mode=memory", "with space.db", "Ω漢字.db",
    ":memory:.db", "-t.db", "'\"`.db", "a\nb.db",
  ])
  func aPathIsNotInterpreted(name: String) throws {
    let folder = try TemporaryDirectory()
    let inside = folder.file("100%41 #1?x")
    try FileManager.default.createDirectory(at: inside, withIntermediateDirectories: true)
    let path = inside.path + "/" + name
    try FileManager.default.createDirectory(
      atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try Connection(path).withAccess { db in
      try db.execute(sql: "CREATE TABLE t (a); INSERT INTO t VALUES (7)")
    }
    #expect(FileManager.default.fileExists(atPath: path))
    try Connection(path, isReadOnly: true).withAccess { db throws in
      #expect(try Int.fetchOne(db, sql: "SELECT a FROM t") == 7)
    }
  }

  @Test func aRelativePathThatLooksLikeAURIIsAPath() async throws {
    let folder = try TemporaryDirectory()
    await #expect(processExitsWith: .success) { [path = folder.url.path as String] in
      #expect(FileManager.default.changeCurrentDirectoryPath(path))
      try Connection("file:t.db?mode=memory").withAccess {
        try $0.execute(sql: "CREATE TABLE t (a)")
      }
    }
    #expect(try folder.names == ["file:t.db?mode=memory"])
  }

  @Test(arguments: ["", "a\0b", "\0"])
  func aPathThatDoesNotNameAFileIsRefused(path: String) throws {
    let error = try databaseError { _ = try Connection(path) }
    #expect(error.resultCode == .SQLITE_CANTOPEN)
    #expect(error.message?.contains("cannot name a file") == true)
  }

  @Test func aReadOnlyConnectionNeverCreatesAFile() throws {
    let folder = try TemporaryDirectory()
    let error = try databaseError {
      _ = try Connection(folder.file("t.db").path, isReadOnly: true)
    }
    #expect(error.resultCode == .SQLITE_CANTOPEN)
    #expect(error.systemErrno == ENOENT)
    #expect(try folder.names == [])
  }

  @Test func aFolderIsNotADatabase() throws {
    let folder = try TemporaryDirectory()
    let error = try databaseError { _ = try Connection(folder.url.path) }
    #expect(error.resultCode == .SQLITE_CANTOPEN)
  }

  // MARK: - Configuration

  @Test func doubleQuotedTextIsNotAStringUnlessAllowed() throws {
    try Connection.inMemory { db in
      _ = try databaseError { _ = try String.fetchOne(db, sql: "SELECT \"misspelt\"") }
      _ = try databaseError {
        try db.execute(sql: "CREATE TABLE t (a); CREATE INDEX i ON t (a) WHERE a <> \"x\"")
      }
    }
    var configuration = Configuration()
    configuration.acceptsDoubleQuotedStringLiterals = true
    try Connection(nil, configuration).withAccess { db throws in
      #expect(try String.fetchOne(db, sql: "SELECT \"text\"") == "text")
    }
  }

  @Test func preparationsRunInOrderAndTheirErrorFailsTheOpening() throws {
    var configuration = Configuration()
    configuration.prepareDatabase { try $0.execute(sql: "CREATE TEMP TABLE t (a)") }
    configuration.prepareDatabase { try $0.execute(sql: "INSERT INTO t VALUES (1)") }
    try Connection(nil, configuration).withAccess { db throws in
      #expect(try Int.fetchOne(db, sql: "SELECT a FROM t") == 1)
    }
    configuration.prepareDatabase { _ in throw Unexpected(sentence: "no") }
    #expect(throws: Unexpected.self) { try Connection(nil, configuration) }
  }

  @Test func aPreparationLeavesNoTransactionOpen() throws {
    var configuration = Configuration()
    configuration.prepareDatabase { try $0.beginTransaction() }
    let error = try databaseError { _ = try Connection(nil, configuration) }
    #expect(error.resultCode == .SQLITE_MISUSE)
  }

  // MARK: - Read-only access

  @Test func aReadAccessCannotWrite() throws {
    let connection = try Connection()
    try connection.withAccess { try $0.execute(sql: "CREATE TABLE t (a)") }
    try connection.database.withAccess(isReadOnly: true) { db in
      for sql in [
        "INSERT INTO t VALUES (1)", "CREATE TABLE u (a)", "DROP TABLE t", "BEGIN IMMEDIATE",
        "PRAGMA user_version = 1", "CREATE TEMP TABLE v (a)",
      ] {
        let error = try databaseError { try db.execute(sql: sql) }
        #expect(error.resultCode == .SQLITE_READONLY, "\(sql)")
        #expect(error.sql == sql)
      }
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM t") == 0)
      try db.execute(sql: "BEGIN; SELECT * FROM t; COMMIT")
    }
    // A statement cached while writing was allowed is refused too.
    try connection.withAccess { try $0.execute(sql: "INSERT INTO t VALUES (1)") }
    try connection.database.withAccess(isReadOnly: true) { db in
      _ = try databaseError { try db.execute(sql: "INSERT INTO t VALUES (1)") }
    }
    try connection.withAccess { db throws in
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM t") == 1)
    }
  }

  // MARK: - State

  @Test func tableNamesAreCaseInsensitive() throws {
    try Connection.inMemory { db in
      try db.execute(
        sql: "CREATE TABLE Stop (a); CREATE TEMP TABLE note (a); CREATE VIEW seen AS SELECT 1")
      #expect(try db.tableExists("STOP"))
      #expect(try db.tableExists("note"))
      #expect(try !db.tableExists("seen"))
      #expect(try !db.tableExists("stop' OR '1'='1"))
    }
  }

  @Test func headerNumbersAreWrittenAndRead() throws {
    try Connection.inMemory { db in
      #expect(try db.headerNumber(.userVersion) == 0)
      try db.setHeaderNumber(.userVersion, to: -7)
      try db.setHeaderNumber(.applicationID, to: .max)
      #expect(try db.headerNumber(.userVersion) == -7)
      #expect(try db.headerNumber(.applicationID) == .max)
      #expect(try db.integrityProblems() == [])
    }
  }

  @Test func corruptionIsFound() throws {
    try Connection.inMemory { db in
      try db.execute(
        sql: """
          CREATE TABLE t (a); INSERT INTO t VALUES (NULL); PRAGMA writable_schema = ON;
          UPDATE sqlite_schema SET sql = 'CREATE TABLE t (a NOT NULL)';
          PRAGMA writable_schema = RESET;
          """)
      #expect(try db.integrityProblems() == ["NULL value in t.a"])
    }
  }

  // MARK: - Closing and misuse

  @Test func aClosedConnectionRefusesAccess() throws {
    let connection = try Connection()
    connection.database.close()
    connection.database.close()
    connection.database.interrupt()
    let error = try databaseError { try connection.withAccess { _ in } }
    #expect(error.resultCode == .SQLITE_MISUSE)
    #expect(error.message == "Connection is closed")
  }

  /// A full-text table keeps its own statements, which we must not finalize.
  @Test func aConnectionWithAFullTextTableCloses() throws {
    for _ in 1...10 {
      let connection = try Connection()
      try connection.withAccess { db in
        try db.execute(sql: "CREATE VIRTUAL TABLE t USING fts5 (a)")
        try db.execute(sql: "INSERT INTO t VALUES ('x y')")
        try db.execute(sql: "UPDATE t SET a = 'z'; DELETE FROM t WHERE t MATCH 'z'")
        #expect(try Row.fetchOne(db, sql: "SELECT * FROM t") == nil)
      }
      connection.database.close()
    }
  }

  static let uses: [String: @Sendable (Database) throws -> Void] = [
    "execute": { try $0.execute(sql: "SELECT 1") },
    "makeStatement": { _ = try $0.makeStatement(sql: "SELECT 1") },
    "fetchOne": { _ = try Int.fetchOne($0, sql: "SELECT 1") },
    "isInsideTransaction": { _ = $0.isInsideTransaction },
    "changesCount": { _ = $0.changesCount },
    "totalChangesCount": { _ = $0.totalChangesCount },
    "lastInsertedRowID": { _ = $0.lastInsertedRowID },
    "rollback": { try $0.rollback() },
  ]

  @Test(arguments: Array(uses.keys))
  func useOutsideTheAccessTraps(use: String) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [use = use as String] in
      let connection = try Connection()
      // First inside the access, where it is allowed, so that statements are cached.
      try connection.withAccess { try DatabaseTests.uses[use]?($0) }
      try DatabaseTests.uses[use]?(connection.database)
    }
    expectSentence("Database was used outside of its access", in: result)
  }

  @Test func useFromAnotherThreadTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try Connection.inMemory { db in
        // Sendable because the compiler must accept the misuse whose trap is tested.
        nonisolated(unsafe) let stolen = db
        let done = Gate()
        Thread.detachNewThread {
          unsafe _ = stolen.changesCount
          done.open()
        }
        done.wait()
      }
    }
    expectSentence("only on the thread that runs it", in: result)
  }

  @Test func anInterruptionEndsOnlyTheRunningStatement() throws {
    try Connection.inMemory { db in
      // Sendable because only `interrupt` is called there, which is allowed on any thread.
      nonisolated(unsafe) let lent = db
      let cursor = try Int.fetchCursor(
        db, sql: "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n")
      _ = try cursor.next()
      let done = Gate()
      Thread.detachNewThread {
        unsafe lent.interrupt()
        done.open()
      }
      done.wait()
      let error = try databaseError { while try cursor.next() != nil {} }
      #expect(error.resultCode == .SQLITE_INTERRUPT)
      #expect(try Int.fetchOne(db, sql: "SELECT 1") == 1)
    }
  }
}
