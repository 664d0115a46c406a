import Foundation
import Holdfast
import HoldfastTestSupport
import Testing

@testable import HoldfastTool

/// Damage of FTS4 and FTS3 tables, whose own check sees only a part of it.
@Suite struct FullTextDamageTests {
  let place: Workplace

  init() throws { place = try Workplace() }

  private static let sentence = "The index of the full-text table 'ft' does not match its texts"

  /// Makes a database with a full-text table `ft`, many words in it, and a change by SQL.
  private func make(
    _ declaration: String, insert key: String = "docid", _ change: String = ""
  ) throws {
    let file = place.directory.file("any.db")
    try? FileManager.default.removeItem(at: file)
    let queue = try DatabaseQueue(path: file.path)
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE source (x TEXT);
          WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 2000)
            INSERT INTO source SELECT 'word' || i || ' harbour' FROM c;
          CREATE VIRTUAL TABLE ft USING \(declaration);
          INSERT INTO ft (\(key), x) SELECT rowid, x FROM source;
          INSERT INTO ft (ft) VALUES ('optimize');
          """)
    }
    try queue.close()
    // Opened again, because a connection keeps parts of an index.
    let again = try DatabaseQueue(path: file.path)
    try again.write { db in try db.execute(sql: change) }
    try again.close()
  }

  private func check() throws -> (problems: [String], warnings: [String]) {
    let checked = try place.run("db", "check", "any.db", "--json")
    let findings = try #require(try checked.objects.first, "\(checked.errors)")
    let problems = try #require(findings["problems"] as? [String])
    #expect(checked.status == (problems.isEmpty ? 0 : 1))
    return (problems, try #require(findings["warnings"] as? [String]))
  }

  private static let contentless = "fts4(x, content='')"
  private static let external = "fts4(x, content=source)"

  @Test(arguments: [
    contentless, external, "fts4(x)", "fts3(x)", "fts4(x, matchinfo=fts3)",
    "fts4(x, content='', tokenize=porter)", "fts4(x, content=\"\", prefix='2,4')",
    "fts4(x, y, content='', notindexed=y, order=desc)", "fts3(x, content='')",
    "fts4(x, content='', tokenize=unicode61)",
  ])
  func aSoundTableIsSound(declaration: String) throws {
    try make(declaration)
    let (problems, warnings) = try check()
    #expect(problems == [] && warnings == [])
  }

  @Test func anEmptyTableIsSound() throws {
    try make(Self.contentless, "DROP TABLE ft; CREATE VIRTUAL TABLE ft USING fts4(x, content='')")
    let (problems, warnings) = try check()
    #expect(problems == [] && warnings == [])
  }

  @Test(arguments: [contentless, external, "fts4(x)"])
  func damageOfTheIndexIsAProblem(declaration: String) throws {
    for change in [
      "DELETE FROM ft_segments WHERE blockid = (SELECT max(blockid) FROM ft_segments)",
      "UPDATE ft_segments SET block = substr(block, 1, length(block) / 2)",
      "DELETE FROM ft_segdir",
    ] {
      try make(declaration, change)
      let (problems, _) = try check()
      #expect(problems.count == 1, "\(change) \(problems)")
      #expect(problems.first?.hasPrefix(Self.sentence) == true, "\(change) \(problems)")
    }
  }

  @Test(arguments: [
    (contentless, ["segments", "segdir", "docsize", "stat"]),
    (external, ["segments", "segdir", "docsize", "stat"]),
    ("fts4(x, matchinfo=fts3)", ["segments", "segdir", "content"]),
    ("fts3(x)", ["segments", "segdir", "content"]),
  ])
  func aTableThatTheIndexLacksIsNamed(declaration: String, parts: [String]) throws {
    for part in parts {
      try make(declaration, "DROP TABLE ft_\(part)")
      let (problems, _) = try check()
      #expect(problems == ["\(Self.sentence): no such table: main.ft_\(part)"])
    }
  }

  @Test(arguments: ["data", "idx", "config", "content", "docsize"])
  func aTableThatFTS5LacksIsNamed(part: String) throws {
    try make("fts5(x)", insert: "rowid", "DROP TABLE ft_\(part)")
    let (problems, _) = try check()
    #expect(problems == ["\(Self.sentence): no such table: main.ft_\(part)"])
  }

  @Test func textsThatAreGoneOrOthersAreAProblem() throws {
    for (change, reason) in [
      ("DELETE FROM source WHERE rowid = 5", nil),
      ("UPDATE source SET x = 'other' WHERE rowid = 5", nil),
      ("DROP TABLE source", "no such table: main.source"),
      ("ALTER TABLE source RENAME COLUMN x TO y", "no such column: x"),
    ] as [(String, String?)] {
      for (declaration, key) in [
        (Self.external, "docid"), ("fts5(x, content=source)", "rowid"),
        ("fts5(x, content='source', content_rowid=\"rowid\")", "rowid"),
      ] {
        try make(declaration, insert: key, change)
        let (problems, _) = try check()
        let lost = reason.map { "The full-text table 'ft' cannot read its texts: \($0)" }
        #expect(problems == [lost ?? Self.sentence], "\(change) \(declaration)")
      }
    }
    // The rows have no such number.
    try make("fts5(x, content=source, content_rowid=id)", insert: "rowid")
    let (problems, warnings) = try check()
    #expect(problems == ["The full-text table 'ft' cannot read its texts: no such column: id"])
    #expect(warnings == [])
  }

  @Test func wordsThatAreNotThoseOfTheTotalsAreAProblem() throws {
    try make(Self.contentless, "DELETE FROM ft_stat")
    #expect(
      try check().problems == [
        "\(Self.sentence): it has 4000 words, and 0 according to its totals"
      ])
  }

  /// The beginning of a name is enough for FTS5.
  @Test(arguments: [
    "fts5(x, cont='')", "fts5(x, content='', columns=0)", "fts5(x, C=source, content_=rowid)",
  ])
  func anOptionOfFTS5MayBeAbbreviated(declaration: String) throws {
    try make(declaration, insert: "rowid")
    let (problems, warnings) = try check()
    #expect(problems == [] && warnings == [])
  }

  /// SQLite reads the sizes for `matchinfo` alone, and its check not at all.
  @Test(arguments: [
    contentless, external, "fts4(x)", "fts4(x, y, notindexed=y)", "fts4(x, languageid=l)",
    "fts4(x, tokenize=unicode61, order=desc)",
  ])
  func sizesThatSQLiteCannotReadAreAProblem(declaration: String) throws {
    for (change, reason) in [
      ("UPDATE ft_docsize SET size = x'80' WHERE docid < 4", "the sizes of 3 texts"),
      ("UPDATE ft_docsize SET size = '1234' WHERE docid = 4", "the sizes of 1 text"),
      ("UPDATE ft_docsize SET size = NULL", "the sizes of 2000 texts"),
      ("DELETE FROM ft_docsize WHERE docid IN (1, 2000)", "the sizes of 2 texts"),
      ("DELETE FROM ft_stat", "its totals"),
      ("UPDATE ft_stat SET value = x'01' WHERE id = 0", "its totals"),
      ("UPDATE ft_stat SET value = x'00010101' WHERE id = 0", "its totals"),
    ] {
      let hasTexts = !declaration.contains("content=''")
      if change.hasPrefix("DELETE FROM ft_docsize"), !hasTexts { continue }
      // Of these the words are counted.
      if change.contains("ft_stat"), !hasTexts { continue }
      try make(declaration, change)
      #expect(try check().problems == ["\(Self.sentence): it lacks \(reason)"], "\(change)")
      let queue = try DatabaseQueue(path: place.directory.file("any.db").path)
      defer { queue.closeIgnoringErrors() }
      #expect(throws: DatabaseError.self, "\(change)") {
        try queue.read { db in
          _ = try Row.fetchAll(
            db, sql: "SELECT matchinfo(ft, 'pcnal') FROM ft WHERE ft MATCH 'harbour'")
        }
      }
    }
  }

  /// A text without words may be missing in the index.
  @Test(arguments: [
    "", ", tokenize=unicode61 \"tokenchars=-\" \"separators=x\"", ", tokenize=porter",
  ])
  func aTextWithoutWordsNeedsNoSizes(tokenizer: String) throws {
    for (text, reason) in [("' '", nil), ("NULL", nil), ("'.'", nil), ("'rowing'", "1 text")]
      as [(String, String?)]
    {
      let isWord = reason != nil
      try make(
        "fts4(x, content=source\(tokenizer))",
        """
        INSERT INTO source (rowid, x) VALUES (3000, \(text));
        \(isWord ? "INSERT INTO ft (docid, x) VALUES (3000, \(text));" : "")
        DELETE FROM ft_docsize WHERE docid = 3000
        """)
      let problem = reason.map { "\(Self.sentence): it lacks the sizes of \($0)" }
      #expect(try check().problems == [problem].compactMap(\.self), "\(text)")
    }
  }

  /// Its words are in columns that are not indexed; for a tokenizer, a space may be a letter.
  @Test(arguments: [
    "x, y, z, content=source, notindexed=Y", "x, y, z, content=source, notindexed=z, notindexed=y",
    "x, content=source, notindexed=x",
    "x, y, content=source, notindexed=y, tokenize=unicode61 \"remove_diacritics=0\" \"tokenchars=. \"",
  ])
  func aTextWithoutIndexedWordsNeedsNoSizes(declaration: String) throws {
    try make(
      "fts4(\(declaration))",
      """
      ALTER TABLE source ADD COLUMN y; ALTER TABLE source ADD COLUMN z;
      INSERT INTO source (rowid, x, y) VALUES (3000, NULL, 'harbour');
      """)
    let (problems, warnings) = try check()
    #expect(problems == [] && warnings == [])
  }

  /// FTS5 compares sizes with texts, and here it has none.
  @Test(arguments: ["content=''", "content='', detail=none", "content='', columnsize=0"])
  func sizesOfTextsThatFTS5LacksAreAProblem(options: String) throws {
    let declaration = "fts5(x, y UNINDEXED, \(options))"
    try make(declaration, insert: "rowid")
    #expect(try check().problems == [])
    let hasSizes = !options.contains("columnsize")
    for (change, reason) in [
      ("UPDATE ft_docsize SET sz = x'02' WHERE id < 4", "the sizes of 3 texts"),
      ("UPDATE ft_docsize SET sz = NULL", "the sizes of 2000 texts"),
      ("UPDATE ft_docsize SET sz = CAST(sz || x'01' AS BLOB) WHERE id = 7", "the sizes of 1 text"),
      ("UPDATE ft_docsize SET sz = CAST(sz || x'80' AS BLOB) WHERE id < 3", "the sizes of 2 texts"),
      ("DELETE FROM ft_docsize WHERE id IN (1, 7, 2000)", "the sizes of 3 texts"),
      ("DELETE FROM ft_data WHERE id = 1", "its totals"),
      ("UPDATE ft_data SET block = x'' WHERE id = 1", "its totals"),
      ("UPDATE ft_data SET block = x'000000' WHERE id = 1", "its totals"),
    ] where hasSizes {
      try make(declaration, insert: "rowid", change)
      #expect(try check().problems == ["\(Self.sentence): it lacks \(reason)"], "\(change)")
      let queue = try DatabaseQueue(path: place.directory.file("any.db").path)
      defer { queue.closeIgnoringErrors() }
      #expect(throws: DatabaseError.self, "\(change)") {
        try queue.read { db in
          _ = try Row.fetchAll(db, sql: "SELECT bm25(ft) FROM ft WHERE ft MATCH 'harbour'")
        }
      }
    }
  }

  /// Nothing says how many words they should be.
  @Test(arguments: [
    "fts4(x, content='', matchinfo=fts3)", "fts4(x, content='', languageid=l)",
  ])
  func wordsWithoutTextsAndTotalsAreNotExamined(declaration: String) throws {
    try make(declaration)
    let (problems, warnings) = try check()
    #expect(problems == [])
    #expect(
      warnings == [
        "the table 'ft' was not examined: the texts of the words, which it does not store"
      ])
    try make(declaration, "DELETE FROM ft_segments")
    #expect(try check().problems == [Self.sentence])
  }

  @Test func theDoctorSaysTheSame() throws {
    let copy = try ContainerCopy()
    for (name, change) in [("sound", ""), ("damaged", "DELETE FROM ft_segments")] {
      try make(Self.contentless, change)
      try copy.write(
        try Data(contentsOf: place.directory.file("any.db")), to: "Documents/\(name).sqlite")
    }
    let found = try copy.doctor("--json")
    #expect(try found.findings == ["stale_search_index Documents/damaged.sqlite ft"])
    let advice = try #require(try found.objects.first?["advice"] as? String)
    #expect(advice.hasPrefix("Drop the table, create it again"))
  }

  // MARK: - R*Trees

  private static let tree = """
    CREATE VIRTUAL TABLE tree USING rtree(id, a, b);
    WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 500)
      INSERT INTO tree SELECT i, i, i + 1 FROM c;
    """

  /// A column of a table that the module itself has made is no function of the app.
  @Test(arguments: [
    ("rtree(id, low, high)", "nodeno INTEGER PRIMARY KEY,data", "nodeno INTEGER PRIMARY KEY,dada"),
    ("rtree(id, low, high)", "parentnode", "parentmode"),
    ("fts5(text)", "block BLOB", "blocc BLOB"),
    ("fts4(text)", "size BLOB", "sise BLOB"),
  ])
  func aMissingColumnOfAnIndexIsDamage(module: String, own: String, other: String) throws {
    let copy = try ContainerCopy()
    try copy.database("Documents/a.sqlite") { db in
      try db.execute(sql: "CREATE VIRTUAL TABLE v USING \(module)")
      try db.execute(
        sql: """
          PRAGMA writable_schema = ON;
          UPDATE sqlite_schema SET sql = replace(sql, '\(own)', '\(other)') WHERE name GLOB 'v_*'
          """)
    }
    let kinds = Set(try copy.doctor("--json").objects.map { "\($0["kind"] ?? "")" })
    #expect(kinds == [module.hasPrefix("rtree") ? "damaged_database" : "stale_search_index"])
  }

  /// FTS5 says the same of an index of a later version, which is sound.
  @Test(arguments: [(0, true), (9, false)]) func anIndexOfNoVersionIsDamage(
    version: Int, isDamaged: Bool
  ) throws {
    let copy = try ContainerCopy()
    try copy.database("Documents/a.sqlite") { db in
      try db.execute(
        sql: """
          CREATE VIRTUAL TABLE v USING fts5(text);
          UPDATE v_config SET v = \(version) WHERE k = 'version'
          """)
    }
    let kind = isDamaged ? "stale_search_index" : "unknown_module"
    #expect(try copy.doctor("--json").findings == ["\(kind) Documents/a.sqlite v"])
  }

  /// SQLite's own check knows nothing of them before 3.44.
  @Test func damageOfATreeIsAProblem() throws {
    for (change, isSound) in [("", true), ("DELETE FROM tree_node WHERE nodeno = 3", false)] {
      let copy = try ContainerCopy()
      try copy.database("Documents/a.sqlite") { db in
        try db.execute(sql: Self.tree + change)
      }
      let found = try copy.doctor("--json")
      #expect(try found.findings == (isSound ? [] : ["damaged_database Documents/a.sqlite"]))
      try? FileManager.default.removeItem(at: place.directory.file("any.db"))
      try FileManager.default.copyItem(
        at: copy.url("Documents/a.sqlite"), to: place.directory.file("any.db"))
      let (problems, _) = try check()
      #expect(problems.isEmpty == isSound, "\(problems)")
      if !isSound { #expect(problems.contains { $0.contains("the R*Tree 'tree' is damaged") }) }
    }
  }
}
