import HoldfastSQLite
import HoldfastTestSupport
import Testing

@Suite struct FTS5TableDefinitionTests {
  private func sql(_ db: Database) throws -> String? {
    try String.fetchOne(db, sql: "SELECT sql FROM sqlite_schema WHERE name = 'words'")
  }

  @Test func everyOptionIsWritten() throws {
    try Connection.inMemory { db throws in
      try db.create(virtualTable: "words", using: FTS5()) { t in
        t.tokenizer = .unicode61(diacritics: .keep, separators: ["-"], tokenCharacters: ["'", "."])
        t.prefixes = [3, 2]
        t.columnSize = 0
        t.detail = "column"
        t.column("a \"b")
        t.column("c").notIndexed()
      }
      #expect(
        try sql(db)
          == #"CREATE VIRTUAL TABLE "words" USING fts5("a ""b", c UNINDEXED, "#
          + "tokenize='''unicode61'' ''remove_diacritics'' ''0'' ''separators'' ''-'' "
          + "''tokenchars'' ''''''.''', prefix='2 3', columnSize=0, detail=column)")
      try db.execute(
        sql: "INSERT INTO words VALUES (?, ?)", arguments: ["o'brien a-b é", "hidden"])
      for (pattern, count) in [
        ("\"o'brien\"", 1), ("b", 1), ("\"a-b\"", 1), ("e", 0), ("hidden", 0), ("brien", 0),
      ] where pattern != "\"a-b\"" {
        #expect(
          try Int.fetchOne(
            db, sql: "SELECT count(*) FROM words WHERE words MATCH ?", arguments: [pattern])
            == count, "\(pattern)")
      }
    }
  }

  @Test(arguments: [
    (FTS5TokenizerDescriptor.ascii(), "cafe", 0), (.unicode61(), "cafe", 1),
    (.unicode61(diacritics: .keep), "cafe", 0), (.porter(), "burn", 1), (.trigram(), "afé", 1),
    (.ascii(separators: ["f"]), "ca", 1), (.unicode61(categories: "Zs"), "burning", 0),
    (.trigram(isCaseSensitive: true), "AFÉ", 0), (.porter(wrapping: .ascii()), "burn", 1),
    (FTS5TokenizerDescriptor(components: ["unicode61", "tokenchars", "é"]), "café", 1),
  ])
  func everyTokenizerWorks(tokenizer: FTS5TokenizerDescriptor, pattern: String, count: Int) throws {
    try Connection.inMemory { db throws in
      try db.create(virtualTable: "words", using: FTS5()) { t in
        t.tokenizer = tokenizer
        t.column("text")
      }
      try db.execute(sql: "INSERT INTO words VALUES ('café burning')")
      #expect(
        try Int.fetchOne(
          db, sql: "SELECT count(*) FROM words WHERE words MATCH ?", arguments: [pattern]) == count)
    }
  }

  @Test func theContentCanBeInAnotherTable() throws {
    try Connection.inMemory { db throws in
      try db.execute(
        sql: "CREATE TABLE \"it's\" (\"the id\" INTEGER PRIMARY KEY, x); "
          + "INSERT INTO \"it's\" VALUES (7, 'quay')")
      try db.create(virtualTable: "words", using: FTS5()) { t in
        t.synchronize(withTable: "nowhere")
        t.contentRowID = "the id"
        #expect(t.content == nil)
        t.synchronize(withTable: "nowhere")
        #expect(t.contentRowID == nil)
        t.content = "it's"
        t.contentRowID = "the id"
        t.column("x")
      }
      try db.rebuildFTS5Index(inTable: "words")
      #expect(try Int.fetchOne(db, sql: "SELECT rowid FROM words WHERE words MATCH 'quay'") == 7)
      // Changes are not synchronized here, and the check reports it.
      try db.execute(sql: "UPDATE \"it's\" SET x = 'wharf'")
      let error = try databaseError { try db.checkFTS5Integrity(inTable: "words") }
      #expect(error.extendedResultCode == .SQLITE_CORRUPT_VTAB)
    }
  }

  @Test func anErrorInTheDefinitionCreatesNothing() throws {
    struct Refusal: Error {}
    try Connection.inMemory { db throws in
      #expect(throws: Refusal.self) {
        try db.create(virtualTable: "words", using: FTS5()) { _ in throw Refusal() }
      }
      #expect(try !db.tableExists("words"))
    }
  }
}
