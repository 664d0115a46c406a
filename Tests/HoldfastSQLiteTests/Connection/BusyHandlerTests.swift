import Foundation
import HoldfastTestSupport
import Synchronization
import Testing

@testable import HoldfastSQLite

@Suite struct BusyHandlerTests {
  /// Runs the closure with a connection while another connection holds the write lock.
  private func withLockedDatabase(
    _ mode: Database.BusyMode, _ body: (_ db: Database, _ release: () throws -> Void) throws -> Void
  ) throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("t.db").path
    let holder = try Connection(path)
    try holder.withAccess { db in
      try db.execute(sql: "CREATE TABLE t (a)")
      try db.beginTransaction(.immediate)
    }
    var configuration = Configuration()
    configuration.busyMode = mode
    try Connection(path, configuration).withAccess { db in
      try body(db) { try holder.withAccess { try $0.rollback() } }
    }
  }

  private let insert = "INSERT INTO t VALUES (1)"

  @Test func anImmediateErrorDoesNotWait() throws {
    try withLockedDatabase(.immediateError) { db, release in
      #expect(try databaseError { try db.execute(sql: insert) }.resultCode == .SQLITE_BUSY)
      try release()
      try db.execute(sql: insert)
    }
  }

  @Test func aTimeoutEndsWithTheErrorAndRestartsForEachStatement() throws {
    try withLockedDatabase(.timeout(0.05)) { db, release in
      for _ in 1...2 {
        let start = ContinuousClock.now
        let error = try databaseError { try db.execute(sql: insert) }
        #expect(error.resultCode == .SQLITE_BUSY)
        // The lower bound is guaranteed; the upper bound depends on the scheduler.
        #expect(ContinuousClock.now - start >= .milliseconds(50))
      }
      try release()
      try db.execute(sql: insert)
    }
  }

  @Test(arguments: [0, -1, -Double.infinity, Double.nan])
  func aNonpositiveOrInvalidTimeoutEndsImmediately(seconds: Double) throws {
    try withLockedDatabase(.timeout(seconds)) { db, _ throws in
      #expect(try databaseError { try db.execute(sql: insert) }.resultCode == .SQLITE_BUSY)
    }
  }

  /// SQLite's own handler would wait up to 100 milliseconds between tries.
  @Test func theLockIsRetriedEveryMillisecondUntilAnInterruption() throws {
    let handler = BusyHandler(mode: .timeout(.infinity))
    handler.begin()
    var looks: [Duration] = []
    for number in 0..<50 {
      let start = ContinuousClock.now
      #expect(handler.waits(numberOfTries: number))
      looks.append(ContinuousClock.now - start)
    }
    // The fastest one: a busy machine delays the others.
    let fastest = try #require(looks.min())
    #expect(fastest < .milliseconds(3))
    handler.interrupt()
    #expect(!handler.waits(numberOfTries: 50))
    // The next statement waits again, unless the whole access was interrupted.
    handler.begin()
    #expect(handler.waits(numberOfTries: 0))
    handler.isAccessInterrupted.store(true, ordering: .relaxed)
    handler.begin()
    #expect(!handler.waits(numberOfTries: 0))
  }

  @Test func aCallbackReceivesTheNumberOfTries() throws {
    let tries = Journal<Int>()
    let mode = Database.BusyMode.callback { number in
      tries.append(number)
      return number < 3
    }
    try withLockedDatabase(mode) { db, _ throws in
      for _ in 1...2 {
        #expect(try databaseError { try db.execute(sql: insert) }.resultCode == .SQLITE_BUSY)
      }
    }
    #expect(tries.entries == [0, 1, 2, 3, 0, 1, 2, 3])
  }

  @Test func anInterruptionEndsAnEndlessCallback() throws {
    let waits = Gate()
    // Sendable because the gate opens after the write, and `interrupt` is allowed on any thread.
    nonisolated(unsafe) var waiting: Database?
    let done = Gate()
    Thread.detachNewThread {
      waits.wait()
      unsafe waiting?.interrupt()
      done.open()
    }
    let mode = Database.BusyMode.callback { number in
      // Interrupted from another thread while SQLite waits.
      if number == 1 {
        waits.open()
        done.wait()
      }
      return true
    }
    try withLockedDatabase(mode) { db, release in
      unsafe waiting = db
      let error = try databaseError { try db.execute(sql: insert) }
      #expect(error.resultCode == .SQLITE_INTERRUPT)
      #expect(error.sql == insert)
      try release()
      try db.execute(sql: insert)
    }
  }

  @Test func anInterruptionEndsAnEndlessTimeout() throws {
    try withLockedDatabase(.timeout(.infinity)) { db, release in
      let interruption = db.interruption
      let done = Gate()
      Thread.detachNewThread {
        interruption()
        done.open()
      }
      // Whether it comes before or after the statement begins, it applies to the whole access.
      let error = try databaseError { try db.execute(sql: insert) }
      #expect(error.resultCode == .SQLITE_INTERRUPT)
      _ = try databaseError { try db.execute(sql: "SELECT 1") }
      done.wait()
      interruption.reset()
      try release()
      try db.execute(sql: insert)
    }
  }
}
