import HoldfastSQLite
import HoldfastTestSupport
import Testing

@Suite struct FTS4SynchronizationTests {
  private func withPlaces(
    _ table: String = FTS5SynchronizationTests.schema, recursiveTriggers: Bool = false,
    _ body: (Database) throws -> Void
  ) throws {
    try Connection.inMemory { db in
      try db.execute(sql: "PRAGMA recursive_triggers = \(recursiveTriggers); \(table)")
      try db.create(virtualTable: "place_ft", using: FTS4()) { t in
        t.synchronize(withTable: "place")
        t.tokenizer = .unicode61()
        t.column("name")
        t.column("note")
      }
      try body(db)
    }
  }

  private func search(_ text: String, _ db: Database) throws -> [Int] {
    try Int.fetchAll(
      db, sql: "SELECT docid FROM place_ft WHERE place_ft MATCH ? ORDER BY docid",
      arguments: [FTS3Pattern(matchingAllTokensIn: text)])
  }

  /// Returns what the index says and the rows do not, by looking at every row.
  private func faults(_ words: [String], _ db: Database) throws -> [String] {
    try db.execute(sql: "INSERT INTO place_ft (place_ft) VALUES ('integrity-check')")
    let rows = try Row.fetchAll(db, sql: "SELECT id, name, note FROM place ORDER BY id")
    let copies = try Row.fetchAll(
      db, sql: "SELECT docid AS id, name, note FROM place_ft ORDER BY docid")
    return try (rows == copies ? [] : ["\(rows) is not \(copies)"])
      + words.filter { word in
        let naive = rows.filter { row in
          let texts = [row["name"] as String?, row["note"] as String?]
          return texts.contains { ($0 ?? "").split(separator: " ").contains { $0 == word } }
        }
        return try naive.map { $0["id"] as Int } != search(word, db)
      }
  }

