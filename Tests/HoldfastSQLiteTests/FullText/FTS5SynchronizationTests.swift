import Foundation
import HoldfastSQLite
import HoldfastTestSupport
import Testing

@Suite struct FTS5SynchronizationTests {
  static let schema = """
    CREATE TABLE place (
      id INTEGER PRIMARY KEY, code TEXT COLLATE NOCASE UNIQUE, area TEXT, number INTEGER,
      name TEXT, note TEXT, UNIQUE (area, number))
    """

  private func synchronize(_ db: Database, _ content: String = "place") throws {
    try db.create(virtualTable: "place_ft", using: FTS5()) { t in
      t.synchronize(withTable: content)
      t.tokenizer = .unicode61()
      t.column("name")
      t.column("note")
    }
  }

  private func withPlaces(
    recursiveTriggers: Bool = false, _ body: (Database) throws -> Void
  ) throws {
    try Connection.inMemory { db in
      try db.execute(sql: "PRAGMA recursive_triggers = \(recursiveTriggers)")
      try db.execute(sql: Self.schema)
      try synchronize(db)
      try body(db)
    }
  }

  private func search(_ text: String, _ db: Database) throws -> [Int] {
    try Int.fetchAll(
      db, sql: "SELECT rowid FROM place_ft WHERE place_ft MATCH ? ORDER BY rowid",
      arguments: [FTS5Pattern(matchingAllTokensIn: text)])
  }

  private func isSound(_ db: Database) throws -> Bool {
    do {
      try db.checkFTS5Integrity(inTable: "place_ft")
      return true
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
      return false
    }
  }

  // MARK: - Changes

  @Test func existingRowsAreIndexed() throws {
    try Connection.inMemory { db throws in
      try db.execute(sql: Self.schema)
      try db.execute(sql: "INSERT INTO place (id, name) VALUES (7, 'Temple')")
      try synchronize(db)
      #expect(try search("temple", db) == [7])
      #expect(try isSound(db))
    }
  }

  // IB-B17: the old word found the new row, a deletion made searches fail, and a new row with the
  // same rowid was found in place of the deleted one.
  @Test func updatesAndDeletionsRemoveTheOldWords() throws {
    try withPlaces { db throws in
      try db.execute(sql: "INSERT INTO place (id, name) VALUES (1, 'Temple'), (2, 'Centre Camp')")
      try db.execute(sql: "UPDATE place SET name = 'Burning Man' WHERE id = 1")
      #expect(try search("temple", db) == [])
      #expect(try search("man burning", db) == [1])
      try db.execute(sql: "DELETE FROM place WHERE id = 1")
      #expect(try search("burning", db) == [])
      try db.execute(sql: "INSERT INTO place (id, name) VALUES (1, 'Airport')")
      #expect(try search("burning", db) == [])
      #expect(try search("airport", db) == [1])
      try db.execute(sql: "UPDATE place SET id = 9 WHERE id = 1")
      #expect(try search("airport", db) == [9])
      #expect(try isSound(db))
    }
  }

  // IB-B18: a replaced row fires no delete trigger unless `recursive_triggers` is on.
  @Test(
    arguments: [
      "INSERT OR REPLACE INTO place (id, name) VALUES (1, 'Airport')",
      "REPLACE INTO place (id, code, name) VALUES (7, 'A', 'Airport')",
      "INSERT OR REPLACE INTO place (area, number, name) VALUES ('x', 1, 'Airport')",
      "INSERT OR REPLACE INTO place (id, code, area, number, name) VALUES (2, 'A', 'y', 1, 'Airport')",
      "UPDATE OR REPLACE place SET id = 1, name = 'Airport' WHERE id = 2",
      "UPDATE OR REPLACE place SET code = 'A', name = 'Airport' WHERE id = 2",
      "INSERT INTO place (id, name) VALUES (1, 'x') ON CONFLICT DO UPDATE SET name = 'Airport'",
      "INSERT INTO place (id, code) VALUES (8, 'a') ON CONFLICT (code) DO UPDATE SET name = 'Airport'",
    ], [false, true])
  func replacedRowsAreRemoved(sql: String, recursiveTriggers: Bool) throws {
    try withPlaces(recursiveTriggers: recursiveTriggers) { db throws in
      try db.execute(
        sql: """
          INSERT INTO place VALUES (1, 'a', 'x', 1, 'Temple', 'old'), (2, 'b', 'x', 2, 'Camp', ''),
            (3, 'c', 'y', 1, 'Plaza', '')
          """)
      // An ignored row stays in the index, and its record affects no later change.
      try db.execute(sql: "INSERT OR IGNORE INTO place (id, name) VALUES (1, 'ignored')")
      #expect(try search("temple", db) == [1])
      try db.execute(sql: sql)
      #expect(try search("temple", db) == [])
      #expect(try search("airport", db).count == 1)
      #expect(try search("ignored", db) == [])
      #expect(try isSound(db))
    }
  }

