import Foundation
import HoldfastSQLite
import HoldfastTestSupport
import Testing

@Suite struct TransactionTests {
  /// Runs the closure with a table and a function that counts its rows on another connection.
  private func withTable(
    _ body: (_ db: Database, _ committed: () throws -> Int?) throws -> Void
  ) throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("t.db").path
    let other = try Connection(path)
    try Connection(path).withAccess { db in
      try db.turnOnWriteAheadLog()
      try db.execute(
        sql: """
          CREATE TABLE parent (id INTEGER PRIMARY KEY);
          CREATE TABLE t (
            a UNIQUE, p REFERENCES parent (id) DEFERRABLE INITIALLY DEFERRED);
          """)
      try body(db) {
        try other.withAccess { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") }
      }
    }
  }

  private func insert(_ a: Int, _ db: Database) throws {
    try db.execute(sql: "INSERT INTO t (a) VALUES (?)", arguments: [a])
  }

  @Test func aTransactionCommitsAtomically() throws {
    try withTable { db, committed in
      try db.inTransaction {
        try insert(1, db)
        try insert(2, db)
        #expect(db.isInsideTransaction)
        #expect(try committed() == 0)
        return .commit
      }
      #expect(!db.isInsideTransaction)
      #expect(try committed() == 2)
    }
  }

