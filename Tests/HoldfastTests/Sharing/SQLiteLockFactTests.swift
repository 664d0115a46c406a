#if os(Linux)
  import Foundation
  import HoldfastTestSupport
  import Synchronization
  import Testing

  @testable import Holdfast

  /// The locks of SQLite in each state, on which the rest of the package relies.
  ///
  /// SQLite is alone in another process here. A failure means that the present SQLite locks
  /// otherwise than the version with which this package was developed.
  @Suite(.enabled(if: OtherSQLite.isThere, "there is no python3 with sqlite3"))
  struct SQLiteLockFactTests {
    /// A database that SQLite uses in another process.
    private struct Stage {
      let folder: TemporaryDirectory
      let path: String
      let other: OtherSQLite

      init(in volume: URL, journal mode: String) throws {
        folder = try TemporaryDirectory(in: volume)
        path = folder.file("t.db").path
        other = try OtherSQLite()
        try other.run("PRAGMA journal_mode = \(mode)", on: path)
        try other.run("CREATE TABLE t (a)", on: path)
        try other.run("INSERT INTO t VALUES (1)", on: path)
      }

      /// The locks of the other process.
      var held: [String] {
        get throws { try held(by: other) }
      }

      func held(by process: OtherSQLite) throws -> [String] {
        try LockTable(ofDatabaseAt: folder.file("t.db"))
          .locks(heldBy: process.processIdentifier).map { lock in
            let isIndex = lock.file.hasSuffix("-shm")
            return "\(isIndex ? "shm" : lock.file == "t.db" ? "db" : lock.file) "
              + "\(lock.name) \(lock.mode)"
          }
      }
    }

    private static let volumes = TemporaryDirectory.volumes
    private static let idle = ["db SHARED read", "shm DMS read"]

    // MARK: - Write-ahead log

    @Test(arguments: volumes)
    func aFreshConnectionHoldsNothingUntilItsFirstStatement(volume: URL) throws {
      let stage = try Stage(in: volume, journal: "wal")
      let fresh = try OtherSQLite()
      try fresh.run("", on: stage.path)
      #expect(try stage.held(by: fresh) == [])
      try fresh.run("SELECT * FROM t", on: stage.path)
      #expect(try stage.held(by: fresh) == Self.idle)
    }

    @Test(arguments: volumes, ["rw", "ro"])
    func anIdleConnectionToALogHoldsTwoLocksUntilItCloses(volume: URL, mode: String) throws {
      let stage = try Stage(in: volume, journal: "wal")
      let other = try OtherSQLite()
      let uri = "file:\(stage.path)?mode=\(mode)"
      try other.run("SELECT * FROM t", on: uri)
      #expect(try stage.held(by: other) == Self.idle)
      try other.close(uri)
      #expect(try stage.held(by: other) == [])
      #expect(try stage.held == Self.idle)
    }

    @Test(arguments: volumes)
    func aReaderOfALogHoldsAReadMark(volume: URL) throws {
      let stage = try Stage(in: volume, journal: "wal")
      try stage.other.run("BEGIN", on: stage.path)
      #expect(try stage.held == Self.idle)
      try stage.other.run("SELECT * FROM t", on: stage.path)
      let held = try stage.held
      #expect(held.count == 3 && held[0] == Self.idle[0] && held[2] == Self.idle[1])
      #expect((1...4).map { "shm READ mark \($0) read" }.contains(held[1]))
      try stage.other.run("COMMIT", on: stage.path)
      #expect(try stage.held == Self.idle)
    }

    @Test(arguments: volumes)
    func aReaderOfAFullyCheckpointedLogHoldsReadMark0(volume: URL) throws {
      let stage = try Stage(in: volume, journal: "wal")
      try stage.other.run("PRAGMA wal_checkpoint", on: stage.path)
      try stage.other.run("BEGIN", on: stage.path)
      try stage.other.run("SELECT * FROM t", on: stage.path)
      #expect(try stage.held == [Self.idle[0], "shm READ mark 0 read", Self.idle[1]])
    }

    @Test(arguments: volumes)
    func aWriterOfALogHoldsTheWriteLockFromTheStart(volume: URL) throws {
      let stage = try Stage(in: volume, journal: "wal")
      try stage.other.run("BEGIN IMMEDIATE", on: stage.path)
      let held = try stage.held
      #expect(held.count == 4 && held[0] == Self.idle[0] && held[3] == Self.idle[1])
      #expect(held[1] == "shm WAL WRITE write")
      #expect(held[2].hasPrefix("shm READ mark "))
      try stage.other.run("INSERT INTO t VALUES (2)", on: stage.path)
      #expect(try stage.held == held)
      try stage.other.run("ROLLBACK", on: stage.path)
      #expect(try stage.held == Self.idle)
    }

    @Test(arguments: volumes)
    func aCheckpointThatWaitsForReadersHoldsTheWriteLock(volume: URL) throws {
      let stage = try Stage(in: volume, journal: "wal")
      try stage.other.run("BEGIN", on: stage.path)
      try stage.other.run("SELECT * FROM t", on: stage.path)
      let url = stage.folder.file("t.db")
      let seen = Mutex<[String]>([])
      var configuration = Configuration()
      configuration.busyMode = .callback { _ in
        let held = Result { try LockTable.locksOfThisProcess(onDatabasesAt: [url]) }
        seen.withLock { seen in
          switch held {
          case .success(let locks): seen = locks.map { "\($0.name) \($0.mode)" }
          case .failure(let error): seen = ["\(error)"]
          }
        }
        return false
      }
      let pool = try DatabasePool(path: stage.path, configuration: configuration)
      try pool.write { db in try db.execute(sql: "INSERT INTO t VALUES (2)") }
      #expect(throws: DatabaseError.self) { try pool.checkpoint(.restart) }
      #expect(
        seen.withLock { $0 } == [
          "SHARED read", "WAL WRITE write", "CHECKPOINT write", "DMS read",
        ])
      try pool.close()
    }

    @Test(arguments: volumes)
    func aLogInExclusiveModeHasNoIndexAndHoldsAllLocks(volume: URL) throws {
      let stage = try Stage(in: volume, journal: "delete")
      try stage.other.run("PRAGMA locking_mode = EXCLUSIVE", on: stage.path)
      try stage.other.run("PRAGMA journal_mode = WAL", on: stage.path)
      try stage.other.run("SELECT * FROM t", on: stage.path)
      #expect(try stage.held == ["db EXCLUSIVE write"])
      #expect(try !stage.folder.names.contains("t.db-shm"))
      let locks = try LockTable(ofDatabaseAt: stage.folder.file("t.db")).locks
      #expect(locks.map(\.bytes) == [1_073_741_824...1_073_742_335])
    }

    @Test(arguments: volumes, ["wal", "delete"])
    func anImmutableDatabaseIsReadWithoutALock(volume: URL, mode: String) throws {
      let stage = try Stage(in: volume, journal: mode)
      try stage.other.close(stage.path)
      let uri = "file:\(stage.path)?immutable=1"
      try stage.other.run("BEGIN", on: uri)
      #expect(try stage.other.run("SELECT * FROM t", on: uri) == [["1"]])
      #expect(try stage.held == [])
    }

    // MARK: - Rollback journal

    @Test(arguments: volumes)
    func anIdleConnectionWithAJournalHoldsNothing(volume: URL) throws {
      let stage = try Stage(in: volume, journal: "delete")
      #expect(try stage.held == [])
      try stage.other.run("SELECT * FROM t", on: stage.path)
      #expect(try stage.held == [])
    }

    @Test(arguments: volumes)
    func withAJournalAReaderHoldsSharedAndAWriterReserved(volume: URL) throws {
      let stage = try Stage(in: volume, journal: "delete")
      try stage.other.run("BEGIN", on: stage.path)
      #expect(try stage.held == [])
      try stage.other.run("SELECT * FROM t", on: stage.path)
      #expect(try stage.held == ["db SHARED read"])
      try stage.other.run("INSERT INTO t VALUES (2)", on: stage.path)
      #expect(try stage.held == ["db RESERVED write", "db SHARED read"])
      try stage.other.run("COMMIT", on: stage.path)
      #expect(try stage.held == [])
      try stage.other.run("BEGIN IMMEDIATE", on: stage.path)
      #expect(try stage.held == ["db RESERVED write", "db SHARED read"])
      try stage.other.run("ROLLBACK", on: stage.path)
      try stage.other.run("BEGIN EXCLUSIVE", on: stage.path)
      #expect(try stage.held == ["db EXCLUSIVE write"])
    }

    /// The writer has written its journal and cannot write the database while it is being read.
    @Test(arguments: volumes)
    func aCommitBlockedByReadersHoldsPending(volume: URL) throws {
      let stage = try Stage(in: volume, journal: "delete")
      let reader = try OtherSQLite()
      try reader.run("BEGIN", on: stage.path)
      try reader.run("SELECT * FROM t", on: stage.path)
      try stage.other.run("BEGIN IMMEDIATE", on: stage.path)
      try stage.other.run("INSERT INTO t VALUES (2)", on: stage.path)
      let refusal = #expect(throws: OtherSQLite.Refusal.self) {
        try stage.other.run("COMMIT", on: stage.path)
      }
      #expect(refusal?.name == "SQLITE_BUSY")
      #expect(try stage.held == ["db PENDING write", "db RESERVED write", "db SHARED read"])
      let late = try OtherSQLite()
      let refused = #expect(throws: OtherSQLite.Refusal.self) {
        try late.run("SELECT * FROM t", on: stage.path)
      }
      #expect(refused?.name == "SQLITE_BUSY")
      try reader.run("COMMIT", on: stage.path)
      try stage.other.run("COMMIT", on: stage.path)
      #expect(try stage.held == [])
    }

    // MARK: - Processes

    @Test(arguments: volumes)
    func theConnectionsOfOneProcessShowOneSetOfLocks(volume: URL) throws {
      let stage = try Stage(in: volume, journal: "wal")
      for reader in ["first", "second"] {
        try stage.other.run("BEGIN", on: stage.path, as: reader)
        try stage.other.run("SELECT * FROM t", on: stage.path, as: reader)
      }
      #expect(try stage.held.count == 3)
      try stage.other.run("BEGIN IMMEDIATE", on: stage.path)
      #expect(try stage.held.count == 4)
      try stage.other.run("COMMIT", on: stage.path, as: "first")
      #expect(try stage.held.count == 4)
    }
  }
#endif
