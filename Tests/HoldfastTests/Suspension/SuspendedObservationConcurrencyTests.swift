import Foundation
import HoldfastTestSupport
import Testing

@testable import Holdfast

/// Observations and observers across a suspension.
@Suite(.timeLimit(.minutes(2))) struct SuspendedObservationConcurrencyTests: SuspensionSuite {
  let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
  }

  @Test func anObservationOutlivesTheSuspension() async throws {
    let pool = try makePool()
    let values = Journal<Int?>()
    let observation = ValueObservation.tracking { db in
      try Int.fetchOne(db, sql: "SELECT count(*) FROM t")
    }
    let cancellable = observation.start(
      in: pool, scheduling: .async(onQueue: DispatchQueue(label: "values")),
      onError: { Issue.record($0) }, onChange: { values.append($0) })
    await until { values.entries.last == 1 }
    await pool.suspend()
    #expect(try locks() == [])
    // What another connection commits meanwhile is not missed.
    let other = try DatabaseQueue(path: path)
    try await other.write { db in try db.execute(sql: "INSERT INTO t VALUES ('meanwhile')") }
    try other.close()
    pool.resume()
    await until { values.entries.last == 2 }
    try await pool.write { db in try db.execute(sql: "INSERT INTO t VALUES ('after')") }
    await until { values.entries.last == 3 }
    cancellable.cancel()
  }

  @Test func aSharedObservationOutlivesTheSuspension() async throws {
    let pool = try makePool()
    let (values, late) = (Journal<Int?>(), Journal<Int?>())
    let shared = ValueObservation.tracking { db in
      try Int.fetchOne(db, sql: "SELECT count(*) FROM t")
    }.shared(in: pool, scheduling: .async(onQueue: DispatchQueue(label: "values")))
    let first = shared.start(onError: { Issue.record($0) }, onChange: { values.append($0) })
    await until { values.entries.last == 1 }
    await pool.suspend()
    // The latest value needs no lock.
    let second = shared.start(onError: { Issue.record($0) }, onChange: { late.append($0) })
    await until { late.entries == [1] }
    #expect(try locks() == [])
    let other = try DatabaseQueue(path: path)
    try await other.write { db in try db.execute(sql: "INSERT INTO t VALUES ('meanwhile')") }
    try other.close()
    pool.resume()
    for journal in [values, late] { await until { journal.entries.last == 2 } }
    for cancellable in [first, second] { cancellable.cancel() }
  }

  /// Both have one watch, which rests as long as one of them is suspended.
  @Test func anObservationContinuesWhileAnotherPoolStaysSuspended() async throws {
    let pools = try [makePool(), DatabasePool(path: path, configuration: Self.configuration)]
    let values = Journal<Int?>()
    let cancellables = pools.map { pool in
      ValueObservation.tracking { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM t") }.start(
        in: pool, scheduling: .async(onQueue: DispatchQueue(label: "values")),
        onError: { Issue.record($0) },
        onChange: { [isFirst = pool === pools[0]] in if isFirst { values.append($0) } })
    }
    await until { values.entries.last == 1 }
    for pool in pools { await pool.suspend() }
    let other = try DatabaseQueue(path: path)
    try await other.write { db in try db.execute(sql: "INSERT INTO t VALUES ('meanwhile')") }
    try other.close()
    pools[0].resume()
    await until { values.entries.last == 2 }
    for cancellable in cancellables { cancellable.cancel() }
  }

  /// In a process of its own, because it has no descriptor to spare.
  @Test func anObservationThatIsNotMonitoredContinuesAfterTheResume() async {
    await #expect(processExitsWith: .success) { [path = path as String] in
      var configuration = Configuration()
      configuration.allowsSuspension = true
      configuration.maximumReaderCount = 1
      let pool = try DatabasePool(path: path, configuration: configuration)
      let sql = "SELECT count(*) FROM t"
      try await pool.write { db in try db.execute(sql: "CREATE TABLE t (a)") }
      _ = try await pool.read { db in try Int.fetchOne(db, sql: sql) }
      let descriptors = await UsedUpDescriptors()
      let values = Journal<Int?>()
      let cancellable = ValueObservation.tracking { db in try Int.fetchOne(db, sql: sql) }.start(
        in: pool, scheduling: .async(onQueue: DispatchQueue(label: "values")),
        onError: { fatalError("\($0)") }, onChange: { values.append($0) })
      await until { values.entries.last == 0 }
      #expect(pool.watchHealth?.isNotifiedBySystem == false)
      descriptors.release()
      await pool.suspend()
      let other = try DatabaseQueue(path: path)
      try await other.write { db in try db.execute(sql: "INSERT INTO t VALUES (1)") }
      try other.close()
      pool.resume()
      await until { values.entries.last == 1 }
      cancellable.cancel()
    }
  }

  @Test func anObservationMayBeginWhileItIsSuspended() async throws {
    let pool = try makePool()
    await pool.suspend()
    let values = Journal<Int?>()
    let cancellable = ValueObservation.tracking { db in
      try Int.fetchOne(db, sql: "SELECT count(*) FROM t")
    }.start(
      in: pool, scheduling: .async(onQueue: DispatchQueue(label: "values")),
      onError: { Issue.record($0) }, onChange: { values.append($0) })
    #expect(try locks() == [])
    pool.resume()
    await until { values.entries.last == 1 }
    try await pool.write { db in try db.execute(sql: "INSERT INTO t VALUES ('after')") }
    await until { values.entries.last == 2 }
    cancellable.cancel()
  }

  @Test func anObserverIsNotifiedOfTheRollbackAndOfLaterCommits() async throws {
    final class Observer: TransactionObserver, Sendable {
      let events = Journal<String>()
      func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
      func databaseDidChange(with event: DatabaseEvent) { events.append("change") }
      func databaseDidCommit(_ db: Database) { events.append("commit") }
      func databaseDidRollback(_ db: Database) { events.append("rollback") }
    }
    let pool = try makePool()
    let observer = Observer()
    pool.add(transactionObserver: observer)
    let isOpen = Gate()
    let goesOn = Gate()
    let writer = OwnThread {
      try pool.write { db in
        try db.execute(sql: "INSERT INTO t VALUES ('half')")
        isOpen.open()
        goesOn.wait()
      }
    }
    try await onOwnThread { isOpen.wait() }
    await pool.suspend()
    // No code of the app's ran in the suspending thread.
    #expect(observer.events.entries == ["change"])
    goesOn.open()
    await #expect(throws: DatabaseError.self) { try await writer.value }
    #expect(observer.events.entries == ["change", "rollback"])
    pool.resume()
    try await pool.write { db in try db.execute(sql: "INSERT INTO t VALUES ('whole')") }
    #expect(observer.events.entries == ["change", "rollback", "change", "commit"])
  }
}
