import Foundation
import Holdfast
import HoldfastTestSupport
import Testing

/// One database that two processes use.
@Suite struct OtherProcessTests {
  private let folder: TemporaryDirectory
  private let path: String

  init() throws {
    folder = try TemporaryDirectory()
    path = folder.file("t.db").path
  }

  /// Runs the closure while another process holds the write lock.
  ///
  /// The other process writes a row, and commits it when it is signalled. The closure runs on its
  /// own thread, because the tasks of this process may all be waiting for other processes to end.
  private func whileAnotherProcessWrites<Value: Sendable>(
    _ body: @escaping @Sendable (_ commit: () throws -> Void) throws -> Value
  ) async throws -> Value {
    let holds = try Signal(at: folder.file("holds").path)
    let commits = try Signal(at: folder.file("commits").path)
    let ours = OwnThread {
      try holds.wait()
      let result = Result { try body { try commits.send() } }
      try commits.send()
      return try result.get()
    }
    await anotherProcessWrites(holds, commits)
    // A failed process must not block the other.
    try holds.send()
    return try await ours.value
  }

  private func anotherProcessWrites(_ holds: Signal, _ commits: Signal) async {
    await #expect(processExitsWith: .success) {
      [path = path as String, holds = holds.path as String, commits = commits.path as String] in
      try DatabaseQueue(path: path).blockingWrite { db in
        try Signal(at: holds).send()
        try Signal(at: commits).wait()
        try db.execute(sql: "INSERT INTO t VALUES ('theirs')")
      }
    }
  }

  private func makePool(_ busyMode: Database.BusyMode) throws -> DatabasePool {
    var configuration = Configuration()
    configuration.busyMode = busyMode
    let pool = try DatabasePool(path: path, configuration: configuration)
    try pool.write { db in try db.execute(sql: "CREATE TABLE IF NOT EXISTS t (a)") }
    return pool
  }

  private static func values(_ db: Database) throws -> [String] {
    try String.fetchAll(db, sql: "SELECT a FROM t ORDER BY rowid")
  }

  @Test(.timeLimit(.minutes(1)))
  func aWriteWaitsForTheOtherProcess() async throws {
    let pool = try makePool(.timeout(50))
    let (before, seen) = try await whileAnotherProcessWrites { commit in
      // Readers do not wait meanwhile.
      let before = try pool.read { db in try Self.values(db) }
      try commit()
      let seen = try pool.write { db in
        try db.execute(sql: "INSERT INTO t VALUES ('ours')")
        return try Self.values(db)
      }
      return (before, seen)
    }
    #expect(before == [])
    #expect(seen == ["theirs", "ours"])
  }

  @Test(.timeLimit(.minutes(1)))
  func aWaitingWriteContinuesWhenTheOtherProcessCommits() async throws {
    let waits = Gate()
    // Called when the lock is not available, which proves that the write waited.
    let pool = try makePool(
      .callback { _ in
        waits.open()
        return true
      })
    try await whileAnotherProcessWrites { commit in
      let write = OwnThread {
        try pool.write { db in try db.execute(sql: "INSERT INTO t VALUES ('ours')") }
      }
      waits.wait()
      try commit()
      return write
    }.value
    #expect(try await pool.read { db in try Self.values(db) } == ["theirs", "ours"])
  }

  @Test(.timeLimit(.minutes(1)))
  func aWriteFailsAfterItsTimeout() async throws {
    let pool = try makePool(.timeout(0.05))
    let error = await #expect(throws: DatabaseError.self) {
      try await whileAnotherProcessWrites { _ in
        try pool.write { db in try db.execute(sql: "DELETE FROM t") }
      }
    }
    #expect(error?.resultCode == .SQLITE_BUSY)
    #expect(error?.isTransient == true)
    #expect(error?.path == path)
    try await pool.write { db in try db.execute(sql: "INSERT INTO t VALUES ('ours')") }
    #expect(try await pool.read { db in try Self.values(db) } == ["theirs", "ours"])
  }

  /// Therefore writes are immediate: the error comes although there is time left to wait.
  @Test(.timeLimit(.minutes(1)))
  func aDeferredTransactionThatReadFirstCannotWrite() async throws {
    let pool = try makePool(.timeout(1000))
    let error = #expect(throws: DatabaseError.self) {
      try pool.blockingWithoutTransaction { db in
        try db.inTransaction(.deferred) {
          _ = try Self.values(db)
          try DatabaseQueue(path: path).blockingWrite { other in
            try other.execute(sql: "INSERT INTO t VALUES ('theirs')")
          }
          try db.execute(sql: "INSERT INTO t VALUES ('ours')")
          return .commit
        }
      }
    }
    #expect(error?.extendedResultCode == .SQLITE_BUSY_SNAPSHOT)
    #expect(error?.advice?.contains("IMMEDIATE") == true)
  }

  @Test func eachProcessReadsTheWritesOfTheOther() async throws {
    let pool = try makePool(.timeout(5))
    try await pool.write { db in try db.execute(sql: "INSERT INTO t VALUES ('ours')") }
    await #expect(processExitsWith: .success) { [path = path as String] in
      let pool = try DatabasePool(path: path)
      #expect(try pool.blockingRead(Self.values) == ["ours"])
      try pool.blockingWrite { db in try db.execute(sql: "INSERT INTO t VALUES ('theirs')") }
    }
    #expect(try await pool.read { db in try Self.values(db) } == ["ours", "theirs"])
  }

  @Test func aProcessKilledDuringAWriteLeavesNothingOfIt() async throws {
    let pool = try makePool(.timeout(5))
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      try DatabasePool(path: path).blockingWrite { db in
        try db.execute(sql: "INSERT INTO t VALUES ('half')")
        kill(getpid(), SIGKILL)
      }
    }
    #expect(try await pool.read { db in try Self.values(db) } == [])
    try await pool.write { db in try db.execute(sql: "INSERT INTO t VALUES ('ours')") }
    #expect(try await pool.read { db in try db.integrityProblems() } == [])
  }

  /// Runs the closure while another process reads.
  private func whileAnotherProcessReads<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    let reads = try Signal(at: folder.file("reads").path)
    let ends = try Signal(at: folder.file("ends").path)
    let ours = OwnThread {
      try reads.wait()
      let result = Result { try body() }
      try ends.send()
      return try result.get()
    }
    await anotherProcessReads(reads, ends)
    // A failed process must not block the other.
    try reads.send()
    return try await ours.value
  }

  private func anotherProcessReads(_ reads: Signal, _ ends: Signal) async {
    await #expect(processExitsWith: .success) {
      [path = path as String, reads = reads.path as String, ends = ends.path as String] in
      try DatabasePool(path: path).blockingRead { db in
        let before = try Self.values(db)
        try Signal(at: reads).send()
        try Signal(at: ends).wait()
        #expect(try Self.values(db) == before)
      }
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func aBarrierBlocksOnlyTheReadersOfItsOwnProcess() async throws {
    let pool = try makePool(.timeout(5))
    let seen = try await whileAnotherProcessReads {
      try pool.barrierWriteWithoutTransaction { db in
        try db.execute(sql: "INSERT INTO t VALUES ('ours')")
        return try Self.values(db)
      }
    }
    #expect(seen == ["ours"])
  }

  @Test(.timeLimit(.minutes(1)))
  func aReaderInAnotherProcessLimitsACheckpoint() async throws {
    let pool = try makePool(.timeout(0.02))
    let (result, error) = try await whileAnotherProcessReads {
      try pool.write { db in try db.execute(sql: "INSERT INTO t VALUES ('ours')") }
      let result = try pool.checkpoint()
      let error = #expect(throws: DatabaseError.self) { try pool.checkpoint(.truncate) }
      return ((result.walFrameCount, result.checkpointedFrameCount), error)
    }
    #expect(result.0 > result.1)
    #expect(error?.resultCode == .SQLITE_BUSY)
    #expect(try await pool.checkpoint(.truncate).walFrameCount == 0)
  }

  @Test(.timeLimit(.minutes(1)))
  func aDatabaseCanBeErasedDuringAReadInAnotherProcess() async throws {
    let pool = try makePool(.timeout(5))
    try await pool.write { db in try db.execute(sql: "INSERT INTO t VALUES ('ours')") }
    // The reader there still sees its state.
    try await whileAnotherProcessReads { try pool.erase() }
    #expect(try await pool.read { db in try !db.tableExists("t") })
  }
}
