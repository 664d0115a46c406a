import Foundation
import HoldfastSQLite
import HoldfastTestSupport
import Testing

/// Transactions that end before the closure to which they belong.
///
/// - SeeAlso: <https://www.sqlite.org/lang_transaction.html>
@Suite final class AbortedTransactionTests {
  /// A cause of an early end of a transaction.
  enum Cause: String, CaseIterable {
    case conflict, trigger, interruption, fullDisk, rollbackStatement, rollbackCall

    /// A Boolean value that indicates whether SQLite rolls back automatically, after an error.
    var isAnError: Bool { self != .rollbackStatement && self != .rollbackCall }

    func end(_ db: Database, leavesAnotherOpen: Bool = false) throws {
      switch self {
      case .conflict:
        _ = try databaseError { try db.execute(sql: "INSERT INTO t VALUES (1)") }
      case .trigger:
        _ = try databaseError { try db.execute(sql: "INSERT INTO refused VALUES (1)") }
      case .interruption:
        let error = try databaseError { try db.execute(sql: "INSERT INTO t SELECT interrupt()") }
        #expect(error.resultCode == .SQLITE_INTERRUPT)
      case .fullDisk:
        let error = try databaseError {
          try db.execute(sql: "INSERT INTO t VALUES (zeroblob(1000000))")
        }
        #expect(error.resultCode == .SQLITE_FULL)
      case .rollbackStatement:
        try db.execute(sql: "ROLLBACK")
      case .rollbackCall:
        try db.rollback()
      }
      #expect(db.isInsideTransaction == leavesAnotherOpen)
    }
  }

  /// The scope to which a transaction belongs.
  enum Owner: String, CaseIterable {
    case write, inTransaction, outermostSavepoint, nestedSavepoint

    func run(_ db: Database, _ body: () throws -> Void) throws {
      switch self {
      case .write:
        try db.transaction(nil) { _ in try body() }
      case .inTransaction:
        try db.inTransaction { () throws in
          try body()
          return .commit
        }
      case .outermostSavepoint:
        try db.inSavepoint { () throws in
          try body()
          return .commit
        }
      case .nestedSavepoint:
        try db.inTransaction { () throws in
          try db.inSavepoint { () throws in
            try body()
            return .commit
          }
          return .commit
        }
      }
    }
  }

  private let folder: TemporaryDirectory
  private let connection: Connection
  private let other: Connection

  init() throws {
    folder = try TemporaryDirectory()
    let path = folder.file("t.db").path
    connection = try Connection(path)
    other = try Connection(path)
    try connection.withAccess { db throws in
      try db.turnOnWriteAheadLog()
      try db.execute(
        sql: """
          CREATE TABLE t (a UNIQUE ON CONFLICT ROLLBACK);
          INSERT INTO t VALUES (1);
          CREATE TABLE refused (a);
          CREATE TRIGGER refusal BEFORE INSERT ON refused BEGIN
            SELECT raise(ROLLBACK, 'refused');
          END;
          PRAGMA max_page_count = 20;
          """)
      let interruption = db.interruption
      db.add(
        function: DatabaseFunction("interrupt", argumentCount: 0) { _ in
          interruption.interruptStatement()
          return 9
        })
    }
  }

  // The function holds the connection that has it.
  deinit { connection.database.close() }

  /// The rows that are visible to other connections.
  private func committed() throws -> [Int] {
    try other.withAccess { try Int.fetchAll($0, sql: "SELECT a FROM t ORDER BY a") }
  }

