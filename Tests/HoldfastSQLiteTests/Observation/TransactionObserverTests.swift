import Foundation
import HoldfastSQLite
import HoldfastTestSupport
import Testing

@Suite struct TransactionObserverTests {
  /// Runs the closure with a database of two tables and the diary of an observer.
  private func withDiary(_ body: (Database, TransactionDiary) throws -> Void) throws {
    try Connection.inMemory { db throws in
      try db.execute(
        sql: """
          CREATE TABLE t (id INTEGER PRIMARY KEY, a UNIQUE);
          CREATE TABLE child (id INTEGER PRIMARY KEY, t REFERENCES t ON DELETE CASCADE);
          """)
      let diary = TransactionDiary()
      db.add(transactionObserver: diary)
      try body(db, diary)
    }
  }

  // MARK: - Events

  @Test func rowsAndTheCommitAreReported() throws {
    try withDiary { db, diary throws in
      try db.execute(sql: "INSERT INTO t VALUES (1, 'x')")
      #expect(diary.take() == ["insert t 1", "will commit", "commit"])
      try db.inTransaction {
        try db.execute(sql: "INSERT INTO t VALUES (2, 'y')")
        try db.execute(sql: "UPDATE t SET a = 'z' WHERE id = 1; DELETE FROM t WHERE id = 2")
        #expect(diary.take() == ["insert t 2", "update t 1", "delete t 2"])
        return .commit
      }
      #expect(diary.take() == ["will commit", "commit"])
    }
  }

  @Test func actionsOfForeignKeysAndTriggersAreReported() throws {
    try withDiary { db, diary throws in
      try db.execute(
        sql: """
          INSERT INTO t VALUES (1, 'x'); INSERT INTO child VALUES (5, 1);
          CREATE TRIGGER log AFTER DELETE ON child BEGIN INSERT INTO t VALUES (9, 'log'); END
          """)
      _ = diary.take()
      diary.observed = { $0.tableName == "child" || $0 == .insert(tableName: "t") }
      try db.execute(sql: "DELETE FROM t WHERE id = 1")
      #expect(diary.take() == ["delete child 5", "insert t 9", "will commit", "commit"])
    }
  }

  @Test func unobservedEventsAreNotReported() throws {
    try withDiary { db, diary throws in
      var asked: [DatabaseEventKind] = []
      diary.observed = { kind in
        asked.append(kind)
        return kind.tableName == "child"
      }
      try db.execute(sql: "INSERT INTO t VALUES (1, 'x')")
      #expect(diary.take() == ["will commit", "commit"])
      #expect(asked.contains(.insert(tableName: "t")))
      asked = []
      try db.execute(sql: "UPDATE t SET a = 'y'")
      #expect(asked.contains(.update(tableName: "t", columnNames: ["a"])))
      asked = []
      _ = try Int.fetchAll(db, sql: "SELECT id FROM t")
      #expect(asked.isEmpty)
    }
  }

  @Test func aDeletionOfAllRowsIsReportedRowByRow() throws {
    try withDiary { db, diary throws in
      let early = try db.makeStatement(sql: "DELETE FROM child")
      try db.execute(
        sql: "PRAGMA foreign_keys = OFF; INSERT INTO child VALUES (1, NULL), (2, NULL)")
      _ = diary.take()
      diary.observed = { $0.tableName == "t" }
      try early.execute()
      #expect(diary.take() == ["will commit", "commit"])
      #expect(db.changesCount == 2)
      diary.observed = { _ in true }
      try db.execute(sql: "INSERT INTO child VALUES (1, NULL), (2, NULL)")
      _ = diary.take()
      try early.execute()
      #expect(diary.take() == ["delete child 1", "delete child 2", "will commit", "commit"])
      // DROP TABLE makes the same authorizer calls, and must not be ignored.
      try db.execute(sql: "DROP TABLE child")
      let exists = try db.tableExists("child")
      #expect(!exists)
      try db.execute(sql: "CREATE TABLE child (id INTEGER PRIMARY KEY)")
      try db.execute(sql: "INSERT INTO child VALUES (1), (2)")
      _ = diary.take()
      try db.execute(sql: "DELETE FROM child")
      #expect(diary.take() == ["delete child 1", "delete child 2", "will commit", "commit"])
    }
  }

