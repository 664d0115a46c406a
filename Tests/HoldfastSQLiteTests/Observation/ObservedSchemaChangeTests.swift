import HoldfastSQLite
import HoldfastTestSupport
import Testing

/// Schema changes while an observer or an authorizer listens: their effect must be the same.
@Suite struct ObservedSchemaChangeTests {
  /// A listener during the schema changes.
  enum Listener: String, CaseIterable {
    case observerOfEverything, observerOfDeletions, observerOfOneTable, observerThatStops
    case follower, followerOfRows, recorder, authorizer, authorizerAndObserver
  }

  private final class Follower: CommitObserver {
    func didCommit(_ changes: TransactionChanges, _ db: Database?) {}
  }

  private final class StoppingObserver: TransactionObserver {
    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
    func databaseDidChange(with event: DatabaseEvent) {
      stopObservingDatabaseChangesUntilNextTransaction()
    }
    func databaseDidCommit(_ db: Database) {}
    func databaseDidRollback(_ db: Database) {}
  }

  /// The scripts that run in each schema; `$` stands for its name and a period.
  private static let scripts = [
    // Tables of each kind, emptied by the truncate optimization, which the authorizer must disable.
    """
    CREATE TABLE $a (x, y, z); INSERT INTO $a VALUES (1, 2, 3), (4, 5, 6); DELETE FROM $a;
    INSERT INTO $a VALUES (1, 2, 3); ALTER TABLE $a ADD COLUMN w DEFAULT 7;
    ALTER TABLE $a RENAME COLUMN x TO "X Y"; ALTER TABLE $a DROP COLUMN y;
    ALTER TABLE $a RENAME TO b; DELETE FROM $b; DROP TABLE $b; CREATE TABLE $b (x); DROP TABLE $B
    """,
    """
    CREATE TABLE $Mixed (x PRIMARY KEY) WITHOUT ROWID; INSERT INTO $mixed VALUES (1), (2);
    DELETE FROM $MIXED; DROP TABLE IF EXISTS $mIXED; DROP TABLE IF EXISTS $mixed
    """,
    """
    CREATE TABLE $n (id INTEGER PRIMARY KEY AUTOINCREMENT, x); INSERT INTO $n (x) VALUES (1), (2);
    DELETE FROM $n; DELETE FROM $sqlite_sequence; INSERT INTO $n (x) VALUES (3);
    CREATE TABLE $copy AS SELECT * FROM $n; DELETE FROM $copy; DROP TABLE $copy; DROP TABLE $n
    """,
    """
    CREATE TABLE $s (x INTEGER, y INTEGER GENERATED ALWAYS AS (x * 2) STORED) STRICT;
    INSERT INTO $s VALUES (1); DELETE FROM $s; DROP TABLE $s
    """,
    // Foreign keys.
    """
    CREATE TABLE $parent (id INTEGER PRIMARY KEY);
    CREATE TABLE $child (p REFERENCES parent ON DELETE CASCADE);
    INSERT INTO $parent VALUES (1), (2); INSERT INTO $child VALUES (1), (2);
    DELETE FROM $parent; INSERT INTO $parent VALUES (3); INSERT INTO $child VALUES (3);
    DROP TABLE $parent; DROP TABLE $child
    """,
    // Views, and deletions of rows through them.
    """
    CREATE TABLE $t (x); CREATE VIEW $v AS SELECT x FROM t; INSERT INTO $t VALUES (1), (2);
    DROP VIEW $v; CREATE VIEW $v (y) AS SELECT x + 1 FROM t; DROP VIEW IF EXISTS $V;
    CREATE VIEW $v AS SELECT x FROM t;
    CREATE TRIGGER $d INSTEAD OF DELETE ON v BEGIN DELETE FROM t WHERE x = OLD.x; END;
    DELETE FROM $v WHERE x = 1; DELETE FROM $v; DROP VIEW $v; DROP TABLE $t
    """,
    // Indexes and triggers.
    """
    CREATE TABLE $t (x, y); CREATE INDEX $i ON t (x); CREATE UNIQUE INDEX $u ON t (y) WHERE x > 0;
    CREATE INDEX $e ON t (x + y); INSERT INTO $t VALUES (1, 2), (3, 4);
    CREATE TRIGGER $g AFTER DELETE ON t BEGIN INSERT INTO t VALUES (OLD.y, OLD.x); END;
    DELETE FROM $t WHERE x = 1; DROP TRIGGER $g; DROP TRIGGER IF EXISTS $g; DELETE FROM $t;
    INSERT INTO $t VALUES (1, 2); ANALYZE $t; REINDEX $t; REINDEX $i; DROP INDEX $i;
    DROP INDEX IF EXISTS $I; DROP INDEX $u; DROP INDEX $e; CREATE INDEX $i ON t (x DESC);
    DELETE FROM $t; DROP TABLE $t
    """,
    // Virtual tables.
    """
    CREATE VIRTUAL TABLE $f USING fts5(x); INSERT INTO $f VALUES ('a b'), ('c');
    DELETE FROM $f WHERE x = 'c'; INSERT INTO $f (f) VALUES ('delete-all');
    INSERT INTO $f VALUES ('d'); INSERT INTO $f (f) VALUES ('rebuild'); DELETE FROM $f;
    ALTER TABLE $f RENAME TO h; DROP TABLE $h; CREATE VIRTUAL TABLE $f USING fts5(x); DROP TABLE $F
    """,
    """
    CREATE VIRTUAL TABLE $r USING rtree(id, x0, x1); INSERT INTO $r VALUES (1, 2, 3), (4, 5, 6);
    DELETE FROM $r; DROP TABLE $r
    """,
    // Rolled back and repeated.
    """
    CREATE TABLE $t (x); CREATE VIEW $v AS SELECT * FROM t; INSERT INTO $t VALUES (1);
    BEGIN; DROP VIEW $v; DROP TABLE $t; ROLLBACK;
    SAVEPOINT s; DELETE FROM $t; DROP VIEW $v; DROP TABLE $t; ROLLBACK TO s; RELEASE s;
    BEGIN; DROP VIEW $v; CREATE VIEW $v AS SELECT 1; DROP VIEW $v; COMMIT; DROP TABLE $t
    """,
    // Refused by SQLite, and equally by us.
    """
    CREATE TABLE $t (x); DROP VIEW $t; DROP TABLE $missing; DROP VIEW $missing; DROP INDEX $missing;
    CREATE VIEW $v AS SELECT 1; DROP TABLE $v; DROP VIEW $v; DROP TABLE $sqlite_schema; DROP TABLE $t
    """,
  ]

