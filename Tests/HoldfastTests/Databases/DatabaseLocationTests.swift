import Foundation
import HoldfastTestSupport
import Testing

@testable import Holdfast

/// Relative paths, which are resolved once: a process that changes its folder keeps its files.
///
/// The current folder belongs to the whole process, so each test changes it in a child.
@Suite(.timeLimit(.minutes(2))) struct DatabaseLocationTests {
  /// Two folders, of which the first is the current one; `t.db` in it has one row.
  private struct Folders {
    let directory: TemporaryDirectory

    init() throws {
      directory = try TemporaryDirectory()
      for name in ["a", "b"] {
        try FileManager.default.createDirectory(
          at: directory.file(name), withIntermediateDirectories: true)
      }
      enter("a")
      let pool = try DatabasePool(path: path)
      try pool.blockingWrite { db in
        try db.execute(sql: "CREATE TABLE t (a); INSERT INTO t VALUES (1)")
      }
      try pool.close()
    }

    /// The absolute path of the database.
    var path: String { directory.file("a/t.db").path }

    func enter(_ name: String) {
      precondition(FileManager.default.changeCurrentDirectoryPath(directory.file(name).path))
    }

    func names(_ name: String) throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: directory.file(name).path).sorted()
    }
  }

  private static var configuration: Configuration {
    var configuration = Configuration()
    configuration.allowsSuspension = true
    return configuration
  }

  private static func count(_ reader: some DatabaseReader) throws -> Int? {
    try reader.blockingRead { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM t") }
  }

  @Test(arguments: [true, false])
  func writesGoToTheSameFileAfterAFolderChangeAndASuspension(isPool: Bool) async {
    await #expect(processExitsWith: .success) { [isPool = isPool as Bool] in
      let folders = try Folders()
      let writer: any DatabaseWriter =
        isPool
        ? try DatabasePool(path: "t.db", configuration: Self.configuration)
        : try DatabaseQueue(path: "t.db", configuration: Self.configuration)
      #expect(writer.path == "t.db")
      folders.enter("b")
      // This opens a reader of the pool.
      #expect(try Self.count(writer) == 1)
      _ = writer.blockingSuspend()
      writer.resume()
      try await writer.write { db in try db.execute(sql: "INSERT INTO t VALUES (2)") }
      #expect(try Self.count(writer) == 2)
      #expect(try folders.names("b") == [])
      #expect(try Self.count(DatabaseQueue(path: folders.path)) == 2)
    }
  }

  #if os(Linux)
    @Test func aSuspensionReportsOnTheSameFileAfterAFolderChange() async {
      await #expect(processExitsWith: .success) {
        let folders = try Folders()
        let pool = try DatabasePool(path: "t.db", configuration: Self.configuration)
        let other = try DatabasePool(path: folders.path)
        #expect(try Self.count(other) == 1)
        folders.enter("b")
        let report = pool.blockingSuspend()
        #expect(report.locks == .left)
        #expect(Set(report.heldLocks.map(\.name)) == [.shared, .deadManSwitch])
        try other.close()
        #expect(pool.blockingSuspend().locks == .proved)
      }
    }

    @Test(.enabled(if: OtherSQLite.isThere, "there is no python3 with sqlite3"))
    func aBusyDatabaseNamesItsObstacleAfterAFolderChange() async {
      await #expect(processExitsWith: .success) {
        let folders = try Folders()
        var configuration = Configuration()
        configuration.busyMode = .immediateError
        let pool = try DatabasePool(path: "t.db", configuration: configuration)
        folders.enter("b")
        let other = try OtherSQLite()
        try other.run("BEGIN IMMEDIATE", on: folders.path)
        let error = #expect(throws: DatabaseError.self) {
          try pool.blockingWrite { db in try db.execute(sql: "INSERT INTO t VALUES (2)") }
        }
        #expect(error?.obstacle?.contains("\(other.processIdentifier)") == true)
        #expect(error?.path == folders.path)
      }
    }
  #endif

  @Test func snapshotsAndReadersContinueAfterAFolderChange() async {
    await #expect(processExitsWith: .success) {
      let folders = try Folders()
      let pool = try DatabasePool(path: "t.db", configuration: Self.configuration)
      let snapshot = try DatabaseSnapshot(path: "t.db", configuration: Self.configuration)
      #expect(snapshot.path == "t.db")
      let url = URL(filePath: "t.db")
      let files: [any DatabaseWriter] = [
        try DatabasePool(
          readOnlyFileAt: url, isNeverModified: false, configuration: Self.configuration),
        try DatabaseQueue(
          readOnlyFileAt: url, isNeverModified: false, configuration: Self.configuration),
        try #require(try DatabasePool.sharedReadOnly(at: url)),
        try await DatabasePool.shared(at: url),
      ]
      folders.enter("b")
      #expect(try Self.count(pool.makeSnapshot()) == 1)
      #expect(try Self.count(snapshot) == 1)
      for file in files {
        _ = file.blockingSuspend()
        file.resume()
        #expect(try Self.count(file) == 1)
      }
      #expect(try folders.names("b") == [])
    }
  }

  @Test func aURLRelativeToAnotherIsResolvedAfterAFolderChange() async {
    await #expect(processExitsWith: .success) {
      let folders = try Folders()
      let base = URL(filePath: "a", directoryHint: .isDirectory, relativeTo: folders.directory.url)
      let (received, task) = WatchedDatabase.gather(
        try ExternalChanges(databaseAt: URL(filePath: "t.db", relativeTo: base)))
      let (others, otherTask) = WatchedDatabase.gather(
        try ExternalChanges(databaseAt: URL(filePath: "t.db")))
      folders.enter("b")
      let pool = try DatabasePool(path: folders.path)
      let before = (received.entries.count, others.entries.count)
      try await pool.write { db in try db.execute(sql: "INSERT INTO t VALUES (2)") }
      await until { received.entries.count > before.0 && others.entries.count > before.1 }
      task.cancel()
      otherTask.cancel()
    }
  }

  @Test func inARemovedFolderOnlyMemoryDatabasesOpen() async {
    await #expect(processExitsWith: .success) {
      let folders = try Folders()
      folders.enter("b")
      try FileManager.default.removeItem(at: folders.directory.file("b"))
      for open: () throws -> Void in [
        { _ = try DatabaseQueue(path: "t.db") }, { _ = try DatabasePool(path: "t.db") },
        { _ = try DatabaseSnapshot(path: "t.db") },
      ] {
        let error = #expect(throws: DatabaseError.self) { try open() }
        #expect(error?.resultCode == .SQLITE_CANTOPEN)
      }
      for queue in [try DatabaseQueue(path: ":memory:"), try DatabaseQueue(named: "n")] {
        try queue.blockingWrite { db in try db.execute(sql: "CREATE TABLE t (a)") }
        #expect(queue.path == nil)
      }
      #expect(try Self.count(DatabaseQueue(path: folders.path)) == 1)
    }
  }

  /// SQLite gives some names a meaning, which stays.
  @Test func specialNamesKeepTheirMeaning() async {
    await #expect(processExitsWith: .success) {
      let folders = try Folders()
      folders.enter("b")
      #expect(throws: DatabaseError.self) { try DatabaseQueue(path: "") }
      #expect(throws: DatabaseError.self) { try DatabasePool(path: "") }
      // A database in memory has no write-ahead log.
      #expect(throws: DatabaseError.self) { try DatabasePool(path: ":memory:") }
      #expect(throws: DatabaseError.self) { try DatabaseQueue(path: "a\0b") }
      #expect(try folders.names("b") == [])
      for name in ["file:t.db?mode=memory", "a%20b#c?d", "caf\u{e9}", "cafe\u{301}"] {
        try DatabaseQueue(path: name).blockingWrite { db in
          try db.execute(sql: "CREATE TABLE t (a)")
        }
      }
      let names = try folders.names("b").map { Array($0.utf8) }
      #expect(names.count == 4)
      #expect(names.contains(Array("file:t.db?mode=memory".utf8)))
      #expect(names.contains(Array("cafe\u{301}".utf8)))
      try await DatabaseQueue(path: folders.path).vacuum(into: "file:copy.db?mode=memory")
      #expect(try folders.names("b").contains("file:copy.db?mode=memory"))
    }
  }
}