  @Test(.enabled(if: hasPreUpdateHook, "this SQLite has no pre-update hook"))
  func replacedRowsAreReported() throws {
    try withDiary { db, diary throws in
      try db.execute(sql: "INSERT INTO t VALUES (1, 'x'), (2, 'y'), (3, 'z')")
      _ = diary.take()
      try db.execute(sql: "REPLACE INTO t VALUES (4, 'x')")
      #expect(diary.take() == ["delete t 1", "insert t 4", "will commit", "commit"])
      try db.execute(sql: "UPDATE OR REPLACE t SET a = 'z' WHERE id = 2")
      #expect(diary.take() == ["delete t 3", "update t 2", "will commit", "commit"])
      try db.execute(sql: "DELETE FROM t")
      #expect(diary.take() == ["delete t 2", "delete t 4", "will commit", "commit"])
      try db.execute(sql: "INSERT INTO t VALUES (1, 'x')")
      _ = diary.take()
      diary.observed = { $0 == .delete(tableName: "t") }
      try db.execute(sql: "REPLACE INTO t VALUES (2, 'x')")
      #expect(diary.take() == ["delete t 1", "will commit", "commit"])
    }
  }

  private static let hasPreUpdateHook: Bool = {
    let options = try? Connection.inMemory { db in
      try String.fetchAll(db, sql: "PRAGMA compile_options")
    }
    return options?.contains("ENABLE_PREUPDATE_HOOK") == true
  }()

  @Test func eventsCanBeCopied() throws {
    try withDiary { db, diary throws in
      var kept: [DatabaseEvent] = []
      diary.onEvent = { _, event in kept.append(event.copy()) }
      try db.execute(sql: "ATTACH ':memory:' AS other; CREATE TABLE other.u (x)")
      try db.execute(sql: "INSERT INTO other.u VALUES (1); INSERT INTO t VALUES (7, 'x')")
      try db.execute(sql: "PRAGMA foreign_keys = OFF; DROP TABLE t")
      try db.execute(sql: "CREATE TABLE a_table_with_a_rather_long_name (x)")
      try db.execute(sql: "INSERT INTO a_table_with_a_rather_long_name VALUES (1)")
      #expect(kept.map(\.databaseName) == ["other", "main", "main"])
      #expect(kept.map(\.tableName) == ["u", "t", "a_table_with_a_rather_long_name"])
      #expect(kept.map(\.rowID) == [1, 7, 1])
    }
  }

  // MARK: - Savepoints

  @Test func changesRolledBackToASavepointAreNotReported() throws {
    try withDiary { db, diary throws in
      try db.inTransaction {
        try db.execute(sql: "INSERT INTO t VALUES (1, 'a'); SAVEPOINT One")
        #expect(diary.take() == ["insert t 1"])
        try db.execute(
          sql: """
            INSERT INTO t VALUES (2, 'b'); SAVEPOINT two; INSERT INTO t VALUES (3, 'c');
            ROLLBACK TO two; INSERT INTO t VALUES (4, 'd'); RELEASE two; INSERT INTO t VALUES (5, 'e')
            """)
        #expect(diary.take() == [])
        try db.execute(sql: "RELEASE one")
        #expect(diary.take() == ["insert t 2", "insert t 4", "insert t 5"])
        try db.execute(sql: "SAVEPOINT one; DELETE FROM t; ROLLBACK TO one; RELEASE one")
        #expect(diary.take() == [])
        try db.execute(sql: "SAVEPOINT one; SAVEPOINT two; INSERT INTO t VALUES (6, 'f')")
        try db.execute(sql: "RELEASE one")
        #expect(diary.take() == ["insert t 6"])
        try db.execute(sql: "SAVEPOINT One; SAVEPOINT two; ROLLBACK TO oNE")
        try db.execute(sql: "DELETE FROM t WHERE id = 6")
        #expect(diary.take() == [])
        try db.execute(sql: "RELEASE ONE")
        #expect(diary.take() == ["delete t 6"])
        return .commit
      }
      #expect(diary.take() == ["will commit", "commit"])
    }
  }