  /// Runs the scripts in three schemas with all names in each, and returns the content after each
  /// statement.
  private func outcome(_ listener: Listener?) throws -> [String] {
    var lines: [String] = []
    try Connection.inMemory { db throws in
      try db.execute(sql: "ATTACH ':memory:' AS other")
      let diary = TransactionDiary()
      let stopping = StoppingObserver()
      let follower = Follower()
      switch listener {
      case nil, .recorder: break
      case .observerOfEverything: db.add(transactionObserver: diary)
      case .observerOfDeletions:
        diary.observed = { if case .delete = $0 { true } else { false } }
        db.add(transactionObserver: diary)
      case .observerOfOneTable:
        diary.observed = { $0.tableName == "t" }
        db.add(transactionObserver: diary)
      case .observerThatStops: db.add(transactionObserver: stopping)
      case .follower, .followerOfRows:
        let publisher = CommitPublisher()
        let rows = DatabaseRegion(table: "t", rowIDs: [1])
        publisher.add(follower, observing: listener == .followerOfRows ? rows : DatabaseRegion())
        db.publishCommits(to: publisher)
      case .authorizer: db.setAuthorizer { _ in .allow }
      case .authorizerAndObserver:
        db.setAuthorizer { _ in .allow }
        db.add(transactionObserver: diary)
      }
      for script in Self.scripts {
        for schema in ["main.", "temp.", "other."] {
          let sql = script.replacing("$", with: schema)
          for statement in statements(sql) {
            let result = Result {
              if listener == .recorder {
                _ = try db.recordingRegion { try db.execute(sql: statement) }
              } else {
                try db.execute(sql: statement)
              }
            }
            lines.append(statement)
            if case .failure(let error as DatabaseError) = result {
              lines.append("\(error.resultCode.rawValue) \(error.message ?? "")")
            }
            lines += try contents(db)
          }
        }
      }
      withExtendedLifetime((diary, stopping, follower)) {}
    }
    return lines
  }