  @Test func aTransactionIsRolledBackOnRequestAndOnAnError() throws {
    try withTable { db, committed in
      try db.inTransaction {
        try insert(1, db)
        return .rollback
      }
      #expect(throws: Unexpected.self) {
        try db.inTransaction {
          try insert(1, db)
          throw Unexpected(sentence: "first")
        }
      }
      #expect(!db.isInsideTransaction)
      #expect(try committed() == 0)
    }
  }

  /// SQLite takes the mark for a space, wherever a token may begin.
  @Test(arguments: ["\u{FEFF}COMMIT", " ;\u{FEFF}/**/\u{FEFF}\u{FEFF} end", "-- \n\u{FEFF}Commit"])
  func aByteOrderMarkLetsNoClosureCommitItsFirstHalf(commit: String) throws {
    try withTable { db, committed throws in
      #expect(throws: DatabaseError.self) {
        try db.inTransaction { () throws in
          try insert(1, db)
          try db.execute(sql: commit)
          return .commit
        }
      }
      #expect(try committed() == 0)
    }
  }

  @Test func kindsTakeTheirLocks() throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("t.db").path
    var configuration = Configuration()
    configuration.busyMode = .immediateError
    let other = try Connection(path, configuration)
    /// Returns what another connection can do: write, read, or nothing.
    func others() throws -> String {
      func may(_ sql: String) throws -> Bool {
        do {
          try other.withAccess { try $0.execute(sql: sql) }
          return true
        } catch ResultCode.SQLITE_BUSY {
          return false
        }
      }
      return try may("DELETE FROM t") ? "write" : may("SELECT * FROM t") ? "read" : "nothing"
    }
    try Connection(path, configuration).withAccess { db in
      try db.execute(sql: "CREATE TABLE t (a)")
      var seen: [String] = []
      for kind: Database.TransactionKind? in [.deferred, .immediate, .exclusive, nil] {
        try db.inTransaction(kind) {
          seen.append(try others())
          return .commit
        }
      }
      #expect(seen == ["write", "read", "nothing", "read"])
    }
    configuration.defaultTransactionKind = .exclusive
    try Connection(path, configuration).withAccess { db in
      try db.beginTransaction()
      #expect(try others() == "nothing")
      try db.rollback()
      #expect(try others() == "write")
    }
  }

  @Test func transactionsCanBeBegunAndEndedManually() throws {
    try withTable { db, committed in
      try db.beginTransaction()
      try insert(1, db)
      try db.commit()
      #expect(try committed() == 1)
      try db.beginTransaction(.deferred)
      try insert(2, db)
      try db.rollback()
      // No transaction is open, which is not an error.
      try db.rollback()
      _ = try databaseError { try db.commit() }
      #expect(try committed() == 1)
      try db.beginTransaction()
      _ = try databaseError { try db.beginTransaction() }
      try db.rollback()
    }
  }

  @Test func savepointsNest() throws {
    try withTable { db, committed in
      try db.inTransaction {
        try insert(1, db)
        try db.inSavepoint {
          try insert(2, db)
          try db.inSavepoint {
            try insert(3, db)
            return .rollback
          }
          #expect(throws: Unexpected.self) {
            try db.inSavepoint {
              try insert(4, db)
              throw Unexpected(sentence: "inside")
            }
          }
          try db.inSavepoint {
            try insert(5, db)
            return .commit
          }
          return .commit
        }
        return .commit
      }
      #expect(!db.isInsideTransaction)
      #expect(try Int.fetchAll(db, sql: "SELECT a FROM t ORDER BY a") == [1, 2, 5])
      #expect(try committed() == 3)
    }
  }

  /// ROLLBACK TO alone leaves its savepoint open, and the next transaction would commit nothing.
  @Test func aRolledBackSavepointIsReleased() throws {
    try withTable { db, committed in
      try db.inSavepoint {
        try insert(1, db)
        return .rollback
      }
      #expect(!db.isInsideTransaction)
      try db.inSavepoint {
        try insert(2, db)
        return .commit
      }
      #expect(try committed() == 1)
      try db.beginTransaction()
      try db.inSavepoint { .rollback }
      // No savepoint of that name remains inside.
      _ = try databaseError { try db.execute(sql: "RELEASE holdfast") }
      try db.rollback()
    }
  }

  @Test func anAutomaticRollbackIsNotMistakenForACommit() throws {
    try withTable { db, committed in
      try insert(1, db)
      for run in [db.inTransaction(_:_:), { _, body in try db.inSavepoint(body) }] {
        let error = try databaseError {
          try run(nil) {
            try insert(2, db)
            // The closure catches the error and continues without its transaction.
            _ = try databaseError {
              try db.execute(sql: "INSERT OR ROLLBACK INTO t (a) VALUES (1)")
            }
            return .commit
          }
        }
        #expect(error.resultCode == .SQLITE_ABORT)
        #expect(error.message == "Transaction was aborted")
        #expect(error.advice?.contains("ended before it was committed") == true)
      }
      let first = try databaseError {
        try db.inTransaction {
          try db.inSavepoint {
            try insert(2, db)
            try db.execute(sql: "INSERT OR ROLLBACK INTO t (a) VALUES (1)")
            return .commit
          }
          return .commit
        }
      }
      // The first error is the one that is thrown.
      #expect(first.resultCode == .SQLITE_CONSTRAINT)
      #expect(!db.isInsideTransaction)
      #expect(try committed() == 1)
    }
  }

  @Test func aFailedCommitRollsEverythingBack() throws {
    try withTable { db, committed in
      let error = try databaseError {
        try db.inTransaction {
          try db.execute(sql: "INSERT INTO t VALUES (1, 99)")
          return .commit
        }
      }
      #expect(error.extendedResultCode == .SQLITE_CONSTRAINT_FOREIGNKEY)
      #expect(error.sql == "COMMIT TRANSACTION")
      #expect(!db.isInsideTransaction)
      #expect(try committed() == 0)
    }
  }

  @Test func foreignKeysAreEnforcedUnlessTurnedOff() throws {
    try withTable { db, _ in
      #expect(throws: DatabaseError.self) { try db.execute(sql: "INSERT INTO t VALUES (1, 99)") }
    }
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    try Connection(nil, configuration).withAccess { db throws in
      #expect(try Int.fetchOne(db, sql: "PRAGMA foreign_keys") == 0)
    }
  }

  /// A statement that is returning rows keeps an interruption active, also for the rollback.
  @Test(arguments: ["SELECT count(*) FROM t", "INSERT INTO t (a) VALUES (4)"])
  func anInterruptedTransactionIsRolledBackDespiteAnOpenCursor(sql: String) throws {
    try withTable { db, committed in
      try insert(1, db)
      try insert(2, db)
      let cursor = try Int.fetchCursor(db, sql: "SELECT a FROM t")
      _ = try cursor.next()
      let error = try databaseError {
        try db.inTransaction {
          try insert(3, db)
          db.interrupt()
          try db.execute(sql: sql)
          return .commit
        }
      }
      #expect(error.resultCode == .SQLITE_INTERRUPT)
      #expect(!db.isInsideTransaction)
      #expect(try committed() == 2)
      db.resetActiveStatements()
      #expect(try cursor.next() == nil)
      try insert(5, db)
      #expect(try committed() == 3)
    }
  }

  /// So does the statement that a virtual table keeps to read its own content; the transaction goes on with it.
  @Test(arguments: [("fts5(a)", "('sea')"), ("rtree(id, low, high)", "(NULL, 2, 3)")])
  func anInterruptedSavepointIsRolledBackDespiteAVirtualTable(
    table: String, values: String
  ) throws {
    try Connection.inMemory { db throws in
      try db.execute(sql: "CREATE VIRTUAL TABLE v USING \(table)")
      let insertion = "INSERT INTO v VALUES \(values)"
      try db.inTransaction {
        try db.execute(sql: insertion)
        let error = try databaseError {
          try db.inSavepoint {
            try db.execute(sql: insertion)
            db.interrupt()
            try db.execute(sql: "SELECT 1")
            return .commit
          }
        }
        #expect(error.resultCode == .SQLITE_INTERRUPT)
        #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM v") == 1)
        try db.execute(sql: insertion)
        return .commit
      }
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM v") == 2)
      if table == "fts5(a)" {
        try db.execute(sql: "INSERT INTO v (v) VALUES ('integrity-check')")
        #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM v WHERE v MATCH 'sea'") == 2)
      }
    }
  }

  @Test func anOuterCursorContinuesAcrossTransactions() throws {
    try withTable { db, committed in
      for number in 1...3 { try insert(number, db) }
      // Inserted before the cursor's position, so that the cursor does not reach them.
      try Int.fetchCursor(db, sql: "SELECT a FROM t ORDER BY a").forEach { number in
        try db.inTransaction {
          try insert(-number, db)
          return number == 2 ? .rollback : .commit
        }
      }
      #expect(try Int.fetchAll(db, sql: "SELECT a FROM t ORDER BY a") == [-3, -1, 1, 2, 3])
      #expect(try committed() == 5)
    }
  }
}