  private func expectAbort(
    _ what: String, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
  ) {
    let error = #expect(throws: DatabaseError.self, "\(what)", sourceLocation: sourceLocation) {
      try body()
    }
    #expect(error?.resultCode == .SQLITE_ABORT, "\(what)", sourceLocation: sourceLocation)
    #expect(
      error?.message == "Transaction was aborted", "\(what)", sourceLocation: sourceLocation)
    #expect(error?.isDatabaseSuspensionError == false, "\(what)", sourceLocation: sourceLocation)
  }

  @Test(arguments: Cause.allCases, Owner.allCases)
  func nothingRunsAfterTheTransactionEnded(cause: Cause, owner: Owner) throws {
    try connection.withAccess { db throws in
      let kept = try db.makeStatement(sql: "INSERT INTO t VALUES (7)")
      expectAbort("the end") {
        try owner.run(db) { () throws in
          try db.execute(sql: "INSERT INTO t VALUES (2)")
          try cause.end(db)
          for sql in [
            "INSERT INTO t VALUES (3)", "SELECT a FROM t", "PRAGMA user_version = 4", "BEGIN",
            "BEGIN IMMEDIATE", "SAVEPOINT s", "RELEASE s", "ROLLBACK TO s", "ROLLBACK", "COMMIT",
            "CREATE TABLE u (a)", "/* b */ -- e\n begin", "ATTACH ':memory:' AS m",
          ] {
            expectAbort(sql) { try db.execute(sql: sql) }
          }
          expectAbort("a kept statement") { try kept.execute() }
          expectAbort("a fetch") { _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM t") }
          expectAbort("inSavepoint") { try insertInSavepoint(5, db) }
          expectAbort("inTransaction") { try insertInTransaction(6, db) }
          expectAbort("beginTransaction") { try db.beginTransaction() }
          expectAbort("commit") { try db.commit() }
          expectAbort("checkpoint") { try db.checkpoint() }
          expectAbort("notifyChanges") { try db.notifyChanges(in: DatabaseRegion(table: "t")) }
          // There is nothing left to roll back.
          try db.rollback()
        }
      }
      #expect(!db.isInsideTransaction)
      // The closure has ended, and with it the transaction that it expected.
      try db.execute(sql: "INSERT INTO t VALUES (8)")
    }
    #expect(try committed() == [1, 8])
  }

  @Test(arguments: Cause.allCases)
  func aRequestedRollbackIsNotAnError(cause: Cause) throws {
    try connection.withAccess { db throws in
      try db.inTransaction { () throws in
        try db.execute(sql: "INSERT INTO t VALUES (2)")
        try cause.end(db)
        return .rollback
      }
    }
    #expect(try committed() == [1])
  }

  @Test(
    arguments: Cause.allCases.filter(\.isAnError), ["BEGIN", "begin immediate", "SAVEPOINT s"])
  func aTransactionBegunBySQLStaysEndedUntilAnotherBegins(
    cause: Cause, beginning: String
  ) throws {
    let statements = [
      "INSERT INTO t VALUES (3)", "SELECT a FROM t", "SAVEPOINT s", "RELEASE s",
      "ROLLBACK TO s", "rollback /* */ transaction to savepoint s", "COMMIT", "END",
    ]
    try connection.withAccess { db throws in
      try db.execute(sql: beginning)
      try db.execute(sql: "INSERT INTO t VALUES (2)")
      try cause.end(db)
      for sql in statements { expectAbort(sql) { try db.execute(sql: sql) } }
      // Intended as part of the aborted transaction.
      expectAbort("inSavepoint") { try insertInSavepoint(3, db) }
      try db.execute(sql: "BEGIN; INSERT INTO t VALUES (4); ROLLBACK; INSERT INTO t VALUES (5)")
    }
    #expect(try committed() == [1, 5])
  }

  @Test(arguments: Cause.allCases.filter(\.isAnError))
  func statementsRunAfterTheRollbackIsAcknowledged(cause: Cause) throws {
    try connection.withAccess { db throws in
      try db.beginTransaction()
      try cause.end(db)
      try insertInTransaction(6, db)
      try db.beginTransaction()
      try cause.end(db)
      try db.rollback()
      try db.execute(sql: "INSERT INTO t VALUES (7)")
      try db.beginTransaction()
      try cause.end(db)
      _ = try databaseError { try db.execute(sql: "ROLLBACK") }
      try db.execute(sql: "INSERT INTO t VALUES (8)")
      try db.beginTransaction()
      try cause.end(db)
    }
    // An access does not inherit the expectation of the previous one.
    try connection.withAccess { db throws in try db.execute(sql: "INSERT INTO t VALUES (9)") }
    #expect(try committed() == [1, 6, 7, 8, 9])
  }

  private func insertInTransaction(_ a: Int, _ db: Database) throws {
    try db.inTransaction {
      try db.execute(sql: "INSERT INTO t VALUES (?)", arguments: [a])
      return .commit
    }
  }

  private func insertInSavepoint(_ a: Int, _ db: Database) throws {
    try db.inSavepoint {
      try db.execute(sql: "INSERT INTO t VALUES (?)", arguments: [a])
      return .commit
    }
  }

  @Test func aTransactionThatSQLEndedIsOver() throws {
    try connection.withAccess { db throws in
      for end in ["COMMIT", "END TRANSACTION", "ROLLBACK", "rollback transaction"] {
        try db.execute(sql: "BEGIN; DELETE FROM t; \(end); INSERT INTO t VALUES (2)")
        try db.execute(sql: "DELETE FROM t; INSERT INTO t VALUES (1)")
      }
      try db.execute(
        sql: """
          SAVEPOINT s; INSERT INTO t VALUES (2); SAVEPOINT t; INSERT INTO t VALUES (3);
          ROLLBACK TO t; RELEASE t; RELEASE s; INSERT INTO t VALUES (4)
          """)
    }
    #expect(try committed() == [1, 2, 4])
  }

  @Test(arguments: ["COMMIT", "END", "end transaction", "-- now\nCOMMIT"])
  func aClosureCannotCommitPartOfItsTransaction(sql: String) throws {
    try connection.withAccess { db throws in
      for owner in Owner.allCases {
        #expect(throws: Unexpected.self) {
          try owner.run(db) { () throws in
            try db.execute(sql: "INSERT INTO t VALUES (2)")
            #expect(try databaseError { try db.execute(sql: sql) }.resultCode == .SQLITE_MISUSE)
            #expect(try databaseError { try db.commit() }.resultCode == .SQLITE_MISUSE)
            #expect(db.isInsideTransaction)
            throw Unexpected(sentence: "after the commit")
          }
        }
      }
    }
    #expect(try committed() == [1])
  }

  @Test(arguments: Cause.allCases)
  func aCursorDoesNotContinueWithoutItsTransaction(cause: Cause) throws {
    try connection.withAccess { db throws in
      try db.execute(sql: "INSERT INTO t VALUES (2), (3)")
      let outer = try Int.fetchCursor(db, sql: "SELECT a FROM t ORDER BY a")
      #expect(try outer.next() == 1)
      expectAbort("the end") {
        try db.inTransaction { () throws in
          let cursor = try Int.fetchCursor(db, sql: "SELECT a FROM t ORDER BY a DESC")
          #expect(try cursor.next() == 3)
          let statement = try db.makeStatement(sql: "SELECT a FROM t ORDER BY -a")
          let rows = try Row.fetchCursor(statement)
          #expect(try rows.next() != nil)
          try cause.end(db)
          expectAbort("a cursor") { _ = try cursor.next() }
          expectAbort("a cursor, once more") { _ = try cursor.next() }
          expectAbort("rows") { _ = try rows.next() }
          return .commit
        }
      }
      // An interruption ends every statement that is returning rows.
      if cause != .interruption { #expect(try outer.next() == 2) }
    }
  }

  @Test(arguments: Cause.allCases)
  func anObserverOfTheRollbackCanUseTheConnection(cause: Cause) throws {
    let observer = UsingObserver()
    try connection.withAccess { db throws in
      try db.execute(sql: "CREATE TABLE refusals (a)")
      db.add(transactionObserver: observer)
      for begins in [false, true] {
        observer.begins = begins
        expectAbort("the end") {
          try db.inTransaction { () throws in
            try db.execute(sql: "INSERT INTO t VALUES (2)")
            try cause.end(db, leavesAnotherOpen: begins)
            // Nor in the transaction that the observer began.
            expectAbort("a statement") { try db.execute(sql: "INSERT INTO t VALUES (3)") }
            return .commit
          }
        }
        #expect(!db.isInsideTransaction)
      }
      // The transaction begun by the observer was rolled back too.
      #expect(try observer.found.map { try $0.get() } == [1, 2, 3])
    }
    #expect(try committed() == [1])
  }

  @Test(arguments: Cause.allCases)
  func anObserverOfTheEndOfAnAbortedTransactionIsNotifiedOfTheRollback(cause: Cause) throws {
    let events = Journal<String>()
    try connection.withAccess { db throws in
      expectAbort("the end") {
        try db.inTransaction { () throws in
          try db.execute(sql: "INSERT INTO t VALUES (2)")
          try cause.end(db)
          db.afterNextTransaction(
            onCommit: { _ in events.append("commit") },
            onRollback: { _ in events.append("rollback") })
          return .commit
        }
      }
      try db.execute(sql: "INSERT INTO t VALUES (3)")
    }
    #expect(events.entries == ["rollback"])
  }
}

/// An observer that uses the connection on each rollback.
private final class UsingObserver: TransactionObserver {
  var begins = false
  var found: [Result<Int?, any Error>] = []
  func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
  func databaseDidChange(with event: DatabaseEvent) {}
  func databaseDidCommit(_ db: Database) {}
  func databaseDidRollback(_ db: Database) {
    found.append(
      Result {
        try db.inTransaction { () throws in
          try db.execute(sql: "INSERT INTO refusals VALUES (1)")
          return .commit
        }
        if begins { try db.beginTransaction() }
        begins = false
        return try Int.fetchOne(db, sql: "SELECT count(*) FROM refusals")
      })
  }
}
