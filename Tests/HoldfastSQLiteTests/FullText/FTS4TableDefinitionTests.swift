import HoldfastSQLite
import HoldfastTestSupport
import Testing

@Suite struct FTS4TableDefinitionTests {
  private func count(_ pattern: String, _ db: Database) throws -> Int? {
    try Int.fetchOne(
      db, sql: "SELECT count(*) FROM words WHERE words MATCH ?", arguments: [pattern])
  }

  @Test func everyOptionIsWritten() throws {
    try Connection.inMemory { db throws in
      try db.create(virtualTable: "words", using: FTS4()) { t in
        t.tokenizer = .unicode61(
          diacritics: .keep, separators: ["x", "\"", "="], tokenCharacters: ["'", "-", "("])
        t.prefixes = [3, 2]
        t.matchinfo = "fts3"
        t.compress = "upper"
        t.uncompress = "lower"
        t.column("a \"b")
        t.column("c").notIndexed()
        t.column("lang").asLanguageId()
      }
      #expect(
        try String.fetchOne(db, sql: "SELECT sql FROM sqlite_schema WHERE name = 'words'")
          == #"CREATE VIRTUAL TABLE "words" USING fts4("a ""b", c, notindexed=c, "#
          + #"languageid="lang", tokenize=unicode61 "remove_diacritics=0" "separators=""=x" "#
          + #""tokenchars='(-", compress="upper", uncompress="lower", matchinfo="fts3", "#
          + #"prefix="2,3")"#)
      try db.execute(
        sql: "INSERT INTO words VALUES (?, ?)", arguments: ["o'brien axb y-(z é", "hidden"])
      for (pattern, expected) in [
        ("o'brien", 1), ("brien", 0), ("b", 1), ("y", 0), ("e", 0), ("é", 1), ("hidden", 0),
        ("o'b*", 1),
      ] {
        #expect(try count(pattern, db) == expected, "\(pattern)")
      }
      // The text that is stored was made uppercase, and is read in lowercase.
      #expect(try String.fetchOne(db, sql: "SELECT c1c FROM words_content") == "HIDDEN")
      #expect(try String.fetchOne(db, sql: "SELECT c FROM words") == "hidden")
    }
  }

  static let cases: [(FTS3TokenizerDescriptor, [String], String, Int)] = [
    (.simple, ["burning", "café", "ệ", "b"], "cafe", 0),
    (.porter, ["burn", "café", "ệ", "b"], "burns", 1),
    (.unicode61(), ["burning", "cafe", "e", "b"], "cafe", 1),
    (.unicode61(diacritics: .removeLegacy), ["burning", "cafe", "ệ", "b"], "e", 0),
    (.unicode61(diacritics: .keep), ["burning", "café", "ệ", "b"], "cafe", 0),
    (.unicode61(separators: ["r", "\""]), ["bu", "ning", "cafe", "e", "b"], "bu", 1),
    (.unicode61(tokenCharacters: ["\"", " ", ","]), ["burning cafe e,\"b"], "b", 0),
  ]

  @Test(arguments: cases.indices) func tokenizersSplitTexts(index: Int) throws {
    let (tokenizer, tokens, pattern, expected) = Self.cases[index]
    let text = "Burning café ệ,\"b"
    #expect(try FTS3.tokenize(text, withTokenizer: tokenizer) == tokens)
    #expect(try FTS3.tokenize("", withTokenizer: tokenizer) == [])
    try Connection.inMemory { db throws in
      try db.create(virtualTable: "words", using: FTS3()) { $0.tokenizer = tokenizer }
      try db.execute(sql: "INSERT INTO words (content) VALUES (?)", arguments: [text])
      #expect(try count(pattern, db) == expected)
    }
  }

