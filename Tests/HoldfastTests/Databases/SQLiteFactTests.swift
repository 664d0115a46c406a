import Foundation
import HoldfastTestSupport
import Testing

@testable import Holdfast

/// SQLite's behaviour with files that are read-only, never modified, moved or removed.
///
/// Our code relies on each of these facts. A failure here indicates another behaviour of SQLite and
/// not a bug of ours.
@Suite(.timeLimit(.minutes(1))) struct SQLiteFactTests {
  private let folder: TemporaryDirectory
  private let path: String

  init() throws {
    folder = try TemporaryDirectory()
    path = folder.file("t.db").path
  }

  private func makeFile(_ name: String = "t.db", mode: String) throws -> DatabaseQueue {
    let queue = try DatabaseQueue(path: folder.file(name).path)
    try queue.blockingWithoutTransaction { db in
      try db.execute(sql: "PRAGMA journal_mode = \(mode)")
      try db.execute(sql: "CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    }
    return queue
  }

  /// Creates a file whose connection never checkpoints, so that its log stays as after a crash.
  private func makeFileWithLog() throws {
    try makeFile(mode: "WAL").close()
    let queue = try DatabaseQueue(path: path, configuration: Self.suspendable)
    try queue.blockingWrite { db in try db.execute(sql: "INSERT INTO t VALUES (2)") }
    _ = queue.blockingSuspend()
  }

  private static let suspendable: Configuration = {
    var configuration = Configuration()
    configuration.allowsSuspension = true
    configuration.keepsWriteAheadLog = true
    return configuration
  }()

  private static let reading: Configuration = {
    var configuration = Configuration()
    configuration.readonly = true
    return configuration
  }()

  private static func sum(_ queue: DatabaseQueue) throws -> Int? {
    try queue.blockingRead { db in try Int.fetchOne(db, sql: "SELECT sum(a) FROM t") }
  }

  private static func code(_ body: () throws -> Void) -> ResultCode? {
    do {
      try body()
      return nil
    } catch {
      return (error as? DatabaseError)?.extendedResultCode
    }
  }

  // MARK: - Read-only access (REQUIREMENTS 3.3)

  @Test(.enabled(if: Unprivileged.isPossible, Comment(rawValue: Unprivileged.reason)))
  func anUnwritableFolderWithoutLogFilesCannotBeRead() async throws {
    try makeFile(mode: "WAL").close()
    await #expect(processExitsWith: .success) { [path = path as String] in
      Unprivileged.become()
      let code = Self.code { _ = try DatabaseQueue(path: path, configuration: Self.reading) }
      #expect(code == .SQLITE_READONLY_DIRECTORY)
    }
  }

  @Test(.enabled(if: Unprivileged.isPossible, Comment(rawValue: Unprivileged.reason)))
  func anUnwritableFolderWithReadableLogFilesCanBeRead() async throws {
    try makeFileWithLog()
    await #expect(processExitsWith: .success) { [path = path as String] in
      Unprivileged.become()
      let sum = try Self.sum(DatabaseQueue(path: path, configuration: Self.reading))
      #expect(sum == 3)
    }
  }

  @Test(.enabled(if: Unprivileged.isPossible, Comment(rawValue: Unprivileged.reason)))
  func anUnwritableFolderWithoutTheLogIndexCannotBeRead() async throws {
    try makeFileWithLog()
    try FileManager.default.removeItem(atPath: path + "-shm")
    await #expect(processExitsWith: .success) { [path = path as String] in
      Unprivileged.become()
      let code = Self.code { _ = try DatabaseQueue(path: path, configuration: Self.reading) }
      #expect(code?.primaryResultCode == .SQLITE_CANTOPEN)
    }
  }

  @Test func aReaderCreatesTheLogFilesAndLeavesThem() throws {
    try makeFile(mode: "WAL").close()
    try #require(try folder.names == ["t.db"])
    let reader = try DatabaseQueue(path: path, configuration: Self.reading)
    #expect(try Self.sum(reader) == 1)
    try reader.close()
    #expect(try folder.names == ["t.db", "t.db-shm", "t.db-wal"])
  }

  /// Even a process that cannot write the file creates them if it can write the folder.
  @Test(.enabled(if: Unprivileged.isPossible, Comment(rawValue: Unprivileged.reason)))
  func theLogFilesOfAReadOnlyFileAreCreatedInAWritableFolder() async throws {
    try makeFile(mode: "WAL").close()
    let rights = FileManager.default
    try rights.setAttributes([.posixPermissions: 0o444], ofItemAtPath: path)
    try rights.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.url.path)
    await #expect(processExitsWith: .success) { [path = path as String] in
      Unprivileged.become()
      let queue = try DatabaseQueue(path: path, configuration: Self.reading)
      #expect(try Self.sum(queue) == 1)
      try queue.close()
    }
    #expect(try folder.names == ["t.db", "t.db-shm", "t.db-wal"])
  }

  @Test func aPersistentLogIsEmptyAfterTheLastClose() throws {
    try makeFile(mode: "WAL").close()
    var configuration = Configuration()
    configuration.keepsWriteAheadLog = true
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.blockingWrite { db in try db.execute(sql: "INSERT INTO t VALUES (2)") }
    try queue.close()
    #expect(try folder.names == ["t.db", "t.db-shm", "t.db-wal"])
    #expect(try Data(contentsOf: folder.file("t.db-wal")).isEmpty)
    #expect(try Self.sum(DatabaseQueue(path: path, configuration: Self.reading)) == 3)
  }

  @Test func aWriterThatDoesNotPersistTheLogRemovesIt() throws {
    try makeFileWithLog()
    let writer = try DatabaseQueue(path: path)
    #expect(try Self.sum(writer) == 3)
    try writer.close()
    #expect(try folder.names == ["t.db"])
  }

  // MARK: - Never modified (REQUIREMENTS 3.4)

  @Test func anImmutableFileIsReadWithoutLocksAndWithoutItsLog() throws {
    try makeFileWithLog()
    let queue = try DatabaseQueue(at: .immutableFile(path), configuration: Self.reading)
    try queue.blockingRead { (db) throws -> Void in
      #expect(try Int.fetchOne(db, sql: "SELECT sum(a) FROM t") == 1)
      #expect(try String.fetchOne(db, sql: "PRAGMA journal_mode") == "delete")
      #expect(try HeldLocks.onDatabase(at: path) == [])
    }
    #expect(try Self.sum(DatabaseQueue(path: path)) == 3)
  }

  /// Therefore nothing may replace a file that is opened as immutable.
  @Test func anImmutableFileThatIsModifiedIsNotNoticed() throws {
    try makeFile(mode: "DELETE").close()
    let queue = try DatabaseQueue(at: .immutableFile(path), configuration: Self.reading)
    #expect(try Self.sum(queue) == 1)
    let writer = try DatabaseQueue(path: path)
    try writer.blockingWrite { db in try db.execute(sql: "INSERT INTO t VALUES (2)") }
    try writer.close()
    #expect(try Self.sum(queue) == 1)
  }

  /// Therefore a path is escaped before it becomes a URI.
  @Test func anUnescapedPathNamesAnotherFile() throws {
    let other = try OtherSQLite()
    let raw = folder.url.path + "/100%41 #1?x.db"
    try makeFile(mode: "DELETE").close()
    try FileManager.default.copyItem(atPath: path, toPath: raw)
    // The file that is opened has no such table.
    #expect(throws: OtherSQLite.Refusal.self) {
      try other.run("SELECT * FROM t", on: "file:\(raw)?mode=ro")
    }
    #expect(try folder.names == ["100%41 #1?x.db", "100A ", "t.db"])
  }

  @Test(.enabled(if: Unprivileged.isPossible, Comment(rawValue: Unprivileged.reason)))
  func anImmutableFileInLogModeIsReadInAnUnwritableFolder() async throws {
    try makeFile(mode: "WAL").close()
    await #expect(processExitsWith: .success) { [path = path as String] in
      Unprivileged.become()
      let queue = try DatabaseQueue(at: .immutableFile(path), configuration: Self.reading)
      #expect(try Self.sum(queue) == 1)
    }
    #expect(try folder.names == ["t.db"])
  }

  // MARK: - Removed and replaced (REQUIREMENTS 3.8)

  @Test func aConnectionToARemovedFileCanReadAndCannotWrite() throws {
    let queue = try makeFile(mode: "DELETE")
    try FileManager.default.removeItem(atPath: path)
    #expect(try Self.sum(queue) == 1)
    let code = Self.code {
      try queue.blockingWrite { db in try db.execute(sql: "INSERT INTO t VALUES (2)") }
    }
    #expect(code == .SQLITE_READONLY_DBMOVED)
  }

  @Test func withALogWritesToARemovedFileAreLost() throws {
    let queue = try makeFile(mode: "WAL")
    try FileManager.default.removeItem(atPath: path)
    try queue.blockingWrite { db in try db.execute(sql: "INSERT INTO t VALUES (2)") }
    #expect(try Self.sum(queue) == 3)
    try queue.close()
    #expect(try !folder.names.contains("t.db"))
  }

  @Test(arguments: ["DELETE", "WAL"])
  func aLeftoverLogMakesAnotherFileUnreadable(mode: String) throws {
    try makeFileWithLog()
    let other = try makeFile("other.db", mode: mode)
    try other.blockingWrite { db in
      try db.execute(
        sql: """
          CREATE TABLE u (a); CREATE INDEX i ON u (a);
          WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
          INSERT INTO u SELECT hex(randomblob(40)) FROM n;
          """)
    }
    try other.close()
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.moveItem(atPath: folder.file("other.db").path, toPath: path)
    let problems: [String]
    do {
      problems = try DatabaseQueue(path: path).blockingRead { db in try db.integrityProblems() }
    } catch let error as DatabaseError {
      problems = [error.description]
    }
    #expect(!problems.isEmpty)
  }

  @Test func aLeftoverIndexWithoutItsLogIsHarmless() throws {
    try makeFileWithLog()
    let shm = try Data(contentsOf: folder.file("t.db-shm"))
    try makeFile("other.db", mode: "WAL").close()
    for suffix in ["", "-wal", "-shm"] { try FileManager.default.removeItem(atPath: path + suffix) }
    try shm.write(to: folder.file("t.db-shm"))
    try FileManager.default.moveItem(atPath: folder.file("other.db").path, toPath: path)
    #expect(try Self.sum(DatabaseQueue(path: path)) == 1)
  }

  @Test func theLogCannotBeDisabledWhileAnotherConnectionIsIdle() throws {
    let idle = try makeFile(mode: "WAL")
    let queue = try DatabaseQueue(path: path)
    let code = Self.code {
      try queue.blockingWithoutTransaction { db in
        try db.execute(sql: "PRAGMA journal_mode = DELETE")
      }
    }
    #expect(code?.primaryResultCode == .SQLITE_BUSY)
    try idle.close()
    try queue.blockingWithoutTransaction { (db) throws -> Void in
      #expect(try String.fetchOne(db, sql: "PRAGMA journal_mode = DELETE") == "delete")
    }
    #expect(try folder.names == ["t.db"])
  }
}
