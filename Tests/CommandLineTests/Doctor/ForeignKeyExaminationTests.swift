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
      CREATE TABLE book (id INTEGER PRIMARY KEY, isbn TEXT);
      CREATE TABLE page (id INTEGER PRIMARY KEY, book INTEGER REFERENCES book);
      CREATE TABLE loan (isbn TEXT REFERENCES book (isbn));
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
    let message = "foreign key mismatch - \"loan\" referencing \"book\""
    #expect(try checked().problems == [message])
    #expect(try copy.doctor("--json").findings == ["broken_constraint \(Self.name) loan"])
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