  /// Splits a script into statements; the statements of triggers stay together.
  private func statements(_ sql: String) -> [String] {
    var statements: [String] = []
    for part in sql.split(separator: ";") {
      let part = part.trimmingPrefix { $0.isWhitespace }
      if part == "END", let last = statements.popLast() {
        statements.append(last + "; END")
      } else {
        statements.append(String(part))
      }
    }
    return statements
  }

  private func contents(_ db: Database) throws -> [String] {
    try ["main", "temp", "other"].flatMap { schema in
      try Row.fetchAll(
        db, sql: "SELECT type, name, tbl_name, sql FROM \(schema).sqlite_schema ORDER BY rowid"
      ).flatMap { row in
        let values = row.databaseValues.map { "\($0)" }.joined(separator: "|")
        let name = try row.decode(String.self, forColumn: "name")
        let type = try row.decode(String.self, forColumn: "type")
        guard type == "table" || type == "view" else { return ["\(schema)|\(values)"] }
        let count = try Int.fetchOne(
          db, sql: "SELECT count(*) FROM \(schema).\(name.quotedDatabaseIdentifier)")
        return ["\(schema)|\(values)|\(count ?? -1)"]
      }
    }
  }

  @Test(arguments: Listener.allCases)
  func eachStatementHasTheSameEffectAsWithoutAListener(listener: Listener) throws {
    let expected = try outcome(nil)
    let found = try outcome(listener)
    let different = zip(expected, found).first { $0 != $1 }
    #expect(different == nil, "\(different?.0 ?? "") / \(different?.1 ?? "")")
    #expect(found.count == expected.count)
  }

  @Test func aViewCanBeDroppedWhileEverythingIsObserved() throws {
    try Connection.inMemory { db throws in
      let diary = TransactionDiary()
      db.add(transactionObserver: diary)
      for temporary in ["", "TEMP"] {
        try db.execute(sql: "CREATE \(temporary) VIEW v AS SELECT 1; DROP VIEW v")
        #expect(try !db.viewExists("v"))
      }
    }
  }

  /// A statement that the user's authorizer refuses leaves nothing behind.
  @Test func rowsAreReportedIndividuallyAfterARefusedDrop() throws {
    try Connection.inMemory { db throws in
      let diary = TransactionDiary()
      db.add(transactionObserver: diary)
      for refused in [AuthorizedAction.Code.dropTable, .delete] {
        try db.execute(sql: "CREATE TABLE t (x); INSERT INTO t VALUES (1), (2); DELETE FROM t")
        try db.execute(sql: "INSERT INTO t VALUES (1), (2)")
        let isRefusing = Switch()
        db.setAuthorizer { action in
          isRefusing.isOn && action.code == refused && action.first == "t" ? .deny : .allow
        }
        isRefusing.isOn = true
        #expect(throws: DatabaseError.self) { try db.execute(sql: "DROP TABLE t") }
        isRefusing.isOn = false
        _ = diary.take()
        try db.execute(sql: "DELETE FROM t")
        #expect(diary.take() == ["delete t 1", "delete t 2", "will commit", "commit"])
        try db.execute(sql: "DROP TABLE t")
        db.setAuthorizer(nil)
      }
    }
  }
}
