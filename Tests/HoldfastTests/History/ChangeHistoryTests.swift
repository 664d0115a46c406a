import Foundation
import Holdfast
import HoldfastTestSupport
import Testing

@Suite struct ChangeHistoryTests {
  private static let table = "CREATE TABLE t (id INTEGER PRIMARY KEY, a UNIQUE)"

  // MARK: - Tokens

  @Test func aTokenRoundTripsAsTextAndAsJSON() throws {
    let file = try HistoryFile(Self.table)
    try file.write("INSERT INTO t VALUES (1, 1)")
    let token = try file.token()
    #expect(ChangeHistory.Token(token.description) == token)
    let data = try JSONEncoder().encode([token])
    #expect(try JSONDecoder().decode([ChangeHistory.Token].self, from: data) == [token])
    for text in ["", "x", "\(token)-1", "g\(token.description.dropFirst())", "a-1-2"] {
      #expect(ChangeHistory.Token(text) == nil)
    }
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([ChangeHistory.Token].self, from: Data(#"["x"]"#.utf8))
    }
  }

  @Test func aTokenOfAnotherDatabaseIsExpired() throws {
    let file = try HistoryFile(Self.table)
    let other = try HistoryFile(Self.table)
    let answer = try file.answer(after: other.token())
    #expect(answer.expiration == .otherStore)
    try file.write("INSERT INTO t VALUES (1, 1)")
    #expect(try file.lines(after: answer.next) == ["insert t 1"])
  }

  @Test func aTokenNewerThanARestoredBackupIsExpired() throws {
    let file = try HistoryFile(Self.table)
    try file.write("INSERT INTO t VALUES (1, 1)")
    let saved = try DatabaseQueue()
    try file.pool.blockingBackup(to: saved)
    let shared = try file.token()
    try file.write("INSERT INTO t VALUES (2, 2)")
    let lost = try file.token()
    try saved.blockingBackup(to: file.pool)
    #expect(try file.answer(after: lost).expiration == .replaced)
    #expect(try file.answer(after: shared).expiration == nil)
    // The same number, used a second time.
    try file.pool.blockingWrite { db in
      try db.execute(
        sql: "INSERT INTO t VALUES (3, 3); UPDATE holdfast_history SET time = time + 1")
    }
    #expect(try file.answer(after: lost).expiration == .replaced)
  }

  @Test func aResultHasTheTokenForTheNextRequest() throws {
    let file = try HistoryFile(Self.table)
    #expect(try file.answer(after: nil).next == file.token())
    try file.write("INSERT INTO t VALUES (1, 1), (2, 2)")
    let first = try file.answer(after: nil, .everyChange)
    #expect(try first.changes.map(\.line) == ["insert t 1", "insert t 2"])
    #expect(try first.changes.last?.token == first.next)
    let token = try #require(try first.changes.first?.token)
    #expect(try file.lines(after: token) == ["insert t 2"])
    #expect(try file.lines(after: first.next) == [])
  }

  @Test func aReadSeesTheHistoryOfItsState() throws {
    let file = try HistoryFile(Self.table)
    try file.pool.blockingRead { db in
      try file.writeOnAnotherConnection("INSERT INTO t VALUES (1, 1)")
      guard case .changes(let changes, upTo: _) = try ChangeHistory.changes(db, after: nil) else {
        Issue.record("The history has expired.")
        return
      }
      #expect(changes == [])
    }
  }

  // MARK: - Authors

  @Test func ownChangesCanBeExcluded() throws {
    let file = try HistoryFile(Self.table, author: "app")
    try file.write("INSERT INTO t VALUES (1, 1), (2, 2)")
    let widget = try HistoryFile.open(file.path, author: "it's a \0 widget")
    try widget.blockingWrite { db in
      try db.execute(sql: "UPDATE t SET a = 9 WHERE id = 2; INSERT INTO t VALUES (3, 3)")
    }
    #expect(try file.changes().map(\.author) == ["app", "it's a \0 widget", "it's a \0 widget"])
    let others = try file.changes(excluding: "app")
    #expect(others.map(\.line) == ["insert t 2", "insert t 3"])
    let each = try file.changes(.everyChange, excluding: "app")
    #expect(each.map(\.line) == ["update t 2", "insert t 3"])
    let widgetless = try file.changes(excluding: "it's a \0 widget")
    #expect(widgetless.map(\.line) == ["insert t 1", "insert t 2"])
  }

  @Test func everyWriteOfAPoolHasItsAuthor() async throws {
    let file = try HistoryFile(Self.table, author: "app")
    try file.write("INSERT INTO t VALUES (1, 1)")
    try await file.pool.write { db in try db.execute(sql: "INSERT INTO t VALUES (2, 2)") }
    try file.pool.blockingWithoutTransaction { db in
      try db.execute(sql: "INSERT INTO t VALUES (3, 3)")
      try db.execute(sql: "BEGIN; INSERT INTO t VALUES (4, 4); COMMIT")
      try db.inSavepoint {
        try db.execute(sql: "INSERT OR REPLACE INTO t VALUES (5, 1)")
        return .commit
      }
    }
    let changes = try file.changes()
    #expect(changes.map(\.line) == ["insert t 2", "insert t 3", "insert t 4", "insert t 5"])
    #expect(changes.allSatisfy { $0.author == "app" })
  }

  @Test func everyWriteOfAQueueHasItsAuthor() throws {
    let file = try HistoryFile(Self.table)
    var configuration = Configuration()
    configuration.historyAuthor = "queue"
    let queue = try DatabaseQueue(path: file.path, configuration: configuration)
    try queue.blockingWrite { db in try db.execute(sql: "INSERT INTO t VALUES (1, 1)") }
    #expect(try file.changes().map(\.author) == ["queue"])
  }

  /// The table is added by another process after this one opened the file.
  @Test func aTableAddedLaterRecordsTheAuthor() throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("t.db").path
    let pool = try HistoryFile.open(path, author: "app")
    let other = try HistoryFile.open(path)
    try other.blockingWrite { db in
      try db.execute(sql: Self.table)
      try ChangeHistory.install(on: db, tables: ["t"])
    }
    try pool.blockingWrite { db in try db.execute(sql: "INSERT INTO t VALUES (1, 1)") }
    let answer = try pool.blockingRead { db in try ChangeHistory.changes(db, after: nil) }
    #expect(try answer.changes.map(\.author) == ["app"])
  }