  @Test func aSavepointCanBeTheTransaction() throws {
    try withDiary { db, diary throws in
      try db.execute(sql: "SAVEPOINT s; INSERT INTO t VALUES (1, 'a')")
      #expect(diary.take() == [])
      try db.execute(sql: "RELEASE s")
      #expect(diary.take() == ["insert t 1", "will commit", "commit"])
      try db.execute(sql: "SAVEPOINT s; INSERT INTO t VALUES (2, 'b'); COMMIT")
      #expect(diary.take() == ["insert t 2", "will commit", "commit"])
      try db.execute(sql: "BEGIN; DELETE FROM t WHERE id = 2")
      #expect(diary.take() == ["delete t 2"])
      try db.commit()
      #expect(diary.take() == ["will commit", "commit"])
      try db.execute(sql: "SAVEPOINT s; RELEASE s")
      #expect(diary.take() == ["will commit", "commit"])
    }
  }

  // MARK: - Ends

  @Test func rollbacksAreReported() throws {
    try withDiary { db, diary throws in
      try db.inTransaction {
        try db.execute(sql: "INSERT INTO t VALUES (1, 'x')")
        return .rollback
      }
      #expect(diary.take() == ["insert t 1", "rollback"])
      try db.execute(sql: "INSERT INTO t VALUES (1, 'x')")
      _ = diary.take()
      // An automatic rollback by SQLite.
      try db.beginTransaction()
      _ = try databaseError {
        try db.execute(sql: "INSERT OR ROLLBACK INTO t VALUES (2, 'x')")
      }
      #expect(diary.take() == ["rollback"])
      // A failed statement outside a transaction is not a transaction.
      _ = try databaseError { try db.execute(sql: "INSERT INTO t VALUES (2, 'x')") }
      #expect(diary.take() == [])
    }
  }

  @Test func transactionsWithoutWritesAreReported() throws {
    try withDiary { db, diary throws in
      for kind in [Database.TransactionKind.deferred, .immediate] {
        try db.inTransaction(kind) { .commit }
        #expect(diary.take() == ["will commit", "commit"])
      }
      try db.inTransaction(.deferred) { .rollback }
      #expect(diary.take() == ["rollback"])
    }
  }

  @Test func readsAreNotReported() throws {
    let connection = try Connection()
    let diary = TransactionDiary()
    try connection.withAccess { db in db.add(transactionObserver: diary) }
    try connection.database.withAccess(isReadOnly: true) { db in
      try db.inTransaction(.deferred) { .commit }
      try db.inTransaction(.deferred) { .rollback }
    }
    #expect(diary.take() == [])
  }

