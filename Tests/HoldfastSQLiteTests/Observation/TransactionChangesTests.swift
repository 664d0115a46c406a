import HoldfastSQLite
import Testing

/// Which fetches a transaction's changes make due, with the rows and columns that SQLite does not report.
@Suite struct TransactionChangesTests {
  private final class Follower: CommitObserver {
    let state = RefetchState()
    func didCommit(_ changes: TransactionChanges, _ db: Database?) {
      _ = state.becomesDue(by: changes)
    }
  }

  /// Returns whether the steps, which run during a fetch, make another one due.
  ///
  /// A number updates `d` in that row and `*` in 2000 rows, by the same statement. `A` and `B` update
  /// row 7 and row 5 and return them; they end at `-A` and `-B`.
  private func touches(_ region: DatabaseRegion?, _ reads: String, _ steps: String) throws -> Bool {
    try Connection.inMemory { db in
      try db.execute(
        sql: """
          CREATE TABLE t (id INTEGER PRIMARY KEY, a, d);
          CREATE TABLE g (a, b AS (a + 1), c AS (a + 2) STORED, d); INSERT INTO g VALUES (1, 1);
          CREATE TABLE h (a); CREATE TRIGGER r UPDATE ON h BEGIN UPDATE g SET a = NEW.a; END;
          ATTACH ':memory:' AS other; CREATE TABLE other.o (a, b AS (a)); INSERT INTO o VALUES (1);
          WITH n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 2000)
          INSERT INTO t (id) SELECT i FROM n; INSERT INTO h VALUES (1);
          """)
      let (publisher, follower) = (CommitPublisher(), Follower())
      db.publishCommits(to: publisher)
      let region = try region ?? db.makeStatement(sql: "SELECT " + reads).databaseRegion
      publisher.add(follower, observing: region)
      follower.state.beginReading()
      _ = follower.state.setRegion(region)
      let update = try db.makeStatement(sql: "UPDATE t SET d = 1 WHERE id BETWEEN ? AND ?")
      let returning = [
        "A": try db.makeStatement(sql: "UPDATE t SET a = 1 WHERE id = 7 RETURNING id"),
        "B": try db.makeStatement(sql: "UPDATE t SET d = 1 WHERE id = 5 RETURNING id"),
      ]
      var cursors: [String: DatabaseValueCursor<Int>] = [:]
      for step in steps.split(separator: ";").map(String.init) {
        if let row = Int(step) {
          try update.execute(arguments: [row, row])
        } else if step == "*" {
          try update.execute(arguments: [1, 2000])
        } else if let statement = returning[step] {
          cursors[step] = try Int.fetchCursor(statement)
          #expect(try cursors[step]?.next() != nil)
        } else if step.first == "-" {
          #expect(try cursors[String(step.dropFirst())]?.next() == nil)
        } else {
          try db.execute(sql: step)
        }
      }
      return follower.state.endReading() != .later
    }
  }

  @Test(
    .enabled(if: Database.reportsReplacedRows, "SQLite has the pre-update hook"),
    arguments: [
      ("7", true), ("5", false), ("5;6", false), ("5;7", true), ("5;*", true), ("*;5", true),
      ("BEGIN;5;SAVEPOINT s;7;ROLLBACK TO s;RELEASE s;COMMIT", false),
      ("BEGIN;5;SAVEPOINT s;7;RELEASE s;COMMIT", true),
      ("BEGIN;7;SAVEPOINT s;5;ROLLBACK TO s;COMMIT", true),
      ("BEGIN;5;SAVEPOINT s;5;ROLLBACK TO s;7;COMMIT", true),
      ("BEGIN;SAVEPOINT s;5;SAVEPOINT r;7;RELEASE r;ROLLBACK TO s;6;COMMIT", false),
      ("BEGIN;SAVEPOINT s;5;RELEASE s;SAVEPOINT r;7;ROLLBACK TO r;6;COMMIT", false),
    ])
  func onlyCommittedRowsCount(steps: String, expected: Bool) throws {
    #expect(try touches(DatabaseRegion(table: "t", rowIDs: [7]), "", steps) == expected)
  }

  @Test(arguments: ["A;-A", "A;B;-B;-A", "A;B;-A;-B", "B;A;-A;-B", "B;A;-B;-A"])
  func rowsOfOverlappingStatementsCount(steps: String) throws {
    let region = DatabaseRegion(table: "t", rowIDs: [7])
      .intersection(DatabaseRegion(table: "t", columns: ["a"]))
    #expect(try touches(region, "", "BEGIN;\(steps);COMMIT"))
  }

  @Test(arguments: [
    ("d FROM t WHERE id = 1", "UPDATE t SET rowid = -1 WHERE id = 1", true),
    ("d FROM t WHERE id = 1", "UPDATE t SET OID = -1 WHERE id = 1", true),
    ("d FROM t WHERE id = 1", "UPDATE t SET _rowid_ = -1 WHERE id = 1", true),
    ("d FROM t WHERE id = 1", "UPDATE t SET a = 1", false),
    ("b FROM g", "UPDATE g SET a = 2", true), ("c FROM g", "UPDATE G SET a = 2", true),
    ("d FROM g", "UPDATE g SET a = 2", false), ("b FROM g", "UPDATE h SET a = 2", true),
    ("b FROM o", "UPDATE o SET a = 2", true),
  ])
  func columnsThatChangeWithOthersCount(reads: String, update: String, expected: Bool) throws {
    #expect(try touches(nil, reads, update) == expected)
  }
}