  /// The newest trigger fires first, and its changes are synchronized before those that fired it.
  @Test(
    arguments: [false, true],
    [
      "AFTER DELETE ON place WHEN 0 BEGIN SELECT 1",
      "AFTER INSERT ON place BEGIN UPDATE place SET name = 'man 7' WHERE id = new.id",
      "AFTER INSERT ON place BEGIN UPDATE OR REPLACE place SET id = id % 6 + 1 WHERE id = new.id",
      "AFTER UPDATE OF name ON place BEGIN REPLACE INTO place (id, name) VALUES (new.id + 1, 'é')",
      "BEFORE INSERT ON place BEGIN DELETE FROM place WHERE id = new.number",
    ])
  func anyMixOfChangesKeepsTheIndexRight(recursive: Bool, trigger: String) throws {
    var random = SeededRandom()
    let words = ["temple", "man", "burn", "é", "7"]
    try withPlaces(recursiveTriggers: recursive) { db throws in
      try db.execute(sql: "CREATE TRIGGER changing \(trigger); END")
      var mostRows = 0
      for step in 1...400 {
        func number(_ upTo: Int) -> Int { Int.random(in: 1...upTo, using: &random) }
        func text() -> String {
          number(6) == 1 ? "NULL" : "'\(words[number(5) - 1]) \(words[number(5) - 1])'"
        }
        let id = number(10) == 1 ? "NULL" : "\(number(6))"
        let code = number(2) == 1 ? "'\(number(2) == 1 ? "k" : "K")\(number(4))'" : "NULL"
        let values = "(\(id), \(code), 'x', \(number(8)), \(text()), \(text()))"
        // A trigger that fails with FAIL ends the statement before the index is updated.
        let fail = trigger.hasSuffix("SELECT 1") ? "OR FAIL" : "OR REPLACE"
        let conflict = ["", "OR REPLACE", "OR IGNORE", fail, "OR ABORT"][number(5) - 1]
        let sql =
          switch number(7) {
          case 1...3: "INSERT \(conflict) INTO place VALUES \(values)"
          case 4:
            "UPDATE \(conflict) place SET id = \(number(6)), name = \(text()) WHERE id = \(number(6))"
          case 5:
            "UPDATE \(conflict) place SET code = \(code), note = \(text()) WHERE number < \(number(8))"
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
        try #require(try faults(words, db) == [], "after step \(step): \(sql)")
        let notes = try Int.fetchOne(db, sql: "SELECT count(*) FROM __place_ft_replaced") ?? 0
        try #require(notes < 4, "Notes of ignored conflicts pile up")
        mostRows = max(
          mostRows, try Int.fetchOne(db, sql: "SELECT count(*) FROM place") ?? 0)
      }
      // The last step may delete the last row.
      #expect(mostRows > 1)
    }
  }

  /// With GRDB's triggers, the first of these leaves words of a row that is gone, and the second
  /// removes the words of a row that stays.
  @Test(arguments: [
    ("REPLACE INTO place (id, name) VALUES (1, 'x')", "", "camp"),
    ("UPDATE OR IGNORE place SET id = 2, name = 'x' WHERE id = 1", "temple", "camp"),
    ("UPDATE place SET code = 'b', name = 'x' WHERE id = 1", "", ""),
    ("INSERT INTO place (id, code) VALUES (3, 'b')", "temple", ""),
    ("INSERT INTO place (id, code) VALUES (3, 'b') ON CONFLICT (id) DO NOTHING", "temple", ""),
  ])
  func conflictsAreFollowed(sql: String, temple: String, camp: String) throws {
    let table = """
      CREATE TABLE place (
        id INTEGER PRIMARY KEY, code UNIQUE ON CONFLICT REPLACE NOT NULL DEFAULT 'z', name, note)
      """
    try withPlaces(table) { db throws in
      try db.execute(
        sql: "INSERT INTO place VALUES (1, 'a', 'temple', ''), (2, 'b', 'camp', ''); \(sql)")
      #expect(try search("temple", db) == (temple.isEmpty ? [] : [1]))
      #expect(try search("camp", db) == (camp.isEmpty ? [] : [2]))
      #expect(try faults([], db) == [])
    }
  }

  @Test func namesOfAnyKindAreSynchronized() throws {
    try Connection.inMemory { db throws in
      try db.execute(
        sql: """
          CREATE TABLE "it's \""place" (rowid TEXT, "né w", docid, "new", lang);
          INSERT INTO "it's \""place" (_rowid_, rowid, "né w", docid, "new", lang)
            VALUES (5, 'z', 'a "quoted" quay', 1, 'Temple', 7);
          """)
      let table = "Ödd \"table"
      try db.create(virtualTable: table, using: FTS4()) { t throws in
        t.content = "ignored"
        t.synchronize(withTable: "it's \"place")
        t.column("né w")
        t.column("rowid")
        t.column("NEW").notIndexed()
        t.column("lang").asLanguageId()
        t.compress = "upper"
        t.uncompress = "lower"
      }
      func found(_ word: String, _ language: Int) throws -> [String] {
        let request = Table(table).matching(FTS3Pattern(matchingAllTokensIn: word))
          .filter(Column("lang") == language)
        return try request.select(Column("né w"), as: String.self).fetchAll(db)
      }
      #expect(try found("quoted", 7) == ["a \"quoted\" quay"])
      #expect(try found("quoted", 0) == [])
      #expect(try found("temple", 7) == [])
      try db.execute(sql: "UPDATE \"it's \"\"place\" SET \"né w\" = 'camp', lang = 8")
      #expect(try found("quoted", 7) == [])
      #expect(try found("CAMP", 8) == ["camp"])
      // The rowid is that of the content, not that of a row in the index.
      try db.execute(
        sql: "INSERT INTO \"it's \"\"place\" (_rowid_) VALUES (70); DELETE FROM \"it's \"\"place\"")
      #expect(db.lastInsertedRowID == 70)
      #expect(try found("camp", 8) == [])
      try db.dropFTS4SynchronizationTriggers(forTable: table)
      try db.execute(sql: "INSERT INTO \"it's \"\"place\" VALUES (1, 'late', 2, 3, 8)")
      #expect(try found("late", 8) == [])
      try db.execute(sql: "DROP TABLE \"Ödd \"\"table\"; DROP TABLE \"it's \"\"place\"")
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") == 0)
    }
  }

  @Test func aTableThatGRDBSynchronizedIsSynchronizedAgain() throws {
    try Connection.inMemory { db throws in
      let remove = "BEGIN DELETE FROM place_ft WHERE docid = old.id; END"
      let add = "BEGIN INSERT INTO place_ft (docid, name) VALUES (new.id, new.name); END"
      try db.execute(
        sql: """
          CREATE TABLE place (id INTEGER PRIMARY KEY, name, note);
          CREATE VIRTUAL TABLE place_ft USING fts4 (name, content="place");
          CREATE TRIGGER __place_ft_bu BEFORE UPDATE ON place \(remove);
          CREATE TRIGGER __place_ft_bd BEFORE DELETE ON place \(remove);
          CREATE TRIGGER __place_ft_au AFTER UPDATE ON place \(add);
          CREATE TRIGGER __place_ft_ai AFTER INSERT ON place \(add);
          INSERT INTO place VALUES (1, 'temple', ''); REPLACE INTO place VALUES (1, 'camp', '');
          """)
      #expect(try search("temple", db) == [1])
      try db.dropFTS4SynchronizationTriggers(forTable: "place_ft")
      #expect(try search("temple", db) == [1])
      let triggers = "SELECT count(*) FROM sqlite_schema WHERE type = 'trigger'"
      #expect(try Int.fetchOne(db, sql: triggers) == 0)
      try db.drop(table: "place_ft")
      try db.create(virtualTable: "place_ft", options: .ifNotExists, using: FTS4()) { t throws in
        t.synchronize(withTable: "place")
        t.column("name")
        t.column("note")
      }
      #expect(try search("temple", db) == [])
      #expect(try faults(["camp"], db) == [])
    }
  }

  @Test(arguments: [
    ("CREATE TABLE place (id PRIMARY KEY, name, note) WITHOUT ROWID", "its rows have no rowid"),
    (
      "CREATE TABLE place (name, note); CREATE UNIQUE INDEX i ON place (lower(name))",
      "its unique index 'i' is on an expression"
    ),
    ("CREATE TABLE place (name)", "no such column"), ("", "no such table: place"),
    (
      "CREATE TABLE place (name, note); CREATE TEMP TABLE Place (name, note)",
      "the name of 'place' is that of a temporary table or view"
    ),
    (
      "CREATE TABLE place (name, note); CREATE TEMP VIEW place AS SELECT 1 AS name, 2 AS note",
      "the name of 'place' is that of a temporary table or view"
    ),
  ])
  func aTableThatCannotBeSynchronizedIsRefused(schema: String, reason: String) throws {
    try Connection.inMemory { db throws in
      try db.execute(sql: schema)
      let error = try databaseError {
        try db.create(virtualTable: "place_ft", using: FTS4()) { t in
          t.synchronize(withTable: "place")
          t.column("note")
        }
      }
      #expect(error.message?.contains(reason) == true, "\(error)")
      #expect(try !db.tableExists("place_ft"))
    }
  }
}