  @Test func anErrorBeforeTheCommitRollsBack() throws {
    try withDiary { db, diary throws in
      diary.willCommit = { throw Unexpected(sentence: "no") }
      #expect(throws: Unexpected.self) { try db.execute(sql: "INSERT INTO t VALUES (1, 'x')") }
      #expect(diary.take() == ["insert t 1", "will commit", "rollback"])
      #expect(throws: Unexpected.self) {
        try db.inTransaction {
          try db.execute(sql: "INSERT INTO t VALUES (1, 'x')")
          return .commit
        }
      }
      #expect(diary.take() == ["insert t 1", "will commit", "rollback"])
      #expect(!db.isInsideTransaction)
      #expect(throws: Unexpected.self) {
        try db.beginTransaction(.deferred)
        try db.commit()
      }
      #expect(diary.take() == ["will commit", "rollback"])
      diary.willCommit = {}
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM t") == 0)
    }
  }

  @Test func aFailedCommitIsNotReported() throws {
    try withDiary { db, diary throws in
      try db.execute(sql: "CREATE TABLE late (t REFERENCES t DEFERRABLE INITIALLY DEFERRED)")
      _ = diary.take()
      try db.beginTransaction()
      try db.execute(sql: "INSERT INTO late VALUES (9)")
      _ = try databaseError { try db.commit() }
      #expect(diary.take() == ["insert late 1"])
      try db.execute(sql: "INSERT INTO t VALUES (9, 'x')")
      try db.commit()
      #expect(diary.take() == ["insert t 9", "will commit", "commit"])
    }
  }

  @Test func aCommitBlockedByAReaderIsNotReported() throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("a.db").path
    var configuration = Configuration()
    configuration.busyMode = .immediateError
    let writer = try Connection(path, configuration)
    let reader = try Connection(path, configuration)
    let diary = TransactionDiary()
    try writer.withAccess { db in
      try db.execute(sql: "CREATE TABLE t (a)")
      db.add(transactionObserver: diary)
    }
    try reader.withAccess { db in
      try db.beginTransaction(.deferred)
      _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM t")
    }
    try writer.withAccess { db in
      try db.beginTransaction()
      try db.execute(sql: "INSERT INTO t VALUES (1)")
      let error = try databaseError { try db.commit() }
      #expect(error.resultCode == .SQLITE_BUSY)
      #expect(diary.take() == ["insert t 1"])
    }
    try reader.withAccess { db in try db.commit() }
    try writer.withAccess { db in try db.commit() }
    #expect(diary.take() == ["will commit", "commit"])
  }

  @Test func anObserverCanWriteAfterTheCommit() throws {
    try withDiary { db, diary throws in
      var pending = 2
      func writeAgain(_ db: Database) {
        guard pending > 0 else { return }
        pending -= 1
        db.afterNextTransaction { db in writeAgain(db) }
        #expect(throws: Never.self) {
          try db.execute(sql: "INSERT INTO t (a) VALUES (?)", arguments: [pending])
        }
      }
      db.afterNextTransaction { db in writeAgain(db) }
      try db.execute(sql: "INSERT INTO t (a) VALUES ('first')")
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM t") == 3)
      #expect(diary.take().filter { $0 == "commit" }.count == 3)
    }
  }

  // MARK: - Extents

  @Test func observersAreNotifiedForTheirExtent() throws {
    try Connection.inMemory { db throws in
      try db.execute(sql: "CREATE TABLE t (a)")
      var journal: [String] = []
      func observe(_ name: String, _ extent: Database.TransactionObservationExtent)
        -> TransactionDiary
      {
        let diary = TransactionDiary()
        diary.willCommit = { journal.append(name) }
        db.add(transactionObserver: diary, extent: extent)
        return diary
      }
      do {
        let mine = observe("lifetime", .observerLifetime)
        _ = observe("next", .nextTransaction)
        _ = observe("database", .databaseLifetime)
        try db.execute(sql: "INSERT INTO t VALUES (1)")
        #expect(journal == ["lifetime", "next", "database"])
        journal = []
        try db.execute(sql: "INSERT INTO t VALUES (1)")
        withExtendedLifetime(mine) {}
      }
      #expect(journal == ["lifetime", "database"])
      journal = []
      try db.execute(sql: "INSERT INTO t VALUES (1)")
      #expect(journal == ["database"])
    }
  }

  @Test func observersCanBeRemoved() throws {
    try withDiary { db, diary throws in
      db.remove(transactionObserver: diary)
      try db.execute(sql: "INSERT INTO t VALUES (1, 'x')")
      #expect(diary.take() == [])
    }
  }

  @Test func theEndOfTheNextTransactionIsReportedOnce() throws {
    try withDiary { db, _ throws in
      var ends: [String] = []
      func wait() {
        db.afterNextTransaction { _ in
          ends.append("commit")
        } onRollback: { _ in
          ends.append("rollback")
        }
      }
      wait()
      try db.inTransaction { .rollback }
      #expect(ends == ["rollback"])
      try db.inTransaction {
        wait()
        try db.inSavepoint {
          wait()
          return .rollback
        }
        #expect(ends == ["rollback"])
        return .commit
      }
      #expect(ends == ["rollback", "commit", "commit"])
      try db.execute(sql: "INSERT INTO t VALUES (1, 'x')")
      #expect(ends.count == 3)
    }
  }

  @Test func anObserverCanStopForTheRestOfTheTransaction() throws {
    try withDiary { db, diary throws in
      diary.onEvent = { diary, _ in diary.stopObservingDatabaseChangesUntilNextTransaction() }
      try db.inTransaction {
        try db.execute(sql: "INSERT INTO t VALUES (1, 'x'), (2, 'y'); DELETE FROM t")
        return .commit
      }
      #expect(diary.take() == ["insert t 1", "will commit", "commit"])
      try db.execute(sql: "SAVEPOINT s; INSERT INTO t VALUES (1, 'x'), (2, 'y'); RELEASE s")
      #expect(diary.take() == ["insert t 1", "will commit", "commit"])
    }
  }

  /// An observer of one connection may change another one, which has observers too.
  @Test func anObserverCanStopAfterItChangedAnotherConnection() throws {
    try withDiary { db, diary throws in
      try Connection.inMemory { other throws in
        try other.execute(sql: "CREATE TABLE log (a)")
        let otherDiary = TransactionDiary()
        other.add(transactionObserver: otherDiary)
        diary.onEvent = { diary, _ in
          do { try other.execute(sql: "INSERT INTO log VALUES (1)") } catch { Issue.record(error) }
          diary.stopObservingDatabaseChangesUntilNextTransaction()
        }
        try db.execute(sql: "INSERT INTO t VALUES (1, 'x'), (2, 'y')")
        #expect(diary.take() == ["insert t 1", "will commit", "commit"])
        #expect(otherDiary.take() == ["insert log 1", "will commit", "commit"])
      }
    }
  }

  @Test func stoppingOutsideAChangeTraps() async {
    await #expect(processExitsWith: .failure) {
      TransactionDiary().stopObservingDatabaseChangesUntilNextTransaction()
    }
  }

  @Test func observingTheEndOfAReadTraps() async {
    await #expect(processExitsWith: .failure) {
      try Connection().database.withAccess(isReadOnly: true) { db in
        db.afterNextTransaction { _ in }
      }
    }
  }

  // MARK: - Changes that SQLite does not see

  @Test func changesCanBeNotifiedManually() throws {
    try withDiary { db, diary throws in
      diary.observed = { $0.tableName == "child" }
      try db.notifyChanges(in: DatabaseRegion(table: "t"))
      #expect(diary.take() == ["will commit", "commit"])
      try db.notifyChanges(in: .fullDatabase)
      #expect(diary.take() == ["change", "will commit", "commit"])
      try db.inTransaction {
        try db.notifyChanges(in: DatabaseRegion(table: "CHILD"))
        #expect(diary.take() == ["change"])
        return .commit
      }
      #expect(diary.take() == ["will commit", "commit"])
    }
  }

  @Test func changesOfTemporaryTablesAndColumnsCanBeNotifiedManually() throws {
    try withDiary { db, diary throws in
      try db.execute(sql: "CREATE TEMP TABLE draft (a, b)")
      diary.observed = { $0 == .update(tableName: "draft", columnNames: ["b"]) }
      _ = diary.take()
      try db.notifyChanges(in: DatabaseRegion(table: "draft", columns: ["b"]))
      #expect(diary.take() == ["change", "will commit", "commit"])
    }
  }

  @Test func notifiedChangesHaveTheKindsOfTheirColumnsAndSchemas() throws {
    try withDiary { db, diary throws in
      try db.execute(
        sql: """
          ATTACH ':memory:' AS other; CREATE TABLE other.far (a, b AS (a + 1));
          CREATE TEMP TABLE draft (a); CREATE VIRTUAL TABLE search USING fts5(a)
          """)
      var kinds: [DatabaseEventKind] = []
      diary.observed = { kind in
        kinds.append(kind)
        return false
      }
      func notified(_ region: some DatabaseRegionConvertible) throws -> [String: Set<String>] {
        kinds = []
        try db.notifyChanges(in: region)
        var columns: [String: Set<String>] = [:]
        for case .update(let table, let names) in kinds { columns[table] = names }
        for table in columns.keys {
          #expect(kinds.contains(.insert(tableName: table)))
          #expect(kinds.contains(.delete(tableName: table)))
        }
        return columns
      }
      let all = try notified(.fullDatabase)
      #expect(all["t"] == ["id", "a"] && all["far"] == ["a", "b"] && all["draft"] == ["a"])
      #expect(all["search"]?.isSuperset(of: ["a", "search"]) == true)
      #expect(all["sqlite_master"] == nil && all["sqlite_temp_master"] == nil)
      #expect(try notified(Table("far")) == ["far": ["a", "b"]])
      #expect(try notified(Table("T").select(Column("A"))) == ["t": ["a"]])
      #expect(try notified(Table("sqlite_master")).keys.sorted() == ["sqlite_master"])
      #expect(try notified(Table("sqlite_temp_master")).keys.sorted() == ["sqlite_temp_master"])
      #expect(try notified(Table("t").none()).isEmpty)
    }
  }

  @Test func aManualNotificationCanBeRefused() throws {
    try withDiary { db, diary throws in
      diary.willCommit = { throw Unexpected(sentence: "no") }
      #expect(throws: Unexpected.self) { try db.notifyChanges(in: .fullDatabase) }
      #expect(diary.take() == ["change", "will commit", "rollback"])
      diary.willCommit = {}
      try db.execute(sql: "INSERT INTO t VALUES (1, 'x')")
      #expect(diary.take() == ["insert t 1", "will commit", "commit"])
    }
  }

  @Test func aReadNotifiesNothing() throws {
    let connection = try Connection()
    let diary = TransactionDiary()
    try connection.withAccess { db in db.add(transactionObserver: diary) }
    try connection.database.withAccess(isReadOnly: true) { db in
      try db.notifyChanges(in: .fullDatabase)
      db.add(transactionObserver: diary)
    }
    #expect(diary.take() == [])
    try connection.withAccess { db in try db.inTransaction { .commit } }
    #expect(diary.take() == ["will commit", "commit"])
  }

  @Test func aRegionIsAffectedByItsEvents() throws {
    try withDiary { db, diary throws in
      let some = DatabaseRegion(table: "T", rowIDs: [1, 3])
      let all = DatabaseRegion(table: "T")
      let other = DatabaseRegion(table: "child")
      var touched: [String] = []
      diary.onEvent = { _, event in
        for (name, region) in [("some", some), ("all", all), ("other", other)]
        where region.isModified(by: event) {
          touched.append("\(name) \(event.rowID)")
        }
        #expect(DatabaseRegion.fullDatabase.isModified(by: event))
        #expect(!DatabaseRegion().isModified(by: event))
      }
      try db.execute(sql: "INSERT INTO t VALUES (1, 'x'), (2, 'y')")
      #expect(touched == ["some 1", "all 1", "all 2"])
    }
  }

  @Test func statementsContinueWhileAnObserverIsAddedAndRemoved() throws {
    try Connection.inMemory { db throws in
      try db.execute(sql: "CREATE TABLE t (a); INSERT INTO t VALUES (1), (2), (3)")
      let cursor = try Int.fetchCursor(db, sql: "SELECT a FROM t")
      #expect(try cursor.next() == 1)
      let diary = TransactionDiary()
      db.add(transactionObserver: diary)
      try db.execute(sql: "DELETE FROM t WHERE a = 3")
      db.remove(transactionObserver: diary)
      #expect(try cursor.next() == 2)
      #expect(try cursor.next() == nil)
      #expect(diary.take() == ["delete t 3", "will commit", "commit"])
    }
  }

  @Test func aWriteThatReturnsRowsIsReportedWhenItEnds() throws {
    try withDiary { db, diary throws in
      let id = try Int.fetchOne(db, sql: "INSERT INTO t (a) VALUES ('x'), ('y') RETURNING id")
      #expect(id == 1)
      #expect(diary.take() == ["insert t 1", "insert t 2", "will commit", "commit"])
    }
  }
}