  @Test func theContentCanBeElsewhereOrNowhere() throws {
    try Connection.inMemory { db throws in
      try db.execute(
        sql: """
          CREATE TABLE "it's ""é" (id INTEGER PRIMARY KEY, x);
          INSERT INTO "it's ""é" VALUES (7, 'the quay')
          """)
      try db.create(virtualTable: "words", using: FTS4()) { t in
        t.synchronize(withTable: "nowhere")
        t.content = "it's \"é"
        t.column("x")
      }
      #expect(try count("quay", db) == 0)
      try db.execute(sql: "INSERT INTO words (words) VALUES ('rebuild')")
      // SQLite's functions, in SQL and in a request.
      let found = try Row.fetchOne(
        db,
        sql: """
          SELECT docid, x, offsets(words), hex(matchinfo(words, 'pc')) FROM words
          WHERE words MATCH 'quay'
          """)
      #expect(
        found == [
          "docid": 7, "x": "the quay", "offsets(words)": "0 0 4 4",
          "hex(matchinfo(words, 'pc'))": "0100000001000000",
        ])
      let quay = FTS3Pattern(matchingAllTokensIn: "quay")
      let snippets = Table("words").select(
        literal: "snippet(words, '[', ']')", as: String.self)
      #expect(try snippets.matching(quay).fetchAll(db) == ["the [quay]"])
      #expect(try Table("words").filter(Column("X").match(quay)).fetchCount(db) == 1)
      #expect(try Table("words").filter(Column("x").match(nil as FTS3Pattern?)).fetchCount(db) == 0)
      // An external row is removed before it changes.
      try db.execute(
        sql: "DELETE FROM words WHERE docid = 7; UPDATE \"it's \"\"é\" SET x = 'wharf'")
      #expect(try count("quay", db) == 0)

      try db.create(virtualTable: "none", ifNotExists: true, using: FTS4()) { t in
        t.content = ""
        t.column("x")
      }
      try db.execute(sql: "INSERT INTO none (docid, x) VALUES (5, 'quay')")
      #expect(try Int.fetchOne(db, sql: "SELECT docid FROM none WHERE none MATCH 'quay'") == 5)
      #expect(throws: DatabaseError.self) {
        try db.execute(sql: "DELETE FROM none WHERE docid = 5")
      }
    }
  }

  @Test func anInvalidDefinitionIsRefused() throws {
    let definitions: [(String, (FTS4TableDefinition) -> Void)] = [
      ("unrecognized matchinfo: x", { $0.matchinfo = "x" }),
      ("missing uncompress parameter in fts4 constructor", { $0.compress = "upper" }),
      ("no such table: main.nowhere", { $0.content = "nowhere" }),
      ("unrecognized parameter: \"a=b\"", { $0.column("a=b") }),
    ]
    try Connection.inMemory { db throws in
      for (message, define) in definitions {
        let error = try databaseError {
          try db.create(virtualTable: "words", using: FTS4()) { t in define(t) }
        }
        #expect(error.message == message)
        #expect(try !db.tableExists("words"))
      }
      try db.create(virtualTable: "words", using: FTS3()) { $0.column("a=b") }
      #expect(try db.columns(in: "words").map(\.name) == ["a=b"])
    }
  }

  /// The words of a full-text table, and how often each occurs.
  struct Terms: VirtualTableModule {
    final class Definition { var table = "" }
    var moduleName = "fts4aux"
    func makeTableDefinition(configuration: VirtualTableConfiguration) -> Definition {
      #expect(configuration.options == .ifNotExists)
      return Definition()
    }
    func moduleArguments(for definition: Definition, in db: Database) throws -> [String] {
      definition.table.isEmpty ? [] : [definition.table]
    }
    func database(_ db: Database, didCreate name: String, using definition: Definition) throws {
      try db.execute(sql: "CREATE VIEW \(name)_view AS SELECT DISTINCT term FROM \(name)")
    }
  }

  @Test func aTemporaryTableIsNotSynchronized() throws {
    try Connection.inMemory { db throws in
      try db.execute(sql: "CREATE TABLE place (id INTEGER PRIMARY KEY, name)")
      for options in [VirtualTableOptions.temporary, []] {
        let error = try databaseError {
          try db.create(virtualTable: "words", options: options, using: FTS4()) { t in
            t.synchronize(withTable: "place")
            t.column("name")
          }
        }
        #expect(error.message?.hasSuffix("its name is that of a temporary table") == true)
        // The second time there is one of that name.
        let ifNotExists: VirtualTableOptions = [.temporary, .ifNotExists]
        try db.create(virtualTable: "words", options: ifNotExists, using: FTS4())
        try db.create(virtualTable: "words", options: ifNotExists, using: "fts4")
        #expect(try db.tableExists("words", in: "temp") && !db.tableExists("words", in: "main"))
      }
    }
  }

  @Test func otherModulesHaveDefinitionsOfTheirOwn() throws {
    try Connection.inMemory { db throws in
      try db.create(virtualTable: "words", using: FTS4())
      try db.execute(sql: "INSERT INTO words VALUES ('a quay')")
      for _ in 1...2 {
        try db.create(virtualTable: "terms", options: .ifNotExists, using: Terms()) {
          $0.table = "words"
        }
      }
      #expect(try String.fetchAll(db, sql: "SELECT * FROM terms_view") == ["a", "quay"])
      let error = try databaseError {
        try db.create(virtualTable: "t", ifNotExists: true, using: Terms(moduleName: "fts9"))
      }
      #expect(error.message == "no such module: fts9")
      #expect(error.advice?.contains("SQLITE_ENABLE_FTS3") == true)
    }
  }
}
