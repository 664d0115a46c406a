import Foundation
import HoldfastTestSupport
import Testing

@testable import Holdfast

/// Calls of SQLite that run or hold a lock when a suspension comes.
@Suite(.timeLimit(.minutes(2))) struct SuspendedCallConcurrencyTests: SuspensionSuite {
  let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
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
  @Test func aFullTextTableThatIsBeingLoadedIsNoError() async throws {
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
      // Each resume opens new connections, which have not prepared any table yet.
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

  /// Rows of two cursors that are read again and again, and one that was kept, while the connection is closed.
  @Test func rowsThatAreReadKeepTheirValues() async throws {
    let pool = try makePool()
    try await pool.write { db in
      try db.execute(
        sql: """
          CREATE TABLE word (id INTEGER PRIMARY KEY, text TEXT, number REAL, bytes BLOB);
          WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50)
          INSERT INTO word SELECT i, 'a text that has memory of its own ' || i, i / 2.0, zeroblob(i) FROM n
          """)
    }
    @Sendable func isRight(_ row: Row, _ id: Int) -> Bool {
      let (text, bytes): (String, Data) = (row[1], row["bytes"])
      return row[0] as Int? == id && text == "a text that has memory of its own \(id)"
        && row["number"] as Double? == Double(id) / 2 && bytes.count == id
        && row.databaseValues.count == 4 && !row.hasNull(atIndex: 3)
    }
    for round in 1...200 {
      let hasBegun = Gate()
      let reader = OwnThread {
        var count = 0
        var kept: Row?
        do {
          try pool.read { db in
            while true {
              let rows = try Row.fetchCursor(db, sql: "SELECT * FROM word")
              var outer = 0
              while let row = try rows.next() {
                outer += 1
                let others = try Row.fetchCursor(
                  db, sql: "SELECT * FROM word WHERE id > ? LIMIT 3", arguments: [outer])
                var inner = outer
                while let other = try others.next() {
                  inner += 1
                  guard isRight(row, outer), isRight(other, inner), isRight(row, outer),
                    kept.map({ isRight($0, ($0[0] as Int)) }) ?? true
                  else { return count = -1 }
                }
                kept = row
                count += 1
                if count == 5 { hasBegun.open() }
              }
            }
          }
        } catch let error as DatabaseError where error.isDatabaseSuspensionError {
        }
        // Outside of the access, and after its connection.
        return kept.map { isRight($0, $0[0] as Int) } == true ? count : -1
      }
      try await onOwnThread {
        hasBegun.wait()
        for _ in 0..<round * 10 { _ = pool.path }
      }
      await pool.suspend()
      #expect(try locks() == [])
      #expect(try await reader.value >= 5)
      pool.resume()
    }
  }

  /// The sanitizer sees it if a cursor that escapes enters the connection, which another access uses by then.
  @Test func aCursorThatOutlivesItsAccessIsReleasedElsewhere() async throws {
    // Sendable because it is handed over: one thread sets it, and then another one uses it.
    final class Escaped: @unchecked Sendable {
      var cursors: [RowCursor] = []
    }
    _ = try makePool()
    let queue = try DatabaseQueue(path: path, configuration: Self.configuration)
    for _ in 1...20 {
      let escaped = Escaped()
      try await onOwnThread {
        try queue.read { db in
          for sql in ["SELECT 1 UNION SELECT 2", "SELECT a FROM t", "SELECT 3"] {
            let cursor = try Row.fetchCursor(db, sql: sql)
            while try cursor.next() != nil {}
            escaped.cursors.append(cursor)
            escaped.cursors.append(try Row.fetchCursor(db, sql: sql))
            _ = try escaped.cursors.last?.next()
          }
        }
      }
      let hasBegun = Gate()
      let writer = OwnThread {
        try queue.write { db in
          for number in 1...50 {
            try db.execute(sql: "UPDATE t SET a = ?", arguments: [number])
            if number == 5 { hasBegun.open() }
          }
        }
      }
      try await onOwnThread {
        hasBegun.wait()
        escaped.cursors = []
      }
      try await writer.value
    }
    await queue.suspend()
    #expect(try locks() == [])
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
        // There is no connection that could determine the region.
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
    // The kernel does not distinguish the pools of a process.
    #expect(report.locks == .left)
    #expect(report.interruptedStatementCount == 1)
    await #expect { try await writer.value } throws: { error in
      (error as? DatabaseError)?.isDatabaseSuspensionError == true
    }
    leaves.open()
    try await holder.value
    #expect(try await count(pool) == 1)
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
    // A second one used to find no connection, and to report that all are closed.
    let second = await pool.suspend(within: .milliseconds(1))
    #expect(second.notFree == report.notFree)
    returns.open()
    await #expect(throws: DatabaseError.self) { _ = try await reader.value }
    // The access closed its connection itself.
    #expect(try locks() == [])
    let third = await pool.suspend(within: .milliseconds(1))
    #expect(third.isFree)
  }

  /// A statement that has committed is not undone, and its caller gets no error.
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
}
