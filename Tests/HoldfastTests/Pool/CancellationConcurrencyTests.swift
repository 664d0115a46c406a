import Foundation
import HoldfastTestSupport
import Synchronization
import Testing

@testable import Holdfast

/// The effect of a task's cancellation on its own access and on others.
@Suite(.timeLimit(.minutes(1))) struct CancellationConcurrencyTests {
  private static let endless =
    "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"

  private let folder: TemporaryDirectory
  private let path: String

  init() throws {
    folder = try TemporaryDirectory()
    path = folder.file("t.db").path
  }

  private func makeQueue(_ configuration: Configuration = Configuration()) throws -> DatabaseQueue {
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.write { db in try db.execute(sql: "CREATE TABLE IF NOT EXISTS t (a)") }
    return queue
  }

  /// Returns the number of rows, which shows that the writer still works.
  private func count(_ writer: some DatabaseWriter) async throws -> Int? {
    try await writer.write { db in
      try db.execute(sql: "CREATE TABLE IF NOT EXISTS t (a)")
      return try Int.fetchOne(db, sql: "SELECT count(*) FROM t")
    }
  }

  @Test func aCancelledTaskLeavesTheQueueImmediately() async throws {
    let queue = try makeQueue()
    let holder = try await HeldAccess { hold in try queue.write { _ in hold() } }
    let runs = Journal<String>()
    let first = Task { try await queue.write { _ in runs.append("cancelled") } }
    await until { queue.pool.waitingCount == 1 }
    let second = Task { try await queue.read { db in try Int.fetchOne(db, sql: "SELECT 2") } }
    await until { queue.pool.waitingCount == 2 }
    first.cancel()
    // It ends while the holder is still running.
    await #expect(throws: CancellationError.self) { try await first.value }
    #expect(queue.pool.waitingCount == 1)
    holder.release()
    #expect(try await second.value == 2)
    #expect(runs.entries == [])
    try await holder.end()
  }

  /// The connection is held until all have ended: a missed cancellation would wait forever.
  @Test func aCancellationDuringEnqueueingIsNotMissed() async throws {
    let queue = try makeQueue()
    let holder = try await HeldAccess { hold in try queue.write { _ in hold() } }
    for number in 0..<2000 {
      let started = Journal<Int>()
      let task = Task {
        started.append(number)
        try await queue.read { _ in }
      }
      // Immediately, or while the task is being enqueued.
      if !number.isMultiple(of: 4) { while started.entries.isEmpty { await Task.yield() } }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    #expect(queue.pool.waitingCount == 0)
    holder.release()
    try await holder.end()
  }

  //  task                        test
  //                              holds the pool's lock
  //  wants a connection: stops
  //                              cancels, releases the lock
  //  enters the queue, and leaves it
  @Test func aCancellationBeforeEnqueueingIsNotMissed() async throws {
    let queue = try makeQueue()
    let holder = try await HeldAccess { hold in try queue.write { _ in hold() } }
    for _ in 0..<20 {
      let task = Mutex<Task<Void, any Error>?>(nil)
      // On its own thread: the task blocks one of the few threads that tasks have.
      try await onOwnThread {
        let started = Gate()
        queue.pool.state.withLock { _ in
          let reading = Task {
            started.open()
            try await queue.read { _ in }
          }
          started.wait()
          // It cannot be observed that the task waits for the lock. If it does not get there, it
          // was cancelled before.
          sched_yield()
          reading.cancel()
          task.withLock { $0 = reading }
        }
      }
      await #expect(throws: CancellationError.self) {
        try await task.withLock { $0 }?.value
      }
    }
    #expect(queue.pool.waitingCount == 0)
    holder.release()
    try await holder.end()
  }

  @Test func aTaskCancelledBeforeItsAccessDoesNotRun() async throws {
    let queue = try makeQueue()
    let runs = Journal<String>()
    let begin = Gate()
    let task = Task {
      try await onOwnThread { begin.wait() }
      try await queue.write { _ in runs.append("cancelled") }
    }
    task.cancel()
    begin.open()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(runs.entries == [])
  }

  @Test func theRunningStatementIsInterruptedAndTheWriteRolledBack() async throws {
    let queue = try makeQueue()
    await #expect(throws: CancellationError.self) {
      try await cancelWrite("INSERT INTO t VALUES (1)", in: queue)
    }
    #expect(try await count(queue) == 0)
  }

  /// Writes, and cancels the task while a statement after that runs.
  private func cancelWrite(_ sql: String, in queue: DatabaseQueue) async throws {
    let began = Gate()
    let task = Task {
      try await queue.write { db in
        try db.execute(sql: sql)
        began.open()
        _ = try Int.fetchOne(db, sql: Self.endless)
      }
    }
    try await onOwnThread { began.wait() }
    task.cancel()
    try await task.value
  }

  /// Such a table keeps a statement active until the transaction ends, and with it the interruption.
  @Test(arguments: ["fts5(a)", "rtree(id, low, high)"])
  func aCancelledWriteToAVirtualTableIsRolledBack(table: String) async throws {
    let queue = try makeQueue()
    let values = table.hasPrefix("fts5") ? "('sea')" : "(1, 2, 3)"
    try await queue.write { db in
      try db.execute(sql: "CREATE VIRTUAL TABLE v USING \(table)")
      try db.execute(sql: "INSERT INTO v VALUES \(values)")
    }
    await #expect(throws: CancellationError.self) {
      try await cancelWrite(
        "DELETE FROM v; INSERT INTO v VALUES \(values); INSERT INTO t VALUES (1)", in: queue)
    }
    #expect(try await count(queue) == 0)
    // No lock is left.
    let other = try DatabaseQueue(path: path)
    try await other.write { db in try db.execute(sql: "INSERT INTO t VALUES (2)") }
    #expect(try await count(queue) == 1)
    #expect(try await queue.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM v") } == 1)
  }

  /// SQLite forgets an interruption that arrives before the first step.
  @Test func aStatementThatIsAboutToBeginIsInterrupted() async throws {
    /// Is asked right before the first step of a statement that writes.
    final class Canceller: TransactionObserver {
      func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool {
        unsafe withUnsafeCurrentTask { task in unsafe task?.cancel() }
        return true
      }
      func databaseDidChange(with event: DatabaseEvent) {}
      func databaseDidCommit(_ db: Database) {}
      func databaseDidRollback(_ db: Database) {}
    }
    let queue = try makeQueue()
    let canceller = Canceller()
    queue.add(transactionObserver: canceller)
    let task = Task {
      try await queue.write { db in try db.execute(sql: "INSERT INTO t \(Self.endless)") }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    queue.remove(transactionObserver: canceller)
    #expect(try await count(queue) == 0)
  }

  @Test func theRunningReadIsInterrupted() async throws {
    let pool = try DatabasePool(path: path)
    let began = Gate()
    let task = Task {
      try await pool.read { db in
        began.open()
        return try Int.fetchOne(db, sql: Self.endless)
      }
    }
    try await onOwnThread { began.wait() }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await pool.read { db in try Int.fetchOne(db, sql: "SELECT 1") } == 1)
  }

  //  task                        test
  //  INSERT
  //                              cancels
  //  catches the error, continues: every statement fails
  @Test func aClosureThatCatchesTheInterruptionCannotContinue() async throws {
    let queue = try makeQueue()
    let began = Gate()
    let cancelled = Gate()
    let codes = Journal<ResultCode>()
    let task = Task {
      try await queue.write { db in
        try db.execute(sql: "INSERT INTO t VALUES (1)")
        let cursor = try Int.fetchCursor(db, sql: "SELECT a FROM t")
        _ = try cursor.next()
        began.open()
        cancelled.wait()
        for sql in ["INSERT INTO t VALUES (2)", "SELECT 1", "COMMIT"] {
          do {
            try db.execute(sql: sql)
          } catch let error as DatabaseError {
            codes.append(error.resultCode)
          }
        }
        withExtendedLifetime(cursor) {}
      }
    }
    try await onOwnThread { began.wait() }
    task.cancel()
    cancelled.open()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(codes.entries == [.SQLITE_INTERRUPT, .SQLITE_INTERRUPT, .SQLITE_INTERRUPT])
    #expect(try await count(queue) == 0)
  }

  @TaskLocal private static var rider = "nobody"

  /// The closure runs in the task that awaits it, and what it read is the answer, however late the task is
  /// cancelled.
  @Test func aClosureRunsInItsTask() async throws {
    let (queue, pool) = (try makeQueue(), try DatabasePool(path: path))
    let readers: [any DatabaseReader] = [queue, pool, try pool.makeSnapshot()]
    for reader in readers {
      let (began, cancelled) = (Gate(), Gate())
      let task = Self.$rider.withValue("Ada") {
        Task {
          try await reader.read { db in
            let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM t")
            let before = Task.isCancelled
            began.open()
            cancelled.wait()
            return [Self.rider, "\(count ?? -1)", "\(before)", "\(Task.isCancelled)"]
          }
        }
      }
      try await onOwnThread { began.wait() }
      task.cancel()
      cancelled.open()
      #expect(try await task.value == ["Ada", "0", "false", "true"], "\(type(of: reader))")
      #expect(try await reader.read { db in try Int.fetchOne(db, sql: "SELECT 1") } == 1)
    }
    for writer in [queue, pool] as [any DatabaseWriter] {
      let name = try await Self.$rider.withValue("Ada") {
        try await writer.write { _ in Self.rider }
      }
      #expect(name == "Ada")
    }
  }

  @Test func anErrorOfTheClosureIsKept() async throws {
    struct Stop: Error {}
    let queue = try makeQueue()
    let began = Gate()
    let cancelled = Gate()
    let task = Task {
      try await queue.write { db in
        try db.execute(sql: "INSERT INTO t VALUES (1)")
        began.open()
        cancelled.wait()
        throw Stop()
      }
    }
    try await onOwnThread { began.wait() }
    task.cancel()
    cancelled.open()
    await #expect(throws: Stop.self) { try await task.value }
    #expect(try await count(queue) == 0)
  }

  /// Another connection holds the lock until the task has ended, so it cannot have waited for it.
  @Test(arguments: [false, true])
  func aWaitForAHeldLockIsCancelled(isSureToWait: Bool) async throws {
    let holder = try makeQueue()
    let waits = Gate()
    var configuration = Configuration()
    if isSureToWait {
      configuration.busyMode = .callback { _ in
        waits.open()
        return true
      }
    } else {
      waits.open()
      configuration.busyMode = .timeout(1000)
    }
    let queue = try makeQueue(configuration)
    let holding = try await HeldAccess { hold in try holder.write { _ in hold() } }
    let task = Task { try await queue.write { db in try db.execute(sql: "DELETE FROM t") } }
    try await onOwnThread { waits.wait() }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    holding.release()
    try await holding.end()
    #expect(try await count(queue) == 0)
  }

  @Test func aCancellationAfterTheCommitRollsNothingBack() async throws {
    let queue = try makeQueue()
    let task = Task {
      try await queue.write { db in try db.execute(sql: "INSERT INTO t VALUES (1)") }
    }
    try await task.value
    task.cancel()
    #expect(try await count(queue) == 1)
  }

  /// At any time of the cancellation, a write that returns is committed, one that throws is not,
  /// and the next access is unaffected.
  //  task                                    observer
  //  writes (and is cancelled)
  //  commits, or rolls back
  //                                          (cancels)
  //                                          reads and writes
  //  continues: every statement fails
  @Test(arguments: [false, true])
  func anObserverOfACancelledTransactionIsNotInterrupted(commits: Bool) async throws {
    final class Counter: TransactionObserver {
      let counts = Journal<Int?>()
      func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
      func databaseDidChange(with event: DatabaseEvent) {}
      func databaseDidCommit(_ db: Database) { ended(db) }
      func databaseDidRollback(_ db: Database) { ended(db) }

      private func ended(_ db: Database) {
        guard counts.entries.isEmpty else { return }
        unsafe withUnsafeCurrentTask { task in unsafe task?.cancel() }
        // Longer than it takes to interrupt again.
        let steps =
          "WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n LIMIT 200000) "
        counts.append(try? Int.fetchOne(db, sql: steps + "SELECT count(*) FROM n"))
        try? db.execute(sql: "INSERT INTO t VALUES (7)")
        counts.append(try? Int.fetchOne(db, sql: "SELECT count(*) FROM t"))
      }
    }
    let queue = try makeQueue()
    let counter = Counter()
    queue.add(transactionObserver: counter)
    let task = Task {
      try await queue.writeWithoutTransaction { db in
        try db.inTransaction {
          try db.execute(sql: "INSERT INTO t VALUES (1)")
          if !commits {
            unsafe withUnsafeCurrentTask { task in unsafe task?.cancel() }
            try db.execute(sql: "INSERT INTO t VALUES (2)")
          }
          return .commit
        }
        try db.execute(sql: "INSERT INTO t VALUES (3)")
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    queue.remove(transactionObserver: counter)
    #expect(counter.counts.entries == [200_000, commits ? 2 : 1])
    #expect(try await count(queue) == (commits ? 2 : 1))
  }

  @Test func cancellationsAtAnyTimeKeepWritesAtomic() async throws {
    let pool = try DatabasePool(path: path)
    try await pool.write { db in try db.execute(sql: "CREATE TABLE t (a)") }
    var random = SeededRandom()
    var done: Set<Int> = []
    for round in 0..<40 {
      var tasks: [(Int, Task<Void, any Error>)] = []
      for number in 0..<5 {
        let value = round * 10 + number
        tasks.append(
          (
            value,
            Task {
              try await pool.write { db in
                for _ in 0..<20 {
                  try db.execute(sql: "INSERT INTO t VALUES (?)", arguments: [value])
                }
              }
            }
          ))
      }
      for (value, task) in tasks.shuffled(using: &random) {
        let pause = Int.random(in: 0..<20, using: &random)
        for _ in 0..<pause { await Task.yield() }
        if value.isMultiple(of: 2) { task.cancel() }
      }
      for (value, task) in tasks {
        do {
          try await task.value
          done.insert(value)
        } catch is CancellationError {
          #expect(value.isMultiple(of: 2))
        }
      }
      _ = try await pool.read { db in try Int.fetchOne(db, sql: "SELECT 1") }
    }
    let counts = try await pool.read { db in
      try Row.fetchAll(db, sql: "SELECT a, count(*) FROM t GROUP BY a").map { row in
        [row[0] as Int, row[1] as Int]
      }
    }
    #expect(Set(counts.map { $0[0] }) == done)
    #expect(counts.allSatisfy { $0[1] == 20 })
  }
}