  @Test func theTriggersDoNotAffectChangeCountsAndRowIDs() throws {
    let file = try HistoryFile(Self.table, author: "app")
    try file.pool.blockingWrite { db in
      try db.execute(sql: "INSERT INTO t VALUES (41, 1), (42, 2)")
      #expect(db.changesCount == 2)
      #expect(db.lastInsertedRowID == 42)
    }
  }

  @Test func theRecordedTimeIsThatOfTheChange() throws {
    let file = try HistoryFile(Self.table)
    let before = Date().timeIntervalSince1970
    try file.write("INSERT INTO t VALUES (1, 1)")
    let time = try #require(try file.changes().first?.time.timeIntervalSince1970)
    #expect((before - 0.002...Date().timeIntervalSince1970 + 0.002).contains(time))
  }

  // MARK: - Against a model

  /// After each burst, the changes must state exactly which rows differ, and how.
  @Test(arguments: 0..<40) func theChangesEqualTheDifferenceOfTheRows(seed: UInt64) throws {
    var random = SeededRandom(unprinted: seed)
    let file = try HistoryFile(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a UNIQUE, b, c);
      CREATE UNIQUE INDEX i ON t (b) WHERE c > 0;
      CREATE UNIQUE INDEX j ON t (abs(b - 3), lower(c));
      """)
    func rows() throws -> [Int64: [DatabaseValue]] {
      try file.pool.blockingRead { db in
        Dictionary(
          uniqueKeysWithValues: try Row.fetchAll(db, sql: "SELECT * FROM t").map {
            ($0[0] as Int64, $0.databaseValues)
          })
      }
    }
    func number() -> String { ["NULL", "1", "2", "3", "4", "5"].randomElement(using: &random)! }
    func statement() -> String {
      let policy = ["", "OR REPLACE", "OR IGNORE", "OR REPLACE"].randomElement(using: &random)!
      let values = "(\((0..<4).map { _ in number() }.joined(separator: ", ")))"
      switch Int.random(in: 0..<6, using: &random) {
      case 0, 1: return "INSERT \(policy) INTO t VALUES \(values)"
      case 2:
        return "INSERT INTO t VALUES \(values) ON CONFLICT (a) DO UPDATE SET b = \(number())"
      case 3: return "INSERT INTO t VALUES \(values) ON CONFLICT DO NOTHING"
      case 4:
        let column = ["id", "a", "b", "c"].randomElement(using: &random)!
        return "UPDATE \(policy) t SET \(column) = \(number()) WHERE id >= \(number())"
      default: return "DELETE FROM t WHERE id = \(number())"
      }
    }
    for _ in 0..<25 {
      let before = try rows()
      let token = try file.token()
      try file.pool.blockingWithoutTransaction { db in
        for _ in 0..<Int.random(in: 1...5, using: &random) {
          // A refused statement changes nothing, or reports what it changed.
          do { try db.execute(sql: statement()) } catch let error as DatabaseError {
            #expect([.SQLITE_CONSTRAINT, .SQLITE_MISMATCH].contains(error.resultCode), "\(error)")
          }
        }
      }
      let after = try rows()
      var kinds: [Int64: ChangeHistory.Kind] = [:]
      for change in try file.changes(after: token) {
        guard case .int64(let key)? = change.key.first?.storage else { continue }
        #expect(kinds.updateValue(change.kind, forKey: key) == nil, "seed \(seed)")
      }
      for key in Set(before.keys).union(after.keys) {
        switch (before[key], after[key]) {
        case (nil, _): #expect(kinds[key] == .insert, "seed \(seed), row \(key)")
        case (_, nil): #expect(kinds[key] == .delete, "seed \(seed), row \(key)")
        case (let old, let new):
          let isRight = kinds[key] == .update || kinds[key] == nil && old == new
          #expect(isRight, "seed \(seed), row \(key)")
        }
      }
      #expect(Set(kinds.keys).isSubset(of: Set(before.keys).union(after.keys)))
    }
  }
}

extension HistoryFile {
  /// Writes while this thread is inside a read.
  fileprivate func writeOnAnotherConnection(_ sql: String) throws {
    try DatabaseQueue(path: path).blockingWrite { db in try db.execute(sql: sql) }
  }
}
