import Foundation
import HoldfastTestSupport
import Testing

@testable import Holdfast

extension NotifiedSuites {
  /// GRDB's guarantees for a suspended database, with GRDB's own option and notifications.
  ///
  /// GR-5, GR-6.
  @Suite(.timeLimit(.minutes(1))) struct GRDBSuspensionTests {
    private let folder: TemporaryDirectory
    private let path: String

    init() throws {
      folder = try TemporaryDirectory()
      path = folder.file("t.db").path
    }

    private var configuration: Configuration {
      var configuration = Configuration()
      configuration.observesSuspensionNotifications = true
      return configuration
    }

    private func makeQueue(_ mode: Configuration.JournalModeConfiguration) throws -> DatabaseQueue {
      var configuration = configuration
      configuration.journalMode = mode
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      try queue.write { db in try db.execute(sql: "CREATE TABLE t (a)") }
      return queue
    }

    private func count(_ queue: DatabaseQueue) throws -> Int? {
      try queue.blockingRead { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM t") }
    }

    private func suspend() {
      NotificationCenter.default.post(name: Database.suspendNotification, object: nil)
    }

    private func resume() {
      NotificationCenter.default.post(name: Database.resumeNotification, object: nil)
    }

    /// Returns the result of each statement of one access to a suspended database.
    private func answers(_ queue: DatabaseQueue, _ statements: String...) throws -> [String] {
      var answers: [String] = []
      try? queue.blockingWithoutTransaction { db in
        for sql in statements {
          do {
            try db.execute(sql: sql)
            answers.append("ok")
          } catch let error as DatabaseError {
            #expect(error.isDatabaseSuspensionError)
            #expect(error.sql == sql)
            answers.append("\(error.resultCode.rawValue) \(error.message ?? "")")
          }
        }
      }
      return answers
    }

    private static let refused = "4 Database is suspended"
    private static let aborted = "4 Transaction was aborted"

    // MARK: - Rollback mode

    @Test(arguments: [
      "BEGIN TRANSACTION", "BEGIN DEFERRED TRANSACTION", "BEGIN IMMEDIATE TRANSACTION",
      "BEGIN EXCLUSIVE TRANSACTION", "SAVEPOINT test", "SELECT * FROM t",
      "INSERT INTO t VALUES (1)",
    ])
    func withoutWriteAheadLogEveryLockIsRefused(sql: String) throws {
      let queue = try makeQueue(.default)
      suspend()
      #expect(try answers(queue, sql) == [Self.refused])
      resume()
      #expect(try count(queue) == 0)
    }

    // MARK: - Write-ahead-log mode

    @Test(arguments: [
      "BEGIN TRANSACTION", "BEGIN DEFERRED TRANSACTION", "SAVEPOINT test", "SELECT * FROM t",
    ])
    func withWriteAheadLogReadingIsAllowed(sql: String) throws {
      let queue = try makeQueue(.wal)
      suspend()
      #expect(try answers(queue, sql) == ["ok"])
      // The connection was closed right after.
      #expect(try HeldLocks.onDatabase(at: path) == [])
    }

    @Test(arguments: [
      "BEGIN IMMEDIATE TRANSACTION", "BEGIN EXCLUSIVE TRANSACTION", "INSERT INTO t VALUES (1)",
      "/* SELECT */ DELETE FROM t", "CREATE TABLE u (a)", "PRAGMA user_version = 3",
    ])
    func withWriteAheadLogWritingIsRefused(sql: String) throws {
      let queue = try makeQueue(.wal)
      suspend()
      #expect(try answers(queue, sql) == [Self.refused])
      #expect(try HeldLocks.onDatabase(at: path) == [])
    }

    @Test func endingATransactionIsAllowed() throws {
      let queue = try makeQueue(.wal)
      suspend()
      #expect(try answers(queue, "BEGIN", "COMMIT") == ["ok", "ok"])
      #expect(try answers(queue, "BEGIN", "ROLLBACK") == ["ok", "ok"])
      #expect(
        try answers(queue, "SAVEPOINT s", "ROLLBACK TO s", "RELEASE s") == ["ok", "ok", "ok"])
    }

    @Test func aRefusedWriteEndsItsTransactionPermanently() throws {
      let queue = try makeQueue(.wal)
      suspend()
      #expect(
        try answers(queue, "BEGIN", "SELECT 1", "INSERT INTO t VALUES (1)", "SELECT 1", "COMMIT")
          == ["ok", "ok", Self.refused, Self.aborted, Self.aborted])
      // The next access starts afresh.
      #expect(try answers(queue, "SELECT 1") == ["ok"])
    }

