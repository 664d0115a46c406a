import Foundation
import Holdfast
import HoldfastTestSupport
import Testing

/// Foreign keys in containers: `doctor` and `db check` say the same of them.
@Suite struct ForeignKeyExaminationTests {
  private static let name = "Documents/a.sqlite"

  let copy: ContainerCopy
  private let file: String

  init() throws {
    copy = try ContainerCopy()
    file = copy.url(Self.name).path(percentEncoded: false)
    try copy.write("", to: Self.name)
  }

  private func write(_ sql: String) throws {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    let queue = try DatabaseQueue(path: file, configuration: configuration)
    try queue.writeWithoutTransaction { db in try db.execute(sql: sql) }
    try queue.close()
  }

  private func checked() throws -> (problems: [String], warnings: [String]) {
    let answer = try ToolProcess.run("db", "check", file, "--json").objects.first
    return (
      try #require(answer?["problems"] as? [String]), try #require(answer?["warnings"] as? [String])
    )
  }

  @Test func `rows that refer to none are found`() throws {
    try write(
      """
      CREATE TABLE book (id INTEGER PRIMARY KEY, isbn NUMERIC);
      CREATE TABLE page (id INTEGER PRIMARY KEY, book INTEGER REFERENCES book);
      CREATE TABLE loan (isbn TEXT REFERENCES book (isbn));
      CREATE INDEX by_isbn ON loan (isbn);
      INSERT INTO book VALUES (1, 'a');
      INSERT INTO page VALUES (1, 1), (2, NULL), (3, 2), (4, 3);
      """)
    let found = try copy.doctor("--json")
    #expect(found.status == 1)
    #expect(
      try found.findings == [
        "broken_constraint \(Self.name) loan isbn",
        "broken_constraint \(Self.name) page book book ×2",
      ])
    let page = try #require(try found.objects.last)
    #expect(page["message"] as? String == "2 rows of 'page' refer to no row of 'book'.")
    #expect(page["severity"] as? String == "warning")
    #expect(page["rowid"] as? Int == 3)
    #expect(
      try checked().problems == [
        "the foreign key of loan needs a unique index on book(isbn)",
        "row 3 of page refers to no row of book", "row 4 of page refers to no row of book",
      ])
    // What SQLite cannot follow needs no index.
    #expect(try checked().warnings == [])
    // An index of some rows makes no column unique.
    try write("CREATE UNIQUE INDEX some ON book (isbn) WHERE id > 1")
    #expect(
      try checked().problems.first == "the foreign key of loan needs a unique index on book(isbn)")
    try write("DELETE FROM page WHERE book > 1; CREATE UNIQUE INDEX every ON book (isbn)")
    #expect(try copy.doctor("--json").findings == [])
    #expect(try checked().problems == [])
  }

  /// Without names, a foreign key refers to a primary key.
  @Test func `a foreign key to a table without a primary key is found`() throws {
    try write("CREATE TABLE book (isbn TEXT); CREATE TABLE loan (isbn TEXT REFERENCES book);")
    let message = "the foreign key of loan refers to the primary key of book, which has none"
    #expect(try checked().problems == [message])
    #expect(try copy.doctor("--json").findings == ["broken_constraint \(Self.name) loan isbn"])
  }

  /// Nothing makes SQLite follow these, but for the two that need a column.
  @Test(
    arguments: [
      (
        "CREATE TABLE a (x); CREATE VIEW parent AS SELECT x FROM a", "parent (x)", false,
        "refers to the view parent, and SQLite follows it to a table only"
      ),
      (
        "CREATE VIRTUAL TABLE parent USING fts5(x)", "parent (x)", false,
        "refers to the virtual table parent, which can have no unique index"
      ),
      (
        "CREATE VIRTUAL TABLE parent USING rtree(id, low, high)", "parent", false,
        "refers to the virtual table parent, which can have no unique index"
      ),
      (
        "CREATE TABLE a (x); CREATE INDEX b ON a (x); INSERT INTO a VALUES (1); ANALYZE",
        "sqlite_stat1 (tbl)", false,
        "refers to SQLite's own table sqlite_stat1, which can have no unique index"
      ),
      (
        "", "sqlite_schema (name)", false,
        "refers to SQLite's own table sqlite_schema, which can have no unique index"
      ),
      (
        "", "SQLite_Master (name)", false,
        "refers to SQLite's own table SQLite_Master, which can have no unique index"
      ),
      // SQLite knows it in the schema "temp" only.
      (
        "", "sqlite_temp_master (name)", false,
        "refers to sqlite_temp_master, which does not exist"
      ),
      (
        "CREATE TABLE parent (x)", "parent (rowid)", false,
        "refers to the rowid of parent, which is no column"
      ),
      ("CREATE TABLE parent (x)", "parent (y)", true, "refers to parent(y), which does not exist"),
      (
        "CREATE TABLE parent (x, y, PRIMARY KEY (x, y))", "parent", false,
        "has 1 column, and the primary key of parent has 2"
      ),
      (
        "CREATE TABLE parent (x, y AS (x + 1))", "parent (y)", true,
        "needs a unique index on parent(y)"
      ),
    ] as [(String, String, Bool, String)])
  func `a foreign key that no index lets SQLite follow is named as that`(
    parent: String, reference: String, isMendedByParent: Bool, reason: String
  ) throws {
    try write("\(parent); CREATE TABLE child (p REFERENCES \(reference))")
    #expect(try checked().problems == ["the foreign key of child \(reason)"])
    let found = try copy.doctor("--json")
    #expect(try found.findings == ["broken_constraint \(Self.name) child p"])
    let advice = try #require(try found.objects.first?["advice"] as? String)
    #expect(advice.hasPrefix("Create what is missing") == isMendedByParent)
  }

  /// SQLite leaves such a key behind where a table is made again under another name.
  @Test func `a foreign key to a missing table is found`() throws {
    try write("CREATE TABLE entry (user REFERENCES user__old (id));")
    #expect(
      try checked().problems == [
        "the foreign key of entry refers to user__old, which does not exist"
      ])
    #expect(try copy.doctor("--json").findings == ["broken_constraint \(Self.name) entry user"])
    try write("CREATE TABLE User__Old (id INTEGER PRIMARY KEY);")
    #expect(try checked().problems == [])
    #expect(try copy.doctor("--json").findings == [])
  }

  /// SQLite reads all rows of the child for each deleted row of its parent.
  @Test(arguments: [
    ("INTEGER PRIMARY KEY", "TEXT", "parent", "has a type for numbers and child(parent) has not"),
    ("INTEGER PRIMARY KEY", "", "parent", "has a type for numbers and child(parent) has not"),
    ("REAL UNIQUE", "BLOB", "parent, n", "has a type for numbers and child(parent) has not"),
    ("INT PRIMARY KEY", "TEXT", "n, parent", nil),
    ("INTEGER PRIMARY KEY", "INT", "parent", nil), ("TEXT UNIQUE", "INTEGER", "parent", nil),
    ("INTEGER PRIMARY KEY", "INTEGER COLLATE NOCASE", "parent", nil),
    ("TEXT UNIQUE", "BLOB", "parent", nil),
    ("TEXT PRIMARY KEY", "TEXT COLLATE NOCASE", "parent", "has the collation BINARY and"),
    ("TEXT COLLATE NOCASE UNIQUE", "TEXT", "parent", "has the collation NOCASE and"),
    ("TEXT COLLATE NOCASE UNIQUE", "TEXT", "parent COLLATE NOCASE", nil),
    ("TEXT COLLATE NOCASE UNIQUE", "TEXT COLLATE NOCASE", "parent", nil),
  ]) func `an index that SQLite passes over is a warning`(
    key: String, column: String, index: String, cause: String?
  ) throws {
    try write(
      """
      CREATE TABLE parent (id \(key));
      CREATE TABLE child (parent \(column) REFERENCES parent (id) ON DELETE CASCADE, n INTEGER);
      CREATE INDEX by_parent ON child (\(index));
      """)
    let queue = try DatabaseQueue(path: file)
    let plan = try queue.writeWithoutTransaction { db in
      try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN DELETE FROM parent WHERE id > 0")
        .map { try $0.decode(String.self, forColumn: "detail") }
    }
    try queue.close()
    let isServed = cause == nil && index.hasPrefix("parent")
    #expect(plan.contains { $0.hasPrefix("SEARCH child") } == isServed)
    let found = try checked()
    #expect(found.problems == [])
    #expect(found.warnings.count == (cause == nil ? 0 : 1))
    let start =
      "for each row of parent that is deleted, all rows of child are read in spite of the index "
      + "'by_parent': parent(id) "
    #expect(found.warnings.allSatisfy { $0.hasPrefix(start + (cause ?? "")) })
    // With another index that serves there is nothing to do.
    guard cause?.contains("collation") == true else { return }
    let collation = key.contains("NOCASE") ? "NOCASE" : "BINARY"
    #expect(
      found.warnings.first?.hasSuffix(
        ", so declare both alike, or index child(parent COLLATE \(collation))") == true)
    try write("CREATE INDEX served ON child (parent COLLATE \(collation))")
    #expect(try checked().warnings == [])
  }

  /// Advice never costs sound data.
  @Test func `hundreds of foreign keys and indexes do not end the check`() throws {
    let numbers = 0..<160
    let keys = numbers.map { _ in "FOREIGN KEY (isbn) REFERENCES book (isbn)" }
    let indexes = numbers.map {
      "CREATE UNIQUE INDEX book\($0) ON book (isbn); CREATE INDEX loan\($0) ON loan (isbn);"
    }
    try write(
      """
      PRAGMA page_size = 512;
      CREATE TABLE book (isbn TEXT PRIMARY KEY);
      CREATE TABLE loan (isbn TEXT COLLATE NOCASE, \(keys.joined(separator: ", ")));
      \(indexes.joined())
      """)
    let found = try checked()
    #expect(found.problems == [])
    #expect(found.warnings.count == keys.count)
  }

  /// SQLite asks for an index with the collation of the column.
  @Test func `a key that is unique in another collation needs no other index`() throws {
    try write(
      """
      CREATE TABLE book (isbn TEXT);
      CREATE UNIQUE INDEX by_isbn ON book (isbn COLLATE NOCASE);
      CREATE TABLE loan (isbn TEXT REFERENCES book (isbn));
      CREATE INDEX by_book ON loan (isbn);
      """)
    let found = try checked()
    #expect(found.problems.count == 1)
    #expect(found.warnings == [])
  }

  @Test func `foreign keys beside what only a newer SQLite reads are not examined`() throws {
    try write(
      """
      CREATE TABLE a (id INTEGER PRIMARY KEY, v);
      CREATE TABLE b (a INTEGER REFERENCES a (id));
      INSERT INTO a VALUES (1, NULL);
      INSERT INTO b VALUES (1);
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = 'CREATE TABLE a (id INTEGER PRIMARY KEY, v vector<4>)' WHERE name = 'a';
      """)
    let kinds = try copy.doctor("--json").objects.map { "\($0["kind"] ?? "")" }
    #expect(!kinds.isEmpty && !kinds.contains("broken_constraint"))
    #expect(try !checked().problems.contains { $0.contains("refers to") })
  }

  /// Android has collations that no other SQLite has.
  @Test func `a foreign key with an app's collation is not examined`() throws {
    try write(
      """
      CREATE TABLE book (isbn TEXT);
      CREATE UNIQUE INDEX by_isbn ON book (isbn);
      CREATE TABLE loan (isbn TEXT REFERENCES book (isbn));
      CREATE TABLE page (book TEXT REFERENCES book (isbn));
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = 'CREATE TABLE book (isbn TEXT COLLATE LOCALIZED)' WHERE name = 'book';
      """)
    let (problems, warnings) = try checked()
    #expect(problems == [])
    let reason = "was not examined: no such collation sequence: LOCALIZED"
    #expect(warnings.contains("a foreign key of 'loan' \(reason)"))
    #expect(warnings.contains("a foreign key of 'page' \(reason)"))
    let kinds = try copy.doctor("--json").objects.map { "\($0["kind"] ?? "")" }
    #expect(Set(kinds) == ["not_examined"])
  }
}