  /// Swift takes the two names for one, and SQLite does not.
  @Test func aDefaultIsThatOfTheColumnAndNotOfOneWhoseNameReadsAlike() throws {
    let (rowID, key) = ("\u{e9}", "e\u{301}")
    try Connection.inMemory { db throws in
      try db.execute(
        sql: """
          CREATE TABLE place (\(rowID) INTEGER PRIMARY KEY, \(key) NOT NULL DEFAULT 'x' UNIQUE, name)
          """)
      try db.create(virtualTable: "place_ft", using: FTS5()) { t throws in
        t.synchronize(withTable: "place")
        t.column("name")
      }
      try db.execute(
        sql:
          "INSERT INTO place VALUES (1, 'x', 'Temple'); REPLACE INTO place VALUES (2, NULL, 'Camp')"
      )
      #expect(try search("temple", db) == [])
      #expect(try isSound(db))
    }
  }

  @Test(arguments: [false, true]) func anyMixOfChangesKeepsTheIndexRight(recursive: Bool) throws {
    var random = SeededRandom()
    let words = ["temple", "man", "burn", "camp", "plaza", "NULL", "''", "'é'", "7", "1.5"]
    try withPlaces(recursiveTriggers: recursive) { db throws in
      var mostRows = 0
      for step in 1...400 {
        func number(_ upTo: Int) -> Int { Int.random(in: 1...upTo, using: &random) }
        func word() -> String {
          let word = words.randomElement(using: &random) ?? ""
          return Int(word) != nil || word.contains("'") || word == "NULL" || word == "1.5"
            ? word : "'\(word) \(number(3))'"
        }
        let id = number(10) == 1 ? "NULL" : "\(number(6))"
        let code = number(2) == 1 ? "'\(number(2) == 1 ? "k" : "K")\(number(4))'" : "NULL"
        let values = "(\(id), \(code), 'x', \(number(8)), \(word()), \(word()))"
        let conflict =
          ["", "OR REPLACE", "OR IGNORE", "OR ABORT", "OR FAIL"]
          .randomElement(using: &random) ?? ""
        let sql =
          switch number(7) {
          case 1...3: "INSERT \(conflict) INTO place VALUES \(values)"
          case 4:
            "UPDATE \(conflict) place SET id = \(number(6)), name = \(word()) WHERE id = \(number(6))"
          case 5:
            "UPDATE \(conflict) place SET code = \(code), note = \(word()) WHERE number < \(number(8))"
          case 6: "DELETE FROM place WHERE id = \(number(6))"
          default:
            "INSERT INTO place VALUES \(values) ON CONFLICT DO UPDATE SET name = excluded.name, id = \(number(6))"
          }
        do {
          try db.inSavepoint {
            try db.execute(sql: sql)
            return number(5) == 1 ? .rollback : .commit
          }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
          // A conflict without a resolution.
        }
        try #require(try isSound(db), "after step \(step): \(sql)")
        mostRows = max(
          mostRows, try Int.fetchOne(db, sql: "SELECT count(*) FROM place") ?? 0)
      }
      // The last step may delete the last row.
      #expect(mostRows > 1)
    }
  }

  @Test(arguments: ["'x'", "word", "(lower('X'))", "(char(120 + random() % 1))"])
  func aRowReplacedByADefaultIsRemoved(value: String) throws {
    try Connection.inMemory { db throws in
      try db.execute(
        sql: """
          CREATE TABLE place (
            id INTEGER PRIMARY KEY, code TEXT UNIQUE NOT NULL DEFAULT \(value), name, note);
          """)
      try synchronize(db)
      try db.execute(sql: "INSERT INTO place (id, name) VALUES (1, 'Temple')")
      try db.execute(sql: "REPLACE INTO place (id, code, name) VALUES (2, NULL, 'Airport')")
      #expect(try search("temple", db) == [])
      #expect(try search("airport", db) == [2])
      #expect(try isSound(db))
    }
  }

