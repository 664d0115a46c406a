import Foundation
import HoldfastTestSupport
import Testing

@testable import Holdfast

/// Snapshots that a suspension ends.
@Suite(.timeLimit(.minutes(2))) struct SuspendedSnapshotConcurrencyTests: SuspensionSuite {
  let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
  }

  @Test func aSnapshotEnds() async throws {
    let pool = try makePool()
    let snapshot = try await onOwnThread { try pool.makeSnapshot() }
    #expect(try await count(snapshot) == 1)
    let report = await pool.suspend()
    #expect(try locks() == [])
    #expect(report.endedReadTransactionCount == 1)
    for isResumed in [false, true] {
      if isResumed { pool.resume() }
      let awaited = await Task { try await count(snapshot) }.result
      let blocking = await Task { try await onOwnThread { try snapshot.read { _ in 1 } } }.result
      let scheduled = await withCheckedContinuation { continuation in
        snapshot.asyncRead { access in continuation.resume(returning: access.map { _ in 1 }) }
      }
      for result in [awaited.map { _ in 1 }, blocking, scheduled] {
        let error = #expect(throws: DatabaseError.self) { try result.get() }
        #expect(error?.isDatabaseSuspensionError == true)
        #expect(error?.resultCode == .SQLITE_ABORT)
        #expect(error?.message == "The snapshot ended when its database was suspended")
        #expect(error?.advice?.hasPrefix("Make a new snapshot") == true)
      }
    }
    #expect(try await count(pool) == 1)
    #expect(try await count(onOwnThread { try pool.makeSnapshot() }) == 1)
  }

  @Test func aSnapshotThatEndsUnderItsReadIsASuspensionToo() async throws {
    let pool = try makePool()
    let snapshot = try await onOwnThread { try pool.makeSnapshot() }
    let isOpen = Gate()
    let goesOn = Gate()
    let reader = OwnThread {
      try snapshot.read { _ in
        isOpen.open()
        goesOn.wait()
      }
    }
    try await onOwnThread { isOpen.wait() }
    await pool.suspend()
    goesOn.open()
    await #expect { try await reader.value } throws: {
      isSuspension($0, "The snapshot ended when its database was suspended")
    }
  }

  @Test func aSnapshotThatWasEndedIsNotWaitedFor() async throws {
    var configuration = Self.configuration
    configuration.waitsForResume = true
    let pool = try makePool(configuration)
    let snapshot = try await onOwnThread { try pool.makeSnapshot() }
    await pool.suspend()
    await #expect { _ = try await count(snapshot) } throws: {
      isSuspension($0, "The snapshot ended when its database was suspended")
    }
    // One that is made meanwhile is waited for.
    let next = OwnThread { try pool.makeSnapshot() }
    await until { pool.pool.suspension?.waitingCount == 1 }
    pool.resume()
    #expect(try await count(next.value) == 1)
  }

  @Test func anObservationOfASnapshotEndsWithIt() async throws {
    let pool = try makePool()
    let snapshot = try await onOwnThread { try pool.makeSnapshot() }
    await pool.suspend()
    let errors = Journal<any Error>()
    let cancellable = ValueObservation.tracking { db in
      try Int.fetchOne(db, sql: "SELECT count(*) FROM t")
    }.start(
      in: snapshot, scheduling: .async(onQueue: DispatchQueue(label: "values")),
      onError: { errors.append($0) }, onChange: { _ in Issue.record("There is nothing to read.") })
    await until { !errors.entries.isEmpty }
    #expect(isSuspension(errors.entries[0], "The snapshot ended when its database was suspended"))
    cancellable.cancel()
  }
}
