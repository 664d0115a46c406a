#if os(Linux)
  import Foundation
  import HoldfastTestSupport
  import Testing

  @testable import Holdfast

  /// The obstacles that a busy database reports.
  @Suite(.enabled(if: OtherSQLite.isThere, "there is no python3 with sqlite3"))
  struct BusyObstacleTests {
    private let folder: TemporaryDirectory
    private let path: String
    private let other: OtherSQLite

    init() throws {
      folder = try TemporaryDirectory()
      path = folder.file("t.db").path
      other = try OtherSQLite()
    }

    private var configuration: Configuration {
      var configuration = Configuration()
      configuration.busyMode = .immediateError
      return configuration
    }

    private func makePool() throws -> DatabasePool {
      let pool = try DatabasePool(path: path, configuration: configuration)
      try pool.write { db in try db.execute(sql: "CREATE TABLE t (a)") }
      return pool
    }

    /// The kernel's name of the other process.
    private var them: String {
      let name =
        (try? String(contentsOfFile: "/proc/\(other.processIdentifier)/comm", encoding: .utf8))
      return "\(name?.dropLast() ?? "?") (\(other.processIdentifier))"
    }

    @Test func aBusyWriteNamesTheWritingProcess() async throws {
      let pool = try makePool()
      try other.run("BEGIN IMMEDIATE", on: path)
      let obstacle = "\(them) holds WAL WRITE"
      let blocking = #expect(throws: DatabaseError.self) { try pool.blockingWrite { _ in } }
      let awaited = await #expect(throws: DatabaseError.self) { try await pool.write { _ in } }
      let scheduled: DatabaseError? = await withCheckedContinuation { continuation in
        pool.asyncWrite({ _ in }) { _, result in
          switch result {
          case .success: continuation.resume(returning: nil)
          case .failure(let error): continuation.resume(returning: error as? DatabaseError)
          }
        }
      }
      for error in [blocking, awaited, scheduled] {
        #expect(error?.resultCode == .SQLITE_BUSY)
        #expect(error?.obstacle == obstacle)
        #expect(error?.advice?.hasSuffix(" sooner: \(obstacle).") == true)
      }
    }

    @Test func anotherFailureHasNoObstacle() throws {
      let pool = try makePool()
      try other.run("BEGIN IMMEDIATE", on: path)
      let error = #expect(throws: DatabaseError.self) {
        try pool.read { db in try db.execute(sql: "SELECT nothing") }
      }
      #expect(error?.obstacle == nil)
    }

    @Test func aBusyCheckpointNamesTheReadingProcess() throws {
      let pool = try makePool()
      try other.run("BEGIN", on: path)
      try other.run("SELECT * FROM t", on: path)
      try pool.write { db in try db.execute(sql: "INSERT INTO t VALUES (1)") }
      let error = #expect(throws: DatabaseError.self) { try pool.checkpoint(.truncate) }
      #expect(error?.obstacle == "\(them) holds READ mark 1")
    }

    @Test func writersAndReadersOfARollbackJournalAreNamed() throws {
      try other.run("CREATE TABLE t (a)", on: path)
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      try other.run("BEGIN IMMEDIATE", on: path)
      let write = #expect(throws: DatabaseError.self) { try queue.write { _ in } }
      #expect(write?.obstacle == "\(them) holds RESERVED")
      try other.run("COMMIT", on: path)
      try other.run("BEGIN", on: path)
      try other.run("SELECT * FROM t", on: path)
      let commit = #expect(throws: DatabaseError.self) {
        try queue.write { db in try db.execute(sql: "INSERT INTO t VALUES (1)") }
      }
      #expect(commit?.obstacle == "\(them) holds SHARED")
    }

    /// Waiting longer would not help, so the error must not say so.
    ///
    /// GR-B8.
    @Test func aReaderThatWritesIsAdvisedToBeginImmediate() throws {
      let pool = try makePool()
      let error = #expect(throws: DatabaseError.self) {
        try pool.writeWithoutTransaction { db in
          try db.inTransaction(.deferred) {
            _ = try Row.fetchAll(db, sql: "SELECT * FROM t")
            try other.run("BEGIN IMMEDIATE", on: path)
            try db.execute(sql: "INSERT INTO t VALUES (1)")
            return .commit
          }
        }
      }
      #expect(error?.extendedResultCode == .SQLITE_BUSY)
      #expect(error?.isUpgrade == true)
      #expect(error?.advice?.hasPrefix("Start the transaction as IMMEDIATE: ") == true)
      #expect(error?.advice?.hasSuffix("; \(them) holds WAL WRITE.") == true)
      let immediate = #expect(throws: DatabaseError.self) { try pool.write { _ in } }
      #expect(immediate?.isUpgrade == false)
      let deferred = #expect(throws: DatabaseError.self) {
        try pool.writeWithoutTransaction { db in
          try db.inTransaction(.deferred) {
            try db.execute(sql: "INSERT INTO t VALUES (1)")
            return .commit
          }
        }
      }
      #expect(deferred?.isUpgrade == false)
    }

    // MARK: - The obstacle

    private static func table(_ locks: (Int32, LockTable.Name, LockTable.Mode)...) -> LockTable {
      LockTable(
        locks: locks.map { process, name, mode in
          LockTable.Lock(
            processIdentifier: process, processName: process == 1 ? "own" : nil, file: "t.db",
            name: name, mode: mode, bytes: 0...0, isWaiting: false)
        })
    }

    @Test func onlyBlockingProcessesAreNamed() {
      let idle = Self.table(
        (2, .shared, .read), (2, .readMark(1), .read), (2, .deadManSwitch, .read))
      #expect(idle.obstacle(to: "BEGIN IMMEDIATE TRANSACTION", in: 1) == nil)
      #expect(idle.obstacle(to: nil, in: 1) == "process 2 holds READ mark 1")
      let pragma = "/* at once */ PRAGMA wal_checkpoint"
      #expect(idle.obstacle(to: pragma, in: 1) == "process 2 holds READ mark 1")
      #expect(idle.obstacle(to: nil, in: 2) == nil)
      #expect(Self.table().obstacle(to: nil, in: 1) == nil)
      var waiting = Self.table((2, .exclusive, .write)).locks
      waiting[0].isWaiting = true
      #expect(LockTable(locks: waiting).obstacle(to: "DELETE FROM t", in: 1) == nil)
    }

    @Test func writersAreNamedBeforeReaders() {
      let table = Self.table(
        (2, .readMark(1), .read), (3, .pending, .write), (3, .reserved, .write),
        (4, .checkpoint, .write))
      #expect(table.obstacle(to: nil, in: 1) == "process 3 holds PENDING and RESERVED")
      let checkpoint = Self.table((2, .readMark(1), .read), (4, .checkpoint, .write))
      #expect(checkpoint.obstacle(to: nil, in: 1) == "process 4 holds CHECKPOINT")
    }

    /// Through another connection, of any library.
    @Test func theCurrentProcessCanBeTheObstacle() {
      let table = Self.table((1, .walWrite, .write))
      #expect(table.obstacle(to: "DELETE FROM t", in: 1) == "this process holds WAL WRITE")
    }

    // MARK: - Cancellation

    @Test(.timeLimit(.minutes(1))) func aCancelledWriteStopsWaitingForAnotherProcess() async throws
    {
      var configuration = Configuration()
      configuration.busyMode = .timeout(.infinity)
      let pool = try DatabasePool(path: path, configuration: configuration)
      try other.run("BEGIN IMMEDIATE", on: path)
      for _ in 0..<20 {
        let began = Gate()
        let write = Task {
          try await pool.writeWithoutTransaction { db in
            began.open()
            try db.inTransaction(.immediate) { .commit }
          }
        }
        try await onOwnThread { began.wait() }
        write.cancel()
        await #expect(throws: CancellationError.self) { try await write.value }
      }
    }
  }
#endif
