import Foundation
import HoldfastFiles
import HoldfastTestSupport
import Testing

@testable import Holdfast

/// Operations on a whole database.
@Suite(.timeLimit(.minutes(1))) struct DatabaseMaintenanceTests {
  private let folder: TemporaryDirectory
  private let path: String

  init() throws {
    folder = try TemporaryDirectory()
    path = folder.file("t.db").path
  }

  private func makePool(_ configuration: Configuration = Configuration()) throws -> DatabasePool {
    try fill(DatabasePool(path: path, configuration: configuration))
  }

  private func fill<Writer: DatabaseWriter>(_ writer: Writer) throws -> Writer {
    try writer.write { db in
      try db.execute(
        sql: """
          CREATE TABLE parent (id INTEGER PRIMARY KEY);
          CREATE TABLE t (a, b REFERENCES parent);
          CREATE VIEW v AS SELECT a FROM t;
          INSERT INTO parent VALUES (1);
          INSERT INTO t VALUES (1, 1), (2, 1);
          """)
      try db.setHeaderNumber(.userVersion, to: 7)
    }
    return writer
  }

  private static func values(_ db: Database) throws -> [Int] {
    try Int.fetchAll(db, sql: "SELECT a FROM t ORDER BY a")
  }

  private func walSize() throws -> Int {
    try FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int ?? -1
  }

  // MARK: - Erasing and vacuuming

  @Test func erasingRemovesEverything() async throws {
    let writers: [any DatabaseWriter] = [
      try makePool(), try fill(DatabaseQueue(path: folder.file("q.db").path)),
      try fill(DatabaseQueue()), try fill(DatabaseQueue(named: "erased")),
    ]
    for (index, writer) in writers.enumerated() {
      if index.isMultiple(of: 2) { try writer.blockingErase() } else { try await writer.erase() }
      let (count, version) = try await writer.read { db in
        (
          try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema"),
          try db.headerNumber(.userVersion)
        )
      }
      #expect(count == 0)
      #expect(version == 0)
      // It can be used again, with the same names.
      _ = try fill(writer as? DatabaseQueue ?? DatabaseQueue())
    }
    let pool = writers[0]
    let mode = try pool.blockingWithoutTransaction { db in
      try String.fetchOne(db, sql: "PRAGMA journal_mode")
    }
    #expect(mode == "wal")
  }

  @Test func aSnapshotKeepsTheErasedContent() throws {
    let pool = try makePool()
    let snapshot = try pool.makeSnapshot()
    try pool.erase()
    #expect(try snapshot.read(Self.values) == [1, 2])
  }

  @Test func vacuumShrinksTheFile() async throws {
    let queue = try DatabaseQueue(path: path)
    try await queue.write { db in
      try db.execute(sql: "CREATE TABLE t (a); INSERT INTO t VALUES (zeroblob(1000000))")
      try db.execute(sql: "DELETE FROM t; INSERT INTO t VALUES (1)")
    }
    func pages() async throws -> Int? {
      try await queue.read { db in try Int.fetchOne(db, sql: "PRAGMA page_count") }
    }
    #expect(try await pages() ?? 0 > 200)
    try queue.blockingVacuum()
    #expect(try await pages() == 2)
    try await queue.vacuum()
    #expect(try await queue.read { db in try Self.values(db) } == [1])
  }

  @Test func vacuumIntoRunsWhileTheWriterIsBusy() async throws {
    let pool = try makePool()
    // Text is never syntax: any name is allowed.
    let copy = folder.file("a 'copy'?.db").path
    let inside = Gate()
    let leave = Gate()
    let writer = OwnThread {
      try pool.write { db in
        try db.execute(sql: "INSERT INTO t VALUES (3, 1)")
        inside.open()
        leave.wait()
      }
    }
    try await onOwnThread { inside.wait() }
    try await pool.vacuum(into: copy)
    leave.open()
    try await writer.value
    #expect(try await DatabaseQueue(path: copy).read { db in try Self.values(db) } == [1, 2])
    let error = #expect(throws: DatabaseError.self) { try pool.blockingVacuum(into: copy) }
    #expect(error?.resultCode == .SQLITE_ERROR)
    #expect(error?.message?.contains("already exists") == true)
    // The reader that wrote the copy still cannot write to its own database.
    #expect(throws: DatabaseError.self) {
      try pool.blockingRead { db in try db.execute(sql: "DELETE FROM t") }
    }
  }

  @Test func aMemoryDatabaseIsWrittenToAFile() throws {
    try fill(DatabaseQueue()).vacuum(into: path)
    var configuration = Configuration()
    configuration.readonly = true
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    #expect(try queue.read(Self.values) == [1, 2])
    try queue.vacuum(into: folder.file("second.db").path)
    #expect(try folder.names == ["second.db", "t.db"])
  }

  // MARK: - Checkpoints

  @Test(arguments: ["-wal", "-shm", "-journal", "-signal"])
  func aCopyDoesNotReplaceACompanionFile(suffix: String) async throws {
    let pool = try makePool()
    try await pool.checkpoint(.truncate)
    let names = try folder.names
    for target in [path + suffix, folder.url.path + "/./t.db" + suffix] {
      await #expect(throws: FileError.self) { try await pool.vacuum(into: target) }
      #expect(throws: FileError.self) { try pool.blockingVacuum(into: target) }
    }
    #expect(try folder.names == names)
    // Also through a link, and through another name of an empty log.
    let (link, hard) = (folder.file("link"), folder.file("hard"))
    try FileManager.default.createSymbolicLink(
      atPath: link.path, withDestinationPath: "t.db" + suffix)
    await #expect(throws: FileError.self) { try await pool.vacuum(into: link.path) }
    if FileManager.default.fileExists(atPath: path + suffix) {
      try FileManager.default.linkItem(atPath: path + suffix, toPath: hard.path)
      await #expect(throws: FileError.self) { try await pool.vacuum(into: hard.path) }
      try FileManager.default.removeItem(at: hard)
    }
    try FileManager.default.removeItem(at: link)
    #expect(try folder.names == names)
    try await pool.write { db in try db.execute(sql: "INSERT INTO t VALUES (3, 1)") }
    #expect(try pool.blockingRead(Self.values) == [1, 2, 3])
    try pool.close()
    #expect(try DatabaseQueue(path: path).blockingRead(Self.values) == [1, 2, 3])
  }

  @Test(arguments: ["-wal", "-journal"])
  func aLogNextToTheNewCopyIsKept(suffix: String) async throws {
    let copy = folder.file("copy.db").path
    let log = URL(filePath: copy + suffix)
    try Data("changes".utf8).write(to: log)
    let pool = try makePool()
    // SQLite takes one byte for none.
    for content in [nil, Data(), Data([7])] {
      if let content { try content.write(to: URL(filePath: copy)) }
      let error = await #expect(throws: FileError.self) { try await pool.vacuum(into: copy) }
      #expect(error?.code == .sidecarPresent)
      #expect(try Data(contentsOf: log) == Data("changes".utf8))
      #expect(FileManager.default.contents(atPath: copy) == content)
    }
  }

  /// A backup would write a database into the log if it were opened under the log's name.
  @Test(arguments: ["-wal", "-shm", "-journal"])
  func aCompanionFileIsNotOpenedForWriting(suffix: String) async throws {
    let pool = try makePool()
    try await pool.checkpoint(.truncate)
    let names = try folder.names
    for open: () throws -> any DatabaseWriter in [
      { try DatabaseQueue(path: path + suffix) }, { try DatabasePool(path: path + suffix) },
    ] {
      let error = #expect(throws: DatabaseError.self) { try pool.blockingBackup(to: open()) }
      #expect(error?.resultCode == .SQLITE_CANTOPEN)
      #expect(error?.message?.contains("t.db") == true)
    }
    #expect(try folder.names == names)
    try pool.close()
    #expect(try DatabaseQueue(path: path).blockingRead(Self.values) == [1, 2])
  }

  /// A name says nothing of what is a database by its own account.
  @Test(
    .disabled(if: ConnectionKeys.areUsed, "an encrypted file does not say that it is a database"),
    arguments: ["-wal", "-journal", "-mj0123459AB"])
  func aDatabaseIsOpenedForWritingWhateverFileHasTheNameBeforeItsEnding(suffix: String) throws {
    let text = folder.file("notes")
    let path = text.path + suffix
    try DatabaseQueue(path: path).write { db in try db.execute(sql: "CREATE TABLE t (a)") }
    try Data("notes".utf8).write(to: text)
    try DatabaseQueue(path: path).write { db in try db.execute(sql: "INSERT INTO t VALUES (1)") }
    let pool = try DatabasePool(path: path)
    try pool.write { db in try db.execute(sql: "INSERT INTO t VALUES (2)") }
    try pool.close()
    #expect(try Data(contentsOf: text) == Data("notes".utf8))
    // What is empty, or something else, may become one.
    for content in ["", "SQLite format"] {
      try Data(content.utf8).write(to: URL(filePath: path))
      #expect(throws: DatabaseError.self) { try DatabaseQueue(path: path) }
    }
  }

  #if os(Linux)
    /// A descriptor that is closed ends the locks that the process has on the file.
    @Test func aLookAtASharedMemoryEndsNoLock() throws {
      let pool = try makePool()
      let database = URL(filePath: path)
      let before = try LockTable.locksOfThisProcess(onDatabasesAt: [database])
      try #require(!before.isEmpty)
      for suffix in ["-wal", "-shm", "-journal"] {
        #expect(throws: DatabaseError.self) { try DatabaseQueue(path: path + suffix) }
      }
      #expect(try LockTable.locksOfThisProcess(onDatabasesAt: [database]) == before)
      try pool.close()
    }
  #endif

  @Test func aCheckpointMovesTheLogIntoTheFile() async throws {
    let pool = try makePool()
    let (frames, moved) = try pool.blockingCheckpoint(.passive)
    #expect(frames > 0)
    #expect(moved == frames)
    #expect(try walSize() > 0)
    for mode in [Database.CheckpointMode.full, .restart] {
      try await pool.write { db in try db.execute(sql: "INSERT INTO t VALUES (3, 1)") }
      let result = try await pool.checkpoint(mode)
      #expect(result.walFrameCount == result.checkpointedFrameCount)
    }
    let truncated = try await pool.checkpoint(.truncate)
    #expect(truncated.walFrameCount == 0)
    #expect(try walSize() == 0)
  }

  @Test func withoutALogThereAreNoFrames() throws {
    let queue = try fill(DatabaseQueue(path: path))
    let (frames, moved) = try queue.checkpoint()
    #expect(frames == -1)
    #expect(moved == -1)
    // The checkpoint applies to all databases of the connection.
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "ATTACH ? AS other", arguments: [folder.file("other.db").path])
      try db.execute(sql: "PRAGMA other.journal_mode = WAL; CREATE TABLE other.u (a)")
      #expect(try db.checkpoint(.passive, on: "other").walFrameCount > 0)
      #expect(throws: Never.self) { try db.checkpoint(.passive, on: nil) }
      #expect(throws: DatabaseError.self) { try db.checkpoint(.passive, on: "nothing") }
    }
  }

  @Test func aReaderOfAnOlderStateBlocksACheckpoint() async throws {
    var configuration = Configuration()
    configuration.busyMode = .immediateError
    let pool = try makePool(configuration)
    let snapshot = try pool.makeSnapshot()
    try await pool.write { db in try db.execute(sql: "INSERT INTO t VALUES (3, 1)") }
    let passive = try await pool.checkpoint()
    #expect(passive.checkpointedFrameCount < passive.walFrameCount)
    let error = await #expect(throws: DatabaseError.self) { try await pool.checkpoint(.truncate) }
    #expect(error?.resultCode == .SQLITE_BUSY)
    try snapshot.close()
    #expect(try await pool.checkpoint(.truncate).walFrameCount == 0)
  }

  @Test func aCheckpointInsideATransactionIsRefused() throws {
    let error = #expect(throws: DatabaseError.self) {
      try makePool().write { db in
        try db.execute(sql: "DELETE FROM t")
        try db.checkpoint()
      }
    }
    #expect(error?.resultCode == .SQLITE_LOCKED)
  }

  /// The wait for a lock is interrupted, which SQLite itself reports as `SQLITE_BUSY`.
  @Test func aWaitingCheckpointCanBeCancelled() async throws {
    let waits = Gate()
    var configuration = Configuration()
    configuration.busyMode = .callback { _ in
      waits.open()
      return true
    }
    let pool = try makePool(configuration)
    let snapshot = try pool.makeSnapshot()
    try await pool.write { db in try db.execute(sql: "INSERT INTO t VALUES (3, 1)") }
    let task = Task { try await pool.checkpoint(.truncate) }
    try await onOwnThread { waits.wait() }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try snapshot.blockingRead(Self.values) == [1, 2])
  }

  // MARK: - Read-only parts

  @Test func aPartOfAWriteCanBeReadOnly() throws {
    let queue = try fill(DatabaseQueue())
    let error = #expect(throws: DatabaseError.self) {
      try queue.write { db in
        #expect(try db.readOnly { try Self.values(db) } == [1, 2])
        try db.execute(sql: "INSERT INTO t VALUES (3, 1)")
        try db.readOnly {
          // Nested parts: the outer part stays read-only when the inner one ends.
          _ = try db.readOnly { try Self.values(db) }
          try db.execute(sql: "INSERT INTO t VALUES (4, 1)")
        }
      }
    }
    #expect(error?.resultCode == .SQLITE_READONLY)
    #expect(try queue.read(Self.values) == [1, 2])
    try queue.write { db in
      #expect(throws: DatabaseError.self) {
        try db.readOnly { try db.execute(sql: "DELETE FROM t") }
      }
      try db.execute(sql: "INSERT INTO t VALUES (3, 1)")
    }
    #expect(try queue.read(Self.values) == [1, 2, 3])
  }
}

extension DatabaseWriter {
  fileprivate func blockingErase() throws { try erase() }
  fileprivate func blockingVacuum() throws { try vacuum() }
  fileprivate func blockingVacuum(into path: String) throws { try vacuum(into: path) }
  fileprivate func blockingCheckpoint(_ kind: Database.CheckpointMode) throws -> (Int, Int) {
    let result = try checkpoint(kind)
    return (result.walFrameCount, result.checkpointedFrameCount)
  }
}
