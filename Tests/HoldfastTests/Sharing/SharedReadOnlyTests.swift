import Foundation
import Holdfast
import HoldfastFiles
import HoldfastTestSupport
import Testing

/// Read-only opening of a database that other processes write.
@Suite(.timeLimit(.minutes(1))) struct SharedReadOnlyTests {
  private let folder: TemporaryDirectory
  private let url: URL

  init() throws {
    folder = try TemporaryDirectory()
    url = folder.file("shared.db")
  }

  private static func migrator(_ count: Int) -> DatabaseMigrator {
    var migrator = DatabaseMigrator()
    for number in 1...count {
      migrator.registerMigration("m\(number)") { db in
        try db.execute(
          sql: "CREATE TABLE t\(number) (a); INSERT INTO t\(number) VALUES (\(number))")
      }
    }
    return migrator
  }

  private func made() throws -> DatabasePool {
    try DatabasePool.shared(at: url, migrator: Self.migrator(2))
  }

  private static func refusal(_ url: URL, _ migrator: DatabaseMigrator) -> SharingError? {
    #expect(throws: SharingError.self) {
      _ = try DatabasePool.sharedReadOnly(at: url, schema: migrator)
    }
  }

  /// Returns all files in the folder with their content; shared memory does not count as content.
  private func files() throws -> [String: Data] {
    var files: [String: Data] = [:]
    for name in try folder.names {
      files[name] = name.hasSuffix("-shm") ? Data() : try Data(contentsOf: folder.file(name))
    }
    return files
  }

  /// GR-2.
  @Test func aDatabaseThatIsNotCreatedYetIsNil() throws {
    #expect(try DatabasePool.sharedReadOnly(at: url) == nil)
    #expect(try DatabasePool.sharedReadOnly(at: folder.file("no/such/folder.db")) == nil)
    #expect(try folder.names == [])
    // Another process is about to create it; SQLite itself writes the byte on some volumes.
    for content in ["", "S"] {
      try Data(content.utf8).write(to: url)
      #expect(try DatabasePool.sharedReadOnly(at: url, schema: Self.migrator(1)) == nil)
      #expect(try folder.names == ["shared.db"])
    }
    try made().close()
    #expect(try DatabasePool.sharedReadOnly(at: url) != nil)
  }

  @Test func aDatabaseWithoutAnyTableIsNotCreatedYet() throws {
    try DatabasePool.shared(at: url).close()
    #expect(try DatabasePool.sharedReadOnly(at: url, schema: Self.migrator(1)) == nil)
    #expect(try DatabasePool.sharedReadOnly(at: url) == nil)
  }

  /// GR-2.
  @Test func theSchemaCanBeOlderOrNewerThanNeeded() throws {
    let pool = try made()
    let older = Self.refusal(url, Self.migrator(3))
    #expect(older?.code == .schemaOlder)
    #expect(older?.message.contains("'m3'") == true)
    #expect(older?.isTransient == true)
    let newer = Self.refusal(url, Self.migrator(1))
    #expect(newer?.code == .schemaNewer)
    #expect(newer?.message.contains("'m2'") == true)
    let reader = try #require(try DatabasePool.sharedReadOnly(at: url, schema: Self.migrator(2)))
    try pool.write { db in try db.execute(sql: "INSERT INTO t1 VALUES (7)") }
    #expect(try reader.read { db in try Int.fetchOne(db, sql: "SELECT sum(a) FROM t1") } == 8)
    let error = #expect(throws: DatabaseError.self) {
      try reader.write { db in try db.execute(sql: "DELETE FROM t1") }
    }
    #expect(error?.resultCode == .SQLITE_READONLY)
  }

  @Test func aReadOnlyDatabaseCanBeSuspended() async throws {
    let writer = try await DatabasePool.shared(at: url, migrator: Self.migrator(2))
    let reader = try #require(try DatabasePool.sharedReadOnly(at: url))
    try writer.close()
    #expect(await reader.suspend().isFree)
    #expect(try HeldLocks.onDatabase(at: url.path) == [])
    reader.resume()
    #expect(try await reader.read { db in try Int.fetchOne(db, sql: "SELECT a FROM t2") } == 2)
  }

  @Test func aFileThatIsNotADatabaseIsRefused() throws {
    try Data(repeating: 7, count: 4096).write(to: url)
    // With SQLCipher it may be one that is encrypted.
    let code = Database.canDecrypt ? SharingError.Code.needsWriter : .notADatabase
    #expect(Self.refusal(url, Self.migrator(1))?.code == code)
    #expect(try folder.names == ["shared.db"])
  }

  /// A writer of another library removes the log's files when it closes last.
  @Test func aDatabaseWithoutItsLogFilesNeedsAWriterOnce() throws {
    try made().close()
    try DatabasePool(path: url.path).close()
    try #require(try folder.names == ["shared.db"])
    let error = Self.refusal(url, Self.migrator(2))
    #expect(error?.code == .needsWriter)
    #expect(try folder.names == ["shared.db"])
    try made().close()
    let reader = try #require(try DatabasePool.sharedReadOnly(at: url, schema: Self.migrator(2)))
    #expect(try reader.read { db in try Int.fetchOne(db, sql: "SELECT a FROM t2") } == 2)
    // Reopening its connections creates no file either.
    try reader.close()
  }

  @Test func aReaderDoesNotRecreateRemovedLogFiles() throws {
    try made().close()
    let reader = try #require(try DatabasePool.sharedReadOnly(at: url))
    _ = reader.blockingSuspend()
    try DatabasePool(path: url.path).close()
    try #require(try folder.names == ["shared.db"])
    reader.resume()
    let error = #expect(throws: SharingError.self) { try reader.read { _ in } }
    #expect(error?.code == .needsWriter)
    #expect(try folder.names == ["shared.db"])
  }

  // MARK: - Permissions

  @Test(.enabled(if: Unprivileged.isPossible, Comment(rawValue: Unprivileged.reason)))
  func theFilesOfTheLastWriterAreReadInAnUnwritableFolder() async throws {
    try onThisThread { try made() }.close()
    let before = try files()
    await #expect(processExitsWith: .success) { [url = url as URL] in
      Unprivileged.become()
      let reader = try #require(
        try DatabasePool.sharedReadOnly(at: url, schema: Self.migrator(2)))
      #expect(try reader.blockingRead { db in try Int.fetchOne(db, sql: "SELECT a FROM t2") } == 2)
      #expect(Self.refusal(url, Self.migrator(3))?.code == .schemaOlder)
    }
    #expect(try files() == before)
  }

  @Test(.enabled(if: Unprivileged.isPossible, Comment(rawValue: Unprivileged.reason)))
  func aReaderWorksNextToAWriterInAnUnwritableFolder() async throws {
    let pool = try onThisThread { try made() }
    try pool.blockingWrite { db in try db.execute(sql: "INSERT INTO t1 VALUES (7)") }
    let before = try files()
    await #expect(processExitsWith: .success) { [url = url as URL] in
      Unprivileged.become()
      let reader = try #require(try DatabasePool.sharedReadOnly(at: url))
      let sum = try reader.blockingRead { db in try Int.fetchOne(db, sql: "SELECT sum(a) FROM t1") }
      #expect(sum == 8)
    }
    #expect(try files() == before)
    try pool.close()
  }

  @Test(.enabled(if: Unprivileged.isPossible, Comment(rawValue: Unprivileged.reason)))
  func everyOtherResultLeavesNoTraceInAnUnwritableFolder() async throws {
    try onThisThread { try made() }.close()
    try DatabasePool(path: url.path).close()
    let before = try files()
    await #expect(processExitsWith: .success) { [url = url as URL] in
      Unprivileged.become()
      #expect(Self.refusal(url, Self.migrator(2))?.code == .needsWriter)
      let other = url.deletingLastPathComponent().appending(path: "other.db")
      let reader = try DatabasePool.sharedReadOnly(at: other)
      #expect(reader == nil)
    }
    #expect(try files() == before)
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: url.path)
    await #expect(processExitsWith: .success) { [url = url as URL] in
      Unprivileged.become()
      let error = Self.refusal(url, Self.migrator(2))
      #expect(error?.code == .accessDenied)
      #expect((error?.underlying as? DatabaseError)?.systemErrno == EACCES)
    }
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.url.path)
    await #expect(processExitsWith: .success) { [url = url as URL] in
      Unprivileged.become()
      #expect(Self.refusal(url, Self.migrator(2))?.code == .accessDenied)
    }
    #expect(try files() == before)
  }
}