  @Test func truncationsAndCascadesAreSynchronized() throws {
    try withPlaces { db throws in
      try db.execute(
        sql: """
          CREATE TABLE zone (id INTEGER PRIMARY KEY);
          CREATE TABLE spot (
            id INTEGER PRIMARY KEY, zone REFERENCES zone ON DELETE CASCADE, name);
          INSERT INTO zone VALUES (1), (2);
          INSERT INTO spot VALUES (1, 1, 'Temple'), (2, 2, 'Camp');
          """)
      try db.create(virtualTable: "spot_ft", using: FTS5()) { t in
        t.synchronize(withTable: "spot")
        t.column("name")
      }
      try db.execute(sql: "DELETE FROM zone WHERE id = 1")
      try db.checkFTS5Integrity(inTable: "spot_ft")
      try db.execute(sql: "DELETE FROM spot")
      try db.checkFTS5Integrity(inTable: "spot_ft")
      #expect(
        try Int.fetchOne(db, sql: "SELECT count(*) FROM spot_ft WHERE spot_ft MATCH 'camp'") == 0)
    }
  }

  // MARK: - Kinds of tables

  @Test func aTextKeyedTableStaysConsistentAfterAVacuum() throws {
    try Connection.inMemory { db throws in
      try db.execute(
        sql: """
          CREATE TABLE place (uid TEXT PRIMARY KEY, name, note);
          INSERT INTO place VALUES ('a', 'Temple', ''), ('b', 'Camp', ''), ('c', 'Plaza', '');
          """)
      try synchronize(db)
      try db.execute(sql: "DELETE FROM place WHERE uid = 'a'")
      try db.execute(sql: "INSERT OR REPLACE INTO place VALUES ('b', 'Airport', '')")
      try db.execute(sql: "VACUUM")
      try db.rebuildFTS5Index(inTable: "place_ft")
      #expect(try isSound(db))
      let uids = try String.fetchAll(
        db,
        sql: """
          SELECT uid FROM place JOIN place_ft ON place_ft.rowid = place.rowid
          WHERE place_ft MATCH 'airport'
          """)
      #expect(uids == ["b"])
    }
  }

  @Test func aColumnNamedRowidIsNotTheRowID() throws {
    try Connection.inMemory { db throws in
      try db.execute(
        sql: """
          CREATE TABLE place (rowid TEXT, "new" TEXT, name, note);
          INSERT INTO place VALUES ('z', 'n', 'Temple', 'a "quoted" word');
          """)
      try db.create(virtualTable: "odd \"table", using: FTS5()) { t in
        t.synchronize(withTable: "place")
        t.column("new")
        t.column("name")
      }
      try db.execute(sql: "UPDATE place SET name = 'Camp'; REPLACE INTO place VALUES (1, 2, 3, 4)")
      try db.checkFTS5Integrity(inTable: "odd \"table")
    }
  }

  @Test(arguments: [
    ("CREATE TABLE place (id PRIMARY KEY, name, note) WITHOUT ROWID", "its rows have no rowid"),
    ("CREATE TABLE place (rowid, _rowid_, oid, name, note)", "its rows have no rowid"),
    (
      "CREATE TABLE place (name, note); CREATE UNIQUE INDEX i ON place (lower(name))",
      "its unique index 'i' is on an expression"
    ),
  ])
  func aTableThatCannotBeSynchronizedIsRefused(schema: String, reason: String) throws {
    try Connection.inMemory { db throws in
      try db.execute(sql: schema)
      let error = try databaseError { try synchronize(db) }
      #expect(
        error.message
          == "The full-text table 'place_ft' cannot be synchronized with 'place': \(reason)")
      #expect(try !db.tableExists("place_ft"))
    }
  }

  @Test func nothingIsCreatedWhenAColumnIsMissing() throws {
    try Connection.inMemory { db throws in
      try db.execute(sql: "CREATE TABLE place (id INTEGER PRIMARY KEY, name)")
      #expect(throws: DatabaseError.self) { try synchronize(db) }
      #expect(try !db.tableExists("place_ft"))
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") == 1)
    }
  }

  @Test func anExistingTableIsKeptOnRequest() throws {
    try withPlaces { db throws in
      try db.create(virtualTable: "place_ft", options: .ifNotExists, using: FTS5()) {
        $0.column("other")
      }
      #expect(try db.columns(in: "place_ft").map(\.name) == ["name", "note"])
      #expect(throws: DatabaseError.self) { try synchronize(db) }
    }
  }

  // MARK: - Ending synchronization

  @Test func synchronizationCanBeEnded() throws {
    try withPlaces { db throws in
      try db.dropFTS5SynchronizationTriggers(forTable: "place_ft")
      try db.execute(sql: "INSERT INTO place (id, name) VALUES (1, 'Temple')")
      #expect(try search("temple", db) == [])
      #expect(try !isSound(db))
      try db.rebuildFTS5Index(inTable: "place_ft")
      #expect(try search("temple", db) == [1])
      #expect(try isSound(db))
      try db.execute(sql: "DROP TABLE place_ft; DROP TABLE place")
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") == 0)
    }
  }

  @Test func triggersCreatedByGRDBAreDropped() throws {
    try Connection.inMemory { db throws in
      try db.execute(
        sql: """
          CREATE TABLE place (id INTEGER PRIMARY KEY, name);
          CREATE VIRTUAL TABLE place_ft USING fts5 (name, content='place', content_rowid='id');
          CREATE TRIGGER "__place_ft_ai" AFTER INSERT ON "place" BEGIN
            INSERT INTO "place_ft"("rowid", "name") VALUES (new."id", new."name");
          END;
          CREATE TRIGGER "__place_ft_ad" AFTER DELETE ON "place" BEGIN SELECT 1; END;
          CREATE TRIGGER "__place_ft_au" AFTER UPDATE ON "place" BEGIN SELECT 1; END;
          """)
      try db.dropFTS5SynchronizationTriggers(forTable: "place_ft")
      #expect(
        try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema WHERE type = 'trigger'") == 0)
    }
  }
}
