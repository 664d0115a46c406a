import Foundation
import HoldfastTestSupport
import Testing

@testable import Holdfast

/// Accesses whose transaction SQLite rolls back automatically.
@Suite struct AbortedWriteTests {
  enum Kind: String, CaseIterable { case queue, pool }

  private let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
  }

  private func makeWriter(_ kind: Kind) throws -> any DatabaseWriter {
    let path = folder.file("\(kind).db").path
    let writer: any DatabaseWriter =
      switch kind {
      case .queue: try DatabaseQueue(path: path)
      case .pool: try DatabasePool(path: path)
      }
    try writer.write { db throws in
      try db.execute(sql: "CREATE TABLE t (a UNIQUE ON CONFLICT ROLLBACK)")
    }
    return writer
  }

  private func insert(_ a: Int, _ db: Database) throws {
    try db.execute(sql: "INSERT INTO t VALUES (?)", arguments: [a])
  }

  /// Catches an error that rolls the transaction back, and continues.
  private func loseTransaction(_ db: Database) {
    #expect(throws: DatabaseError.self) {
      try insert(1, db)
      try insert(1, db)
    }
  }

  private func rows(_ writer: any DatabaseWriter) throws -> [Int] {
    try writer.read { db throws in try Int.fetchAll(db, sql: "SELECT a FROM t ORDER BY a") }
  }

  private func expectAbort(_ what: String, _ body: () throws -> Void) {
    let error = #expect(throws: DatabaseError.self, "\(what)") { try body() }
    #expect(error?.resultCode == .SQLITE_ABORT, "\(what)")
    #expect(error?.message == "Transaction was aborted", "\(what)")
  }

  @Test(arguments: Kind.allCases)
  func theRestOfAWriteDoesNotRunAfterAnAutomaticRollback(kind: Kind) throws {
    let writer = try makeWriter(kind)
    expectAbort("write") {
      try writer.write { db throws in
        loseTransaction(db)
        try insert(2, db)
      }
    }
    expectAbort("write that catches all") {
      try writer.write { db throws in
        loseTransaction(db)
        expectAbort("insert") { try insert(2, db) }
        expectAbort("read") { _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM t") }
      }
    }
    expectAbort("reentrant write") {
      try writer.write { db throws in
        loseTransaction(db)
        try writer.unsafeReentrantWrite { db throws in
          try db.inTransaction { () throws in
            try insert(2, db)
            return .commit
          }
        }
      }
    }
    expectAbort("inTransaction") {
      try writer.barrierWriteWithoutTransaction { db throws in
        try db.inTransaction { () throws in
          loseTransaction(db)
          try insert(2, db)
          return .commit
        }
      }
    }
    #expect(try rows(writer) == [])
    try writer.write { db throws in try insert(3, db) }
    #expect(try rows(writer) == [3])
  }

  @Test(arguments: Kind.allCases)
  func theRestOfAnAwaitedWriteDoesNotRunAfterAnAutomaticRollback(kind: Kind) async throws {
    let writer = try makeWriter(kind)
    let error = await #expect(throws: DatabaseError.self) {
      try await writer.write { db throws in
        loseTransaction(db)
        try insert(2, db)
      }
    }
    #expect(error?.resultCode == .SQLITE_ABORT)
    let events = Journal<String>()
    let isDone = Gate()
    writer.asyncWrite { db in
      loseTransaction(db)
      try insert(2, db)
    } completion: { db, result in
      if case .failure(let error as DatabaseError) = result {
        events.append("\(error.resultCode.rawValue)")
      }
      // It runs outside the aborted transaction.
      let rows = Result { try Int.fetchOne(db, sql: "SELECT count(*) FROM t") }
      events.append("\(rows)")
      isDone.open()
    }
    try await onOwnThread { isDone.wait() }
    #expect(events.entries == ["4", "success(Optional(0))"])
  }

  @Test(arguments: Kind.allCases)
  func anInterruptedWriteDoesNotContinue(kind: Kind) throws {
    let writer = try makeWriter(kind)
    expectAbort("write") {
      try writer.write { db throws in
        db.add(
          function: DatabaseFunction("interrupt", argumentCount: 0) { _ in
            writer.interrupt()
            return 9
          })
        try insert(1, db)
        let error = #expect(throws: DatabaseError.self) {
          try db.execute(sql: "INSERT INTO t SELECT interrupt()")
        }
        #expect(error?.resultCode == .SQLITE_INTERRUPT)
        try insert(2, db)
      }
    }
    #expect(try rows(writer) == [])
  }

  @Test(arguments: Kind.allCases)
  func aMigrationThatLosesItsTransactionChangesNothing(kind: Kind) throws {
    let writer = try makeWriter(kind)
    for checks in [DatabaseMigrator.ForeignKeyChecks.deferred, .immediate] {
      var migrator = DatabaseMigrator()
      migrator.registerMigration("m", foreignKeyChecks: checks) { db in
        try db.execute(sql: "CREATE TABLE made (a)")
        loseTransaction(db)
        try? db.execute(sql: "CREATE TABLE half (a)")
      }
      expectAbort("\(checks)") { try migrator.migrate(writer) }
      try writer.write { db throws in
        #expect(try !db.tableExists("made") && !db.tableExists("half"))
        #expect(try migrator.appliedMigrations(db) == [])
        #expect(try Bool.fetchOne(db, sql: "PRAGMA foreign_keys") == true)
      }
    }
  }

  @Test(arguments: Kind.allCases)
  func aReadDoesNotContinueWithoutItsSnapshot(kind: Kind) throws {
    let writer = try makeWriter(kind)
    expectAbort("read") {
      try writer.read { db throws in
        try db.execute(sql: "ROLLBACK")
        _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM t")
      }
    }
    expectAbort("unsafeRead") {
      try writer.unsafeRead { db throws in
        try db.inTransaction { () throws in
          try db.execute(sql: "SELECT * FROM t; ROLLBACK; SELECT * FROM t")
          return .commit
        }
      }
    }
  }

  // MARK: - Reads in a transaction

  @Test(arguments: Kind.allCases)
  func aTransactionInAReadBeginsWithoutTheWriteLock(kind: Kind) throws {
    let writer = try makeWriter(kind)
    func read(_ db: Database, isWrite: Bool = false) throws {
      for begin in [db.inSavepoint, { body in try db.inTransaction(nil, body) }] {
        try begin { () throws in
          #expect(db.isInsideTransaction)
          #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM t") == 0)
          let error = #expect(throws: DatabaseError.self) { try insert(1, db) }
          #expect(error?.resultCode == .SQLITE_READONLY)
          try db.inSavepoint { .rollback }
          return .commit
        }
      }
      try db.beginTransaction()
      try db.commit()
    }
    try writer.unsafeRead { db throws in try read(db) }
    try writer.unsafeReentrantRead { db throws in try read(db) }
    try writer.writeWithoutTransaction { db throws in
      try db.readOnly { try read(db) }
      try db.readOnly { try db.readOnly { try read(db) } }
      // The following write again holds its lock from the start.
      try db.inTransaction { () throws in
        try insert(2, db)
        return .rollback
      }
    }
    try writer.write { db throws in
      try db.readOnly { () throws in
        try db.inSavepoint { () throws in
          #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM t") == 0)
          return .commit
        }
      }
    }
    #expect(try rows(writer) == [])
  }

  @Test func aReadOnlyFileIsReadInATransaction() throws {
    let path = folder.file("queue.db").path
    try makeWriter(.queue).close()
    var configuration = Configuration()
    configuration.readonly = true
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.unsafeRead { db throws in
      try db.inTransaction { () throws in
        #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM t") == 0)
        return .commit
      }
    }
    let error = #expect(throws: DatabaseError.self) {
      try queue.write { db throws in try insert(1, db) }
    }
    #expect(error?.resultCode == .SQLITE_READONLY)
  }
}
