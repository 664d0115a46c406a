import Foundation
import HoldfastTestSupport
import Testing

@testable import Holdfast

/// Barrier writes, which exclude all other accesses.
@Suite(.timeLimit(.minutes(1))) struct BarrierConcurrencyTests {
  private let folder: TemporaryDirectory
  private let path: String

  init() throws {
    folder = try TemporaryDirectory()
    path = folder.file("t.db").path
  }

  private func makePool() throws -> DatabasePool {
    let pool = try DatabasePool(path: path)
    try pool.write { db in try db.execute(sql: "CREATE TABLE t (a)") }
    return pool
  }

  private static func count(_ db: Database) throws -> Int {
    try Int.fetchOne(db, sql: "SELECT count(*) FROM t") ?? -1
  }

  enum Form: CaseIterable, Sendable { case blocking, awaited, scheduled }

  private static func barrier(
    _ form: Form, _ writer: some DatabaseWriter, _ updates: @escaping @Sendable (Database) -> Void
  ) async throws {
    switch form {
    case .blocking:
      try await onOwnThread { try writer.barrierWriteWithoutTransaction(updates) }
    case .awaited:
      try await writer.barrierWriteWithoutTransaction { db in updates(db) }
    case .scheduled:
      try await withCheckedThrowingContinuation { continuation in
        writer.asyncBarrierWriteWithoutTransaction { result in
          continuation.resume(with: result.map(updates))
        }
      }
    }
  }

  //  migrator              reader
  //  migrates
  //                        waits
  //  ends
  //                        reads
  @Test func aMigrationExcludesReaders() async throws {
    let pool = try makePool()
    let order = Journal<String>()
    let readers = Journal<OwnThread<Void>>()
    var migrator = DatabaseMigrator()
    migrator.registerMigration("a") { _ in
      readers.append(OwnThread { try pool.read { _ in order.append("read") } })
      while pool.pool.waitingCount == 0, order.entries.isEmpty {}
      order.append("migrated")
    }
    let blocking = migrator
    try await onOwnThread { try blocking.migrate(pool) }
    for reader in readers.entries { try await reader.value }
    #expect(order.entries == ["migrated", "read"])
  }

  //  reader                barrier               late reader         late writer
  //  reads
  //                        waits
  //                                              waits               waits
  //  ends
  //                        is alone
  //                        ends
  //                                              reads               writes
  @Test(arguments: Form.allCases)
  func aBarrierWaitsForReadersAndBlocksNewOnes(form: Form) async throws {
    let pool = try makePool()
    let order = Journal<String>()
    let inside = Gate()
    let leave = Gate()
    let reader = OwnThread {
      try pool.read { _ in
        inside.open()
        leave.wait()
        order.append("reader ends")
      }
    }
    try await onOwnThread { inside.wait() }
    async let barrier: Void = Self.barrier(form, pool) { _ in
      order.append("barrier")
      // The later callers are still waiting.
      if pool.pool.waitingCount == 2 { order.append("alone") }
    }
    await until { pool.pool.waitingCount == 1 }
    async let late: Void = pool.read { _ in order.append("late") }
    await until { pool.pool.waitingCount == 2 }
    async let write: Void = pool.write { _ in order.append("late") }
    await until { pool.pool.waitingCount == 3 }
    #expect(order.entries == [])
    leave.open()
    try await reader.value
    try await barrier
    try await late
    try await write
    #expect(order.entries == ["reader ends", "barrier", "alone", "late", "late"])
    #expect(pool.pool.waitingCount == 0)
  }

  @Test(arguments: Form.allCases)
  func readersContinueAfterABarrier(form: Form) async throws {
    let pool = try makePool()
    for _ in 1...3 {
      try await Self.barrier(form, pool) { db in
        do { try db.execute(sql: "INSERT INTO t VALUES (1)") } catch {
          Issue.record(error)
        }
      }
    }
    #expect(try await pool.read { db in try Self.count(db) } == 3)
    #expect(!pool.pool.isBarrierHeld)
  }

  @Test(arguments: Form.allCases)
  func aBarrierInAQueueIsAWrite(form: Form) async throws {
    let queue = try DatabaseQueue()
    try await Self.barrier(form, queue) { db in
      #expect(!db.isInsideTransaction)
    }
    #expect(try await queue.read { db in try Int.fetchOne(db, sql: "SELECT 1") } == 1)
  }

  @Test func aBarrierCancelledWhileWaitingAdmitsReaders() async throws {
    let pool = try makePool()
    let reader = try await HeldAccess { hold in try pool.read { _ in hold() } }
    let barrier = Task { try await pool.barrierWriteWithoutTransaction { _ in } }
    await until { pool.pool.waitingCount == 1 }
    async let late = pool.read { db in try Self.count(db) }
    await until { pool.pool.waitingCount == 2 }
    async let write: Void = pool.write { db in try db.execute(sql: "DELETE FROM t") }
    await until { pool.pool.waitingCount == 3 }
    barrier.cancel()
    // The first reader is still running.
    #expect(try await late == 0)
    try await write
    await #expect(throws: CancellationError.self) { try await barrier.value }
    reader.release()
    try await reader.end()
  }

  @Test func aWaitingBarrierIsRefusedWhenThePoolCloses() async throws {
    let pool = try makePool()
    let reader = try await HeldAccess { hold in try pool.read { _ in hold() } }
    let barrier = OwnThread { try pool.barrierWriteWithoutTransaction { _ in } }
    await until { pool.pool.waitingCount == 1 }
    let closing = OwnThread { try pool.close() }
    await #expect(throws: DatabaseError.self) { try await barrier.value }
    reader.release()
    try await closing.value
    try await reader.end()
  }

  @Test func anOpenTransactionOfABarrierIsRolledBack() throws {
    let pool = try makePool()
    let error = #expect(throws: DatabaseError.self) {
      try pool.barrierWriteWithoutTransaction { db in
        try db.beginTransaction()
        try db.execute(sql: "INSERT INTO t VALUES (1)")
      }
    }
    #expect(error?.resultCode == .SQLITE_MISUSE)
    #expect(try pool.read(Self.count) == 0)
  }

  @Test func aBarrierInsideAReadTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [path = path as String] in
      let pool = try DatabasePool(path: path)
      try pool.blockingRead { _ in try pool.blockingBarrier { _ in } }
    }
    expectSentence("not reentrant", in: result)
  }
}
