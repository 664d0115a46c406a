import HoldfastTestSupport
import Testing

@testable import Holdfast

/// Leases, and accesses that wait for the resume.
@Suite(.timeLimit(.minutes(2))) struct BackgroundLeaseConcurrencyTests: SuspensionSuite {
  let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
  }

  /// GR-B6.
  @Test func accessesMayWaitForTheResumeInTheirOrder() async throws {
    var configuration = Self.configuration
    configuration.waitsForResume = true
    let pool = try makePool(configuration)
    await pool.suspend()
    let order = Journal<String>()
    let awaited = Task {
      try await pool.write { db in
        order.append("awaited")
        try db.execute(sql: "INSERT INTO t VALUES ('awaited')")
      }
    }
    await until { pool.pool.suspension?.waitingCount == 1 }
    let blocking = OwnThread {
      try pool.write { db in
        order.append("blocking")
        try db.execute(sql: "INSERT INTO t VALUES ('blocking')")
      }
    }
    await until { pool.pool.suspension?.waitingCount == 2 }
    let cancelled = Task { try await pool.read { _ in } }
    await until { pool.pool.suspension?.waitingCount == 3 }
    cancelled.cancel()
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    #expect(try locks() == [])
    #expect(order.entries == [])
    pool.resume()
    try await awaited.value
    try await blocking.value
    #expect(try await count(pool) == 3)
  }

  @Test func aLeaseLetsItsOwnAccessesIn() async throws {
    let pool = try makePool()
    await pool.suspend()
    try await pool.withBackgroundLease {
      try await pool.write { db in try db.execute(sql: "INSERT INTO t VALUES ('leased')") }
      // Another task, outside of the lease.
      let outside = await Task.detached { try await self.count(pool) }.result
      #expect(throws: DatabaseError.self) { try outside.get() }
      #expect(try await count(pool) == 2)
      #expect(try !locks().isEmpty)
    }
    #expect(try locks() == [])
    await #expect(throws: DatabaseError.self) { _ = try await count(pool) }
  }

  /// It waits for the writer, on which the other lease opened a connection.
  @Test func aWriteThatOutlivesItsLeaseFails() async throws {
    let pool = try makePool()
    await pool.suspend()
    let (isOpen, goesOn, lateHasEnded) = (Gate(), Gate(), Gate())
    let holder = OwnThread {
      try pool.withBackgroundLease {
        try pool.write { db in
          isOpen.open()
          goesOn.wait()
          try db.execute(sql: "INSERT INTO t VALUES ('held')")
        }
        lateHasEnded.wait()
      }
    }
    try await onOwnThread { isOpen.wait() }
    let late = await pool.withBackgroundLease {
      let late = Task {
        try await pool.write { db in try db.execute(sql: "INSERT INTO t VALUES ('late')") }
      }
      await until { pool.pool.waitingCount == 1 }
      return late
    }
    goesOn.open()
    await #expect(throws: DatabaseError.self) { try await late.value }
    lateHasEnded.open()
    try await holder.value
    pool.resume()
    #expect(try await count(pool) == 2)
  }

  /// GR-7, GR-B5.
  @Test func oneLeaseDoesNotDependOnAnother() async throws {
    let pool = try makePool()
    await pool.suspend()
    let firstHolds = Gate()
    let secondHasEnded = Gate()
    let first = OwnThread {
      try pool.withBackgroundLease {
        try pool.write { db in
          try db.execute(sql: "INSERT INTO t VALUES ('first half')")
          firstHolds.open()
          secondHasEnded.wait()
          try db.execute(sql: "INSERT INTO t VALUES ('second half')")
        }
      }
    }
    try await onOwnThread { firstHolds.wait() }
    let seen = try await pool.withBackgroundLease { try await count(pool) }
    #expect(seen == 1)
    secondHasEnded.open()
    try await first.value
    #expect(try locks() == [])
    pool.resume()
    #expect(try await count(pool) == 3)
  }

  @Test func aSuspensionEndsTheLeases() async throws {
    let pool = try makePool()
    let isOpen = Gate()
    let goesOn = Gate()
    let leased = OwnThread {
      try pool.withBackgroundLease {
        try pool.write { db in
          isOpen.open()
          goesOn.wait()
          try db.execute(sql: "INSERT INTO t VALUES ('late')")
        }
      }
    }
    try await onOwnThread { isOpen.wait() }
    await pool.suspend()
    #expect(try locks() == [])
    goesOn.open()
    await #expect(throws: DatabaseError.self) { try await leased.value }
    #expect(try locks() == [])
  }
}
