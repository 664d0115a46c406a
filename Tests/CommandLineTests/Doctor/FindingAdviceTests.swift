import Foundation
import Holdfast
import HoldfastTestSupport
import Testing

/// The advice of findings is run as it is written, and mends what was found.
@Suite struct FindingAdviceTests {
  private static let name = "Documents/a.sqlite"

  private let copy: ContainerCopy

  init() throws { copy = try ContainerCopy() }

  private func advice(_ kind: String) throws -> [String] {
    try copy.doctor("--json").objects.filter { $0["kind"] as? String == kind }
      .map { try #require($0["advice"] as? String) }
  }

  private func execute(_ sql: String) throws {
    let queue = try DatabaseQueue(path: copy.url(Self.name).path(percentEncoded: false))
    defer { queue.closeIgnoringErrors() }
    try queue.writeWithoutTransaction { db in try db.execute(sql: sql) }
  }

  /// Returns the statements of an advice, which end before a word of the sentence.
  private func statements(_ advice: String) throws -> [String] {
    let form = try Regex(#"(INSERT [^;]*?VALUES ?\([^)]*\))|(REINDEX [^ ]+)|(PRAGMA [^']+)"#)
    return advice.matches(of: form).map { String(advice[$0.range]) }
  }

  private static let stale = """
    CREATE TABLE book (title TEXT);
    CREATE UNIQUE INDEX "nocase" ON book (lower(title));
    INSERT INTO book VALUES ('Harbour'), ('quay');
    PRAGMA writable_schema = ON;
    UPDATE sqlite_schema SET sql = 'CREATE UNIQUE INDEX "nocase" ON book (upper(title))'
    WHERE name = 'nocase';
    PRAGMA writable_schema = OFF
    """

  @Test(arguments: [
    (
      "stale_search_index",
      "CREATE VIRTUAL TABLE t USING fts5(x); INSERT INTO t VALUES ('a'); UPDATE t_content SET c0 = 'b'"
    ),
    (
      "stale_search_index",
      "CREATE VIRTUAL TABLE t USING fts3(x); INSERT INTO t VALUES ('a'); UPDATE t_content SET c0x = 'b'"
    ),
    (
      "stale_search_index",
      "CREATE VIRTUAL TABLE t USING fts4(x); INSERT INTO t VALUES ('a'); DELETE FROM t_docsize"
    ),
    (
      "stale_search_index",
      "CREATE VIRTUAL TABLE t USING fts5(x); INSERT INTO t VALUES ('a'); DELETE FROM t_config"
    ),
    (
      "stale_search_index",
      "CREATE VIRTUAL TABLE t USING fts5(x); INSERT INTO t VALUES ('a'); UPDATE t_config SET v = 3"
    ),
    // SQLite takes the bare name for that of a collation.
    ("stale_index", stale),
  ]) func whatAnAdviceSaysMends(kind: String, sql: String) throws {
    try execute(sql)
    let advice = try #require(try advice(kind).first)
    let statements = try statements(advice)
    #expect(!statements.isEmpty, "\(advice)")
    for statement in statements { try execute(statement) }
    #expect(try self.advice(kind) == [])
  }

  /// Of an index that is unique, values may be equal now.
  @Test func rowsThatUniqueForbidsAreCorrectedFirst() throws {
    try execute(
      Self.stale.replacing("upper(title))'", with: "substr(title, 9))'"))
    let advice = try #require(try advice("stale_index").first)
    #expect(
      advice.contains("change rows whose indexed values are equal now, and run REINDEX"),
      "\(advice)")
    #expect(throws: DatabaseError.self) { try execute(#"REINDEX main."nocase""#) }
  }

  /// SQLite rebuilds an index only from all of its tables.
  @Test(arguments: ["content", "docsize", "idx"])
  func anIndexThatLacksATableIsNotToBeRebuilt(part: String) throws {
    try execute(
      """
      CREATE VIRTUAL TABLE t USING fts5(x);
      INSERT INTO t VALUES ('a');
      PRAGMA writable_schema = ON;
      DELETE FROM sqlite_schema WHERE name = 't_\(part)';
      PRAGMA writable_schema = OFF
      """)
    let advice = try #require(try advice("stale_search_index").first)
    #expect(advice.contains("create the table again under another name"), "\(advice)")
    #expect(throws: DatabaseError.self) { try execute("INSERT INTO t(t) VALUES('rebuild')") }
  }

  /// Neither a view nor a virtual table has a trigger that runs after a change.
  @Test(arguments: [
    ("CREATE TABLE a (x); CREATE VIEW v AS SELECT rowid, x FROM a", "on the tables that the view"),
    ("CREATE VIRTUAL TABLE v USING fts4(x)", "a virtual table has no triggers"),
    ("CREATE TABLE v (x)", "synchronize(withTable:)"),
  ]) func triggersAreAdvisedWhereTheyCanBe(content: String, words: String) throws {
    try execute("\(content); CREATE VIRTUAL TABLE t USING fts5(x, content=v)")
    let advice = try #require(try advice("missing_search_triggers").first)
    #expect(advice.contains(words), "\(advice)")
    let trigger = "CREATE TRIGGER r AFTER INSERT ON v BEGIN SELECT 1; END"
    if !words.hasPrefix("synchronize") {
      #expect(throws: DatabaseError.self) { try execute(trigger) }
    }
  }
}
