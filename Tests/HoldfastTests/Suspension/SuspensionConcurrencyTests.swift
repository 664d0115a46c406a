import Foundation
import HoldfastTestSupport
import Synchronization
import Testing

@testable import Holdfast

/// That no lock outlives a suspension, whatever runs, and that nothing is half applied after it.
@Suite(.timeLimit(.minutes(2))) struct SuspensionConcurrencyTests {
  private static let endless =
    "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n, t"

  private let folder: TemporaryDirectory
  private let path: String

  init() throws {
    folder = try TemporaryDirectory()
    path = folder.file("t.db").path
  }

  private static var configuration: Configuration {
    var configuration = Configuration()
    configuration.allowsSuspension = true
    return configuration
  }

  private func makePool(
    _ configuration: Configuration = Self.configuration
  ) throws -> DatabasePool {
    let pool = try DatabasePool(path: path, configuration: configuration)
    try pool.write { db in
      try db.execute(sql: "CREATE TABLE IF NOT EXISTS t (a); INSERT INTO t VALUES ('first')")
    }
    return pool
  }

  private func locks() throws -> [String] {
    try HeldLocks.onDatabase(at: path)
  }

  private func count(_ reader: some DatabaseReader) async throws -> Int? {
    try await reader.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM t") }
  }

  private func isSuspension(_ error: any Error, _ message: String) -> Bool {
    guard let error = error as? DatabaseError else { return false }
    return error.isDatabaseSuspensionError && error.message == message
  }

  // MARK: - What holds locks

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

  @Test func whoStandsInLineIsRefusedAtOnce() async throws {
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

  @Test func aRunningStatementIsInterrupted() async throws {
    let pool = try makePool()
    let runs = Gate()
    let reader = OwnThread {
      try pool.read { db in
        db.trace { _ in runs.open() }
        return try Int.fetchOne(db, sql: Self.endless)
      }
    }
    try await onOwnThread { runs.wait() }
    let report = await pool.suspend(within: .seconds(30))
    #expect(try locks() == [])
    #expect(report.isFree)
    #expect(report.interruptedStatementCount == 1)
    await #expect { _ = try await reader.value } throws: { isSuspension($0, "interrupted") }
  }

  /// SQLite tells of a virtual table that cannot be made ready, and hides that it was interrupted.
  @Test func aFullTextTableThatIsBeingMadeReadyIsNoError() async throws {
    let pool = try makePool()
    try await pool.write { db in
      for number in 1...20 {
        try db.execute(sql: "CREATE VIRTUAL TABLE f\(number) USING fts5 (a)")
      }
    }
    let tables = (1...20).map { "f\($0)" }.joined(separator: ", ")
    let hasBegun = Switch()
    for _ in 1...300 {
      hasBegun.isOn = false
      // Each resume opens connections anew, which have made no table ready yet.
      async let reading = pool.read { db in
        hasBegun.isOn = true
        return try Int.fetchOne(db, sql: "SELECT count(*) FROM \(tables)")
      }
      await until { hasBegun.isOn }
      await pool.suspend()
      do {
        #expect(try await reading == 0)
      } catch let error as DatabaseError {
        #expect(error.isDatabaseSuspensionError, "\(error)")
      }
      pool.resume()
    }
  }

  @Test func aCursorThatPausesIsEnded() async throws {
    let pool = try makePool()
    let isOpen = Gate()
    let goesOn = Gate()
    let reader = OwnThread {
      try pool.read { db in
        let rows = try Row.fetchCursor(
          db, sql: "SELECT 1 AS i UNION SELECT 2 UNION SELECT a FROM t")
        let row = try rows.next()
        isOpen.open()
        goesOn.wait()
        // What was read before is still what it was.
        let first = row?["i"] as Int?
        #expect(first == 1)
        return try rows.next() == nil
      }
    }
    try await onOwnThread { isOpen.wait() }
    let report = await pool.suspend()
    #expect(try locks() == [])
    #expect(report.endedReadTransactionCount == 1)
    goesOn.open()
    await #expect { _ = try await reader.value } throws: {
      isSuspension($0, "Transaction was aborted")
    }
  }

  /// GR-8: a key, and what SQLCipher is told of the file's header, is said again to each connection
  /// that comes after a suspension.
  @Test func eachConnectionIsPreparedAgainAfterTheResume() async throws {
    let preparations = Journal<String>()
    var configuration = Self.configuration
    configuration.prepareDatabase { db in
      preparations.append("prepared")
      // SQLite without encryption knows no such pragma, and ignores it.
      try db.execute(sql: "PRAGMA cipher_plaintext_header_size = 32")
    }
    let pool = try makePool(configuration)
    #expect(preparations.entries.count == 1)
    await pool.suspend()
    pool.resume()
    try await pool.write { db in try db.execute(sql: "INSERT INTO t VALUES ('after')") }
    #expect(preparations.entries.count == 2)
  }

  @Test func aSuspensionWaitsForAnotherOneNoLongerThanItsLimit() async throws {
    let isCalled = Gate()
    let isClaimed = Gate()
    let returns = Gate()
    let opened = Journal<DatabasePool>()
    var configuration = Self.configuration
    configuration.prepareDatabase { db in
      db.add(
        function: DatabaseFunction("pause", argumentCount: 0) { _ in
          // On the thread that holds the reader, which the first suspension waits for.
          isCalled.open()
          let reader = opened.entries.first?.pool.slots[1]
          while reader?.openedDatabase?.openConnection.isClaimed == false { sched_yield() }
          isClaimed.open()
          returns.wait()
          return 1
        })
    }
    let pool = try makePool(configuration)
    opened.append(pool)
    let reader = OwnThread {
      try pool.read { db in try Int.fetchOne(db, sql: "SELECT pause() FROM t") }
    }
    try await onOwnThread { isCalled.wait() }
    let patient = OwnThread { pool.suspend(within: .seconds(50)) }
    try await onOwnThread { isClaimed.wait() }
    // It returns while the other one waits on.
    let report = try await onOwnThread { pool.suspend(within: .milliseconds(20)) }
    #expect(!report.isFree)
    returns.open()
    #expect(try await patient.value.isFree)
    await #expect(throws: DatabaseError.self) { _ = try await reader.value }
  }

  /// In a process of its own, because the scheduler suspends all databases of the process.
  @Test func aSlowDatabaseLeavesTheOthersTheirTime() async throws {
    await #expect(processExitsWith: .success) {
      [path = path as String, slowPath = folder.file("slow.db").path as String] in
      let isCalled = Gate()
      let returns = Gate()
      var configuration = Configuration()
      configuration.suspendsOnBackgroundTimeExpiration = true
      let quick = try DatabasePool(path: path, configuration: configuration)
      configuration.prepareDatabase { db in
        db.add(
          function: DatabaseFunction("pause", argumentCount: 0) { _ in
            isCalled.open()
            returns.wait()
            return 1
          })
      }
      let slow = try DatabasePool(path: slowPath, configuration: configuration)
      let reader = OwnThread {
        try slow.read { db in try Int.fetchOne(db, sql: "SELECT pause()") }
      }
      let reports = try await onOwnThread {
        isCalled.wait()
        return DatabaseBackgroundScheduler.shared.suspend(within: .milliseconds(50))
      }
      #expect(reports[slowPath]?.isFree == false)
      #expect(reports[path]?.isFree == true)
      #expect(try HeldLocks.onDatabase(at: path) == [])
      returns.open()
      await #expect(throws: DatabaseError.self) { _ = try await reader.value }
      withExtendedLifetime(quick) {}
    }
  }

  @Test func aStatementThatIsKeptIsEnded() async throws {
    let pool = try makePool()
    let isOpen = Gate()
    let goesOn = Gate()
    let writer = OwnThread {
      try pool.write { db in
        let statement = try db.makeStatement(sql: "INSERT INTO t VALUES (?)")
        try statement.execute(arguments: ["half"])
        isOpen.open()
        goesOn.wait()
        // There is nobody to ask what it would read.
        #expect(statement.databaseRegion.isEmpty)
        try statement.execute(arguments: ["other half"])
      }
    }
    try await onOwnThread { isOpen.wait() }
    await pool.suspend()
    #expect(try locks() == [])
    goesOn.open()
    await #expect { try await writer.value } throws: {
      isSuspension($0, "Transaction was aborted")
    }
  }

  @Test func aWaitForAnotherConnectionsLockEnds() async throws {
    let pool = try makePool()
    let other = try DatabaseQueue(path: path)
    let waits = Gate()
    var configuration = Self.configuration
    configuration.busyMode = .callback { _ in
      waits.open()
      return true
    }
    let waiting = try DatabasePool(path: path, configuration: configuration)
    let holds = Gate()
    let leaves = Gate()
    let holder = OwnThread {
      try other.write { _ in
        holds.open()
        leaves.wait()
      }
    }
    try await onOwnThread { holds.wait() }
    let writer = OwnThread {
      try waiting.write { db in try db.execute(sql: "DELETE FROM t") }
    }
    try await onOwnThread { waits.wait() }
    let report = await waiting.suspend(within: .seconds(30))
    #expect(report.notFree == [])
    // The kernel does not tell one pool of a process from another.
    #expect(report.locks == .left)
    #expect(report.interruptedStatementCount == 1)
    await #expect { try await writer.value } throws: { error in
      (error as? DatabaseError)?.isDatabaseSuspensionError == true
    }
    leaves.open()
    try await holder.value
    #expect(try await count(pool) == 1)
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

  @Test func nobodyWaitsForASnapshotThatDoesNotComeBack() async throws {
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

  /// GR-B3.
  @Test(arguments: [Database.CheckpointMode.passive, .full, .restart, .truncate])
  func noCheckpointRunsWhileItIsSuspended(_ mode: Database.CheckpointMode) async throws {
    let pool = try makePool()
    await pool.suspend()
    await #expect { try await pool.checkpoint(mode) } throws: {
      isSuspension($0, "Database is suspended")
    }
    #expect(try locks() == [])
  }

  @Test func aBackupIntoItEndsAndTheCopyIsTakenBack() async throws {
    let pool = try makePool()
    let source = try DatabaseQueue()
    try await source.write { db in
      try db.execute(sql: "CREATE TABLE big (a); INSERT INTO big SELECT zeroblob(1000000)")
    }
    let runs = Gate()
    let copy = OwnThread {
      try source.backup(to: pool, pagesPerStep: 10) { _ in
        runs.open()
        // The suspension waits for this closure: it is called inside of SQLite, on the thread that
        // holds the writer.
        while pool.pool.slots[0].openedDatabase?.openConnection.isClaimed == false { sched_yield() }
      }
    }
    try await onOwnThread { runs.wait() }
    let ending = OwnThread { pool.suspend(within: .seconds(60)) }
    #expect(try await ending.value.isFree)
    #expect(try locks() == [])
    await #expect(throws: DatabaseError.self) { try await copy.value }
    pool.resume()
    #expect(try await count(pool) == 1)
  }

  @Test func aBackupIntoASuspendedDatabaseIsRefused() async throws {
    let pool = try makePool()
    let source = try DatabaseQueue()
    await pool.suspend()
    await #expect { try await source.backup(to: pool) } throws: {
      isSuspension($0, "Database is suspended")
    }
    pool.resume()
    #expect(try await count(pool) == 1)
  }

  @Test func aConnectionThatCannotBePreparedIsNotKept() async throws {
    struct Stop: Error {}
    let fails = Switch()
    var configuration = Self.configuration
    configuration.prepareDatabase { db in
      _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema")
      if fails.isOn { throw Stop() }
    }
    let pool = try makePool(configuration)
    // Of the log, because SQLite keeps descriptors of the database for as long as it has locks.
    let before = try OpenFiles.beginning(with: path + "-wal")
    fails.isOn = true
    await #expect(throws: Stop.self) { try await count(pool) }
    #expect(try OpenFiles.beginning(with: path + "-wal") == before)
  }

  /// A suspension that comes just then does not find it any more.
  @Test func aConnectionThatCannotBePreparedIsClosedBeforeItIsForgotten() async throws {
    struct Stop: Error {}
    let fails = Switch()
    let kept = Journal<OpenConnection>()
    var configuration = Self.configuration
    configuration.prepareDatabase { db in
      _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema")
      if fails.isOn {
        kept.append(db.openConnection)
        throw Stop()
      }
    }
    let pool = try makePool(configuration)
    let before = try OpenFiles.beginning(with: path + "-wal")
    fails.isOn = true
    await #expect(throws: Stop.self) { try await count(pool) }
    #expect(kept.entries.count == 1)
    #expect(try OpenFiles.beginning(with: path + "-wal") == before)
    #expect(await pool.suspend().isFree)
  }

  @Test func closingASuspendedPoolIsNoError() async throws {
    let pool = try makePool()
    await pool.suspend()
    try pool.close()
    #expect(try locks() == [])
  }

  @Test func aCustomFunctionIsWaitedForAndNamed() async throws {
    let isCalled = Gate()
    let returns = Gate()
    var configuration = Self.configuration
    configuration.prepareDatabase { db in
      db.add(
        function: DatabaseFunction("pause", argumentCount: 0) { _ in
          isCalled.open()
          returns.wait()
          return 1
        })
    }
    let pool = try makePool(configuration)
    let reader = OwnThread {
      try pool.read { db in try Int.fetchOne(db, sql: "SELECT pause() FROM t") }
    }
    try await onOwnThread { isCalled.wait() }
    let report = await pool.suspend(within: .milliseconds(1))
    #expect(!report.isFree)
    #expect(report.notFree.count == 1)
    #expect(report.description.contains("not free"))
    returns.open()
    await #expect(throws: DatabaseError.self) { _ = try await reader.value }
    // Nobody waits for it any more: the access closed its connection itself.
    #expect(try locks() == [])
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

  // MARK: - Waiting, leases, followers

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

  /// Both have one watch, which rests as long as one of them is suspended.
  @Test func anObservationIsToldOfTheResumeWhileAnotherPoolStaysSuspended() async throws {
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
  @Test func anObservationWithoutAWatchIsToldOfTheResume() async {
    await #expect(processExitsWith: .success) { [path = path as String] in
      var configuration = Configuration()
      configuration.allowsSuspension = true
      configuration.maximumReaderCount = 1
      let pool = try DatabasePool(path: path, configuration: configuration)
      let sql = "SELECT count(*) FROM t"
      try await pool.write { db in try db.execute(sql: "CREATE TABLE t (a)") }
      _ = try await pool.read { db in try Int.fetchOne(db, sql: sql) }
      var limit = rlimit()
      try #require(unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
      let allowed = limit.rlim_cur
      limit.rlim_cur = 0
      try #require(unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
      let values = Journal<Int?>()
      let cancellable = ValueObservation.tracking { db in try Int.fetchOne(db, sql: sql) }.start(
        in: pool, scheduling: .async(onQueue: DispatchQueue(label: "values")),
        onError: { fatalError("\($0)") }, onChange: { values.append($0) })
      await until { values.entries.last == 0 }
      #expect(pool.watchHealth?.isToldBySystem == false)
      limit.rlim_cur = allowed
      try #require(unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
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

  @Test func anObserverIsToldOfTheRollbackAndOfLaterCommits() async throws {
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

  /// It is not half done: it stays, and whoever did it is told so.
  @Test(arguments: ["", "; \n"])
  func aStatementThatWasCommittedBeforeTheSuspensionIsNoError(_ rest: String) async throws {
    final class Suspender: TransactionObserver, Sendable {
      let pool: DatabasePool
      let events = Journal<String>()
      init(_ pool: DatabasePool) { self.pool = pool }
      func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
      func databaseDidChange(with event: DatabaseEvent) {}
      func databaseDidRollback(_ db: Database) { events.append("rollback") }
      func databaseDidCommit(_ db: Database) {
        events.append("commit")
        // The writer is still inside of SQLite, and is not waited for.
        events.append("\(pool.suspend(within: .zero).notFree.count) left")
      }
    }
    let pool = try makePool()
    let suspender = Suspender(pool)
    pool.add(transactionObserver: suspender)
    try await onOwnThread {
      try pool.writeWithoutTransaction { db in
        try db.execute(sql: "INSERT INTO t VALUES ('whole')" + rest)
      }
    }
    #expect(suspender.events.entries == ["commit", "1 left"])
    #expect(try locks() == [])
    pool.resume()
    #expect(try await count(pool) == 2)
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

  // MARK: - All together

  /// Does nothing for about so many microseconds: a moment at random, not one that is waited for.
  private static func linger(_ microseconds: Int) {
    let end = ContinuousClock.now + .microseconds(microseconds)
    while ContinuousClock.now < end {}
  }

  /// Does one random thing, as threads of an app do at the same time.
  private static func work(
    on pool: DatabasePool, _ committed: borrowing Atomic<Int>, copyingTo copy: DatabaseQueue,
    _ random: inout SeededRandom
  ) throws {
    switch Int.random(in: 0..<12, using: &random) {
    case 0..<4:
      let n = Int.random(in: 0..<1_000_000, using: &random)
      let bytes = Int.random(in: 0..<20_000, using: &random)
      try pool.write { db in
        for side in ["left", "right"] {
          try db.execute(
            sql: "INSERT INTO pair VALUES (?, ?, zeroblob(?))", arguments: [n, side, bytes])
          if bytes % 7 == 0 { linger(200) }
        }
      }
      committed.wrappingAdd(1, ordering: .relaxed)
    case 4, 5:
      do {
        try pool.checkpoint(Bool.random(using: &random) ? .passive : .truncate)
      } catch ResultCode.SQLITE_BUSY {
        // It does not wait for a connection that recovers the log, nor for one that reads on.
      }
    case 6, 7:
      let snapshot = try pool.makeSnapshot()
      let before = try snapshot.read(pairs)
      linger(Int.random(in: 0..<1000, using: &random))
      #expect(try snapshot.read(pairs) == before)
    case 8:
      try pool.backup(to: copy, pagesPerStep: 100)
      #expect(try copy.read(pairs).isWhole)
    case 9: pool.invalidateReadOnlyConnections()
    default: #expect(try pool.read(pairs).isWhole)
    }
  }

  private struct Pairs: Equatable, Sendable {
    var left: Int?
    var right: Int?
    var isWhole: Bool { left == right }
  }

  private static func pairs(_ db: Database) throws -> Pairs {
    try Pairs(
      left: Int.fetchOne(db, sql: "SELECT count(*) FROM pair WHERE side = 'left'"),
      right: Int.fetchOne(db, sql: "SELECT count(*) FROM pair WHERE side = 'right'"))
  }

  /// Suspends at random moments while threads write, read, checkpoint, copy, keep snapshots and idle
  /// in transactions, and somebody observes.
  @Test func nothingIsHeldOrHalfAppliedAtAnyMoment() async throws {
    let pool = try makePool()
    try await pool.write { db in
      try db.execute(sql: "CREATE TABLE pair (n INTEGER, side TEXT, pad BLOB)")
    }
    let seen = Journal<Pairs>()
    let observation = ValueObservation.tracking { db in try Self.pairs(db) }.start(
      in: pool, scheduling: .async(onQueue: DispatchQueue(label: "values")),
      onError: { Issue.record($0) }, onChange: { seen.append($0) })
    let committed = Atomic(0)
    let ends = Atomic(false)
    let threads = try (0..<4).map { thread in
      let copy = try DatabaseQueue(path: folder.file("copy-\(thread).db").path)
      return OwnThread {
        var random = SeededRandom(seed: UInt64(thread))
        while !ends.load(ordering: .relaxed) {
          do {
            try Self.work(on: pool, committed, copyingTo: copy, &random)
          } catch let error as DatabaseError where error.isDatabaseSuspensionError {
            Self.linger(100)
          }
        }
      }
    }
    var random = SeededRandom(seed: 7)
    for _ in 0..<150 {
      Self.linger(Int.random(in: 0..<3000, using: &random))
      let report = await pool.suspend(within: .seconds(30))
      #expect(try locks() == [])
      #expect(report.isFree)
      pool.resume()
    }
    ends.store(true, ordering: .relaxed)
    for thread in threads { try await thread.value }
    let last = try await pool.read { db in try Self.pairs(db) }
    #expect(last.left == committed.load(ordering: .relaxed))
    #expect(last.isWhole)
    await until { seen.entries.last == last }
    #expect(seen.entries.count { !$0.isWhole } == 0)
    observation.cancel()
    #expect(
      try await pool.read { db in try String.fetchOne(db, sql: "PRAGMA integrity_check") } == "ok")
  }
}
