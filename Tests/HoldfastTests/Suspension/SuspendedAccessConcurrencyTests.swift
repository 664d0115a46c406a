import HoldfastTestSupport
import Testing

@testable import Holdfast

/// Accesses of the app that a suspension ends.
@Suite(.timeLimit(.minutes(2))) struct SuspendedAccessConcurrencyTests: SuspensionSuite {
  let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
  }

  /// GR-B2, GR-B4: it waits, reports, and ends readers too.
  @Test func anIdlePoolHoldsLocksUntilItIsSuspended() async throws {
    let pool = try makePool()
    #expect(try await count(pool) == 1)
    // As long as it is open a WAL database holds SHARED and the deadman switch.
    #expect(try !locks().isEmpty)
    let report = await pool.suspend()
    #expect(try locks() == [])
    #expect(report.isFree)
    #expect(report.closedConnectionCount == 2)
    #expect(pool.isSuspended)
    await #expect { _ = try await count(pool) } throws: {
      isSuspension($0, "Database is suspended")
    }
    await #expect {
      try await pool.write { db in try db.execute(sql: "DELETE FROM t") }
    } throws: {
      isSuspension($0, "Database is suspended")
    }
    #expect(try locks() == [])
    pool.resume()
    #expect(!pool.isSuspended)
    #expect(try await count(pool) == 1)
  }

  /// GR-B1.
  @Test func aTransactionThatIsIdleInTheAppsCodeIsRolledBackAndStaysDead() async throws {
    let pool = try makePool()
    let isOpen = Gate()
    let goesOn = Gate()
    let writer = OwnThread {
      try pool.write { db in
        try db.execute(sql: "INSERT INTO t VALUES ('half')")
        isOpen.open()
        goesOn.wait()
        try db.execute(sql: "INSERT INTO t VALUES ('other half')")
      }
    }
    try await onOwnThread { isOpen.wait() }
    let report = await pool.suspend()
    #expect(try locks() == [])
    #expect(report.isFree)
    #expect(report.rolledBackTransactionCount == 1)
    pool.resume()
    goesOn.open()
    await #expect { try await writer.value } throws: {
      isSuspension($0, "Transaction was aborted")
    }
    #expect(try await count(pool) == 1)
  }

  @Test func anAccessThatWaitsForAConnectionIsRefusedAtOnce() async throws {
    let pool = try makePool()
    let isOpen = Gate()
    let goesOn = Gate()
    let writer = OwnThread {
      try pool.writeWithoutTransaction { _ in
        isOpen.open()
        goesOn.wait()
      }
    }
    try await onOwnThread { isOpen.wait() }
    let next = Task { try await pool.write { db in try db.execute(sql: "DELETE FROM t") } }
    await until { pool.pool.waitingCount == 1 }
    await pool.suspend()
    // The one before it still has not ended.
    await #expect { try await next.value } throws: { isSuspension($0, "Database is suspended") }
    goesOn.open()
    try await writer.value
  }

  @Test func withoutATransactionTheSecondStatementFailsToo() async throws {
    let pool = try makePool()
    let isOpen = Gate()
    let goesOn = Gate()
    let errors = Journal<String>()
    let writer = OwnThread {
      try pool.writeWithoutTransaction { db in
        try db.execute(sql: "INSERT INTO t VALUES ('whole')")
        isOpen.open()
        goesOn.wait()
        for _ in 0..<2 {
          do {
            try db.execute(sql: "INSERT INTO t VALUES ('never')")
          } catch let error as DatabaseError {
            errors.append(error.message ?? "")
          }
        }
        errors.append("inside: \(db.isInsideTransaction), \(db.changesCount)")
      }
    }
    try await onOwnThread { isOpen.wait() }
    await pool.suspend()
    #expect(try locks() == [])
    pool.resume()
    #expect(try await pool.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM t") } == 2)
    goesOn.open()
    try await writer.value
    #expect(
      errors.entries == [
        "Transaction was aborted", "Transaction was aborted", "inside: false, 0",
      ])
    #expect(try await count(pool) == 2)
  }

  @Test func suspendingInsideOfAnAccessEndsIt() async throws {
    let pool = try makePool()
    let failed = try await onOwnThread {
      try pool.blockingWithoutTransaction { db in
        try db.execute(sql: "BEGIN IMMEDIATE; INSERT INTO t VALUES ('half')")
        let report = pool.blockingSuspend()
        #expect(report.rolledBackTransactionCount == 1)
        do {
          try db.execute(sql: "COMMIT")
          return false
        } catch let error as DatabaseError {
          return error.isDatabaseSuspensionError
        }
      }
    }
    #expect(failed)
    #expect(try locks() == [])
  }

  @Test func aQueueInRollbackModeIsSuspendedToo() async throws {
    let queue = try DatabaseQueue(path: path, configuration: Self.configuration)
    try await queue.write { db in try db.execute(sql: "CREATE TABLE t (a)") }
    let isOpen = Gate()
    let goesOn = Gate()
    let writer = OwnThread {
      try queue.write { db in
        try db.execute(sql: "INSERT INTO t VALUES ('half')")
        isOpen.open()
        goesOn.wait()
      }
    }
    try await onOwnThread { isOpen.wait() }
    #expect(try !locks().isEmpty)
    let report = await queue.suspend()
    #expect(report.rolledBackTransactionCount == 1)
    #expect(try locks() == [])
    goesOn.open()
    await #expect(throws: DatabaseError.self) { try await writer.value }
    queue.resume()
    #expect(try await count(queue) == 0)
  }

  @Test func aDatabaseInMemoryIsExempt() async throws {
    let queue = try DatabaseQueue(configuration: Self.configuration)
    try await queue.write { db in try db.execute(sql: "CREATE TABLE t (a)") }
    await queue.suspend()
    #expect(try await count(queue) == 0)
  }
}
