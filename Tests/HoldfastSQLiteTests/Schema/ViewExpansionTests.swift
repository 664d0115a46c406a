import Synchronization
import Testing

@testable import HoldfastSQLite

@Suite struct ViewExpansionTests {
  /// A statement of a trigger or a view in which each expression but the first mentions the one before twice.
  private static func doubling(_ levels: Int) -> String {
    let expressions = (0..<levels).map { level in
      level == 0
        ? "e0 (a) AS (SELECT 1)"
        : "e\(level) (a) AS (SELECT x.a FROM e\(level - 1) x, e\(level - 1) y)"
    }
    return "SELECT a FROM (WITH \(expressions.joined(separator: ", ")) "
      + "SELECT a FROM e\(levels - 1))"
  }

  @Test(arguments: [(12, false), (18, true)])
  func theExpressionsOfATriggerAreCounted(levels: Int, isEndless: Bool) throws {
    try Connection.inMemory { db throws in
      try db.execute(
        sql: """
          CREATE TABLE t (a);
          CREATE TRIGGER g AFTER UPDATE OF a ON t BEGIN
            DELETE FROM t WHERE a > 9; UPDATE t SET a = (\(Self.doubling(levels))); END
          """)
      #expect(db.hasEndlessTriggers == isEndless && !db.hasEndlessViews)
    }
  }

  /// A view may have the name of a trigger.
  @Test func aTriggerMentionsTheViewsOfItsSchema() throws {
    try Connection.inMemory { db throws in
      try db.execute(
        sql: """
          CREATE TABLE t (a);
          CREATE VIEW v AS \(Self.doubling(15));
          CREATE TRIGGER v AFTER INSERT ON t BEGIN
            INSERT INTO t SELECT v.a FROM v, main.v w, v x; END
          """)
      #expect(db.hasEndlessTriggers && !db.hasEndlessViews)
    }
  }

  /// The names are in quotes, or in one case or the other, and the views are found by them all the same.
  @Test(arguments: [
    ("v#", "v#"), ("v#", "\"V#\""), ("v#", "[v#]"), ("v#", "'v#'"), ("v#", "main.v#"),
    ("\"v #\"", "\"v #\""), ("\"v.#\"", "[v.#]"), ("\"é#\"", "É#"), ("\"é#\"", "é#"),
    ("\"v\"\"#\"", "\"v\"\"#\""), ("v#", "\u{FEFF}v#"), ("\"\u{FEFF}v#\"", "\"\u{FEFF}v#\""),
  ])
  func viewsThatMentionTheOneBeforeTwiceAreCounted(name: String, mention: String) throws {
    for (levels, isEndless) in [(12, false), (18, true)] {
      try Connection.inMemory { db throws in
        try db.execute(sql: "CREATE TABLE \(name.replacing("#", with: "0")) (a)")
        for level in 1...levels {
          let before = mention.replacing("#", with: "\(level - 1)")
          try db.execute(
            sql: """
              CREATE VIEW \(name.replacing("#", with: "\(level)")) AS
              SELECT x.a FROM \(before) AS x, \(before) y
              """)
        }
        // The name of another view is no mention.
        #expect(db.hasEndlessViews == (isEndless && mention != "É#"), "\(levels)")
      }
    }
  }

  @Test func theSchemaIsReadOnceWhenADatabaseIsOpened() throws {
    final class Log: Sendable { let count = Mutex(0) }
    let log = Log()
    var configuration = Configuration()
    configuration.hasForeignSchema = true
    configuration.prepareDatabase { db in
      try db.execute(sql: "CREATE VIEW v AS SELECT 1")
      db.trace { if "\($0)".contains("'view'") { log.count.withLock { $0 += 1 } } }
    }
    configuration.prepareDatabase { db in #expect(!db.hasEndlessViews) }
    try Connection(nil, configuration).withAccess { db throws in
      #expect(log.count.withLock { $0 } == 1)
      try db.execute(sql: "CREATE VIEW w AS \(Self.doubling(18))")
      #expect(db.hasEndlessViews)
    }
  }
}