    @Test func aWriteIsRefusedAtItsStart() throws {
      let queue = try makeQueue(.wal)
      suspend()
      let error = try #require(throws: DatabaseError.self) {
        try queue.blockingWithoutTransaction { db in
          try db.inTransaction {
            try db.execute(sql: "INSERT INTO t VALUES (1)")
            return .commit
          }
        }
      }
      #expect(error.message == "Database is suspended")
      #expect(error.sql == "BEGIN IMMEDIATE TRANSACTION")
      resume()
      try queue.blockingWithoutTransaction { db in try db.execute(sql: "INSERT INTO t VALUES (1)") }
      #expect(try count(queue) == 1)
    }

    // MARK: - Accesses begun before

    @Test func aTransactionBegunBeforeTheSuspensionIsAborted() throws {
      let queue = try makeQueue(.wal)
      var answers: [String] = []
      try queue.blockingWithoutTransaction { db in
        try db.execute(sql: "BEGIN IMMEDIATE; INSERT INTO t VALUES (1)")
        suspend()
        #expect(try HeldLocks.onDatabase(at: path) == [])
        for sql in ["SELECT * FROM t", "COMMIT"] {
          do {
            try db.execute(sql: sql)
          } catch let error as DatabaseError {
            answers.append("\(error.resultCode.rawValue) \(error.message ?? "")")
          }
        }
      }
      #expect(answers == [Self.aborted, Self.aborted])
      resume()
      #expect(try count(queue) == 0)
    }

    @Test func aRunningStatementIsInterrupted() async throws {
      let queue = try makeQueue(.wal)
      let runs = Gate()
      let reader = OwnThread {
        try queue.read { db in
          db.trace { _ in runs.open() }
          return try Int.fetchOne(
            db,
            sql:
              "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
          )
        }
      }
      try await onOwnThread { runs.wait() }
      suspend()
      let error = await #expect(throws: DatabaseError.self) { _ = try await reader.value }
      #expect(error?.resultCode == .SQLITE_INTERRUPT)
      #expect(error?.message == "interrupted")
      #expect(error?.isDatabaseSuspensionError == true)
      resume()
      #expect(try count(queue) == 0)
    }

    @Test func suspendingAndResumingAreIdempotent() throws {
      let queue = try makeQueue(.wal)
      suspend()
      suspend()
      #expect(try answers(queue, "INSERT INTO t VALUES (1)") == [Self.refused])
      resume()
      resume()
      #expect(try answers(queue, "INSERT INTO t VALUES (1)") == ["ok"])
    }

    @Test func databasesWithoutTheFlagIgnoreTheNotifications() throws {
      let queue = try DatabaseQueue(path: path)
      suspend()
      try queue.blockingWithoutTransaction { db in try db.execute(sql: "CREATE TABLE u (a)") }
      resume()
    }

    /// GR-B6.
    @Test func anInterruptionByTheAppIsNotASuspension() throws {
      let queue = try makeQueue(.wal)
      let error = try #require(throws: DatabaseError.self) {
        try queue.blockingWithoutTransaction { db in
          db.add(
            function: DatabaseFunction("stop", argumentCount: 0) { _ in
              queue.interrupt()
              return 1
            })
          try db.execute(
            sql: "WITH RECURSIVE n (i) AS (SELECT stop() UNION ALL SELECT i FROM n) SELECT * FROM n"
          )
        }
      }
      #expect(error.resultCode == .SQLITE_INTERRUPT)
      #expect(!error.isDatabaseSuspensionError)
    }

    @Test func theReportStatesThatReadingIsAllowed() throws {
      let queue = try makeQueue(.wal)
      let report = queue.blockingSuspend()
      #expect(report.allowsReading)
      #expect(report.description.contains("reading stays allowed"))
    }

    /// A snapshot would keep a lock for as long as it lives.
    @Test func snapshotsCannotReadDuringASuspension() async throws {
      let pool = try DatabasePool(path: path, configuration: configuration)
      try await pool.write { db in try db.execute(sql: "CREATE TABLE t (a)") }
      let snapshot = try await onOwnThread { try pool.makeSnapshot() }
      suspend()
      let ended = await #expect(throws: DatabaseError.self) { try await snapshot.read { _ in } }
      #expect(ended?.message == "The snapshot ended when its database was suspended")
      let refused = await #expect(throws: DatabaseError.self) {
        _ = try await onOwnThread { try pool.makeSnapshot() }
      }
      #expect(refused?.message == "Database is suspended")
      #expect(try HeldLocks.onDatabase(at: path) == [])
      resume()
      #expect(throws: DatabaseError.self) { try snapshot.blockingRead { _ in } }
    }
  }
}
