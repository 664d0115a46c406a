import Foundation
import HoldfastFiles
import HoldfastTestSupport
import Testing

@testable import Holdfast

/// Keys, tables, authors and paths that look alike but differ in their bytes.
@Suite struct UnicodeTests {
  static let composed = "caf\u{e9}"
  static let decomposed = "cafe\u{301}"

  /// Texts that look alike: two normalizations, and two that are not UTF-8.
  private static let keys = [
    "CAST(x'636166c3a9' AS TEXT)", "CAST(x'63616665cc81' AS TEXT)", "CAST(x'ff' AS TEXT)",
    "CAST(x'fe' AS TEXT)",
  ]

  // MARK: - Change history

  @Test(arguments: ["", "WITHOUT ROWID"])
  func theHistoryDistinguishesLookAlikeKeys(kind: String) throws {
    let file = try HistoryFile("CREATE TABLE t (k PRIMARY KEY, a) \(kind)")
    let start = try file.token()
    for key in Self.keys { try file.write("INSERT INTO t VALUES (\(key), 1)") }
    #expect(try file.changes(after: start).map(\.kind) == [.insert, .insert, .insert, .insert])
    let inserted = try file.token()
    try file.write(
      "DELETE FROM t WHERE k = \(Self.keys[0]); UPDATE t SET a = 2 WHERE k = \(Self.keys[1])")
    try file.write(
      "DELETE FROM t WHERE k = \(Self.keys[2]); UPDATE t SET a = 2 WHERE k = \(Self.keys[3])")
    let changes = try file.changes(after: inserted)
    #expect(changes.map(\.kind) == [.delete, .update, .delete, .update])
    #expect(Set(changes.map(\.key)).count == 4)
    // The key finds its row.
    let found = try file.pool.blockingRead { db in
      try changes.map {
        try Int.fetchOne(
          db, sql: "SELECT a FROM t WHERE k = ?", arguments: StatementArguments($0.key))
      }
    }
    #expect(found == [nil, 2, nil, 2])
    let updated = try file.token()
    try file.write("UPDATE t SET k = \(Self.keys[0]) WHERE k = \(Self.keys[1])")
    #expect(try file.changes(after: updated).map(\.kind) == [.delete, .insert])
  }

  @Test func theReplacedRowIsReportedAmongLookAlikeKeys() throws {
    let file = try HistoryFile("CREATE TABLE t (k TEXT PRIMARY KEY, u UNIQUE)")
    try file.write("INSERT INTO t VALUES ('\(Self.composed)', 1), ('\(Self.decomposed)', 2)")
    let start = try file.token()
    try file.write("REPLACE INTO t VALUES ('new', 1)")
    let changes = try file.changes(after: start, .everyChange)
    #expect(changes.map(\.kind) == [.delete, .insert])
    #expect(changes[0].key == [Self.composed.databaseValue])
  }

  @Test func tablesWithLookAlikeNamesAreRecordedSeparately() throws {
    let file = try HistoryFile(
      """
      CREATE TABLE "\(Self.composed)" (id INTEGER PRIMARY KEY);
      CREATE TABLE "\(Self.decomposed)" (id INTEGER PRIMARY KEY)
      """, tables: [Self.composed, Self.decomposed])
    let tables = try file.pool.blockingRead { db in try ChangeHistory.tables(db) }
    #expect(
      tables.map { Array($0.utf8) } == [Array(Self.composed.utf8), Array(Self.decomposed.utf8)])
    let start = try file.token()
    try file.write("INSERT INTO \"\(Self.decomposed)\" VALUES (1)")
    let change = try #require(try file.changes(after: start).first)
    #expect(change.table.utf8.elementsEqual(Self.decomposed.utf8))
    try file.pool.blockingWrite { db in
      try ChangeHistory.uninstall(from: db, tables: [Self.decomposed])
    }
    let left = try file.pool.blockingRead { db in try ChangeHistory.tables(db) }
    #expect(left.map { Array($0.utf8) } == [Array(Self.composed.utf8)])
  }

  @Test func anUpdateOfALookAlikeUniqueColumnReportsTheReplacedRow() throws {
    let file = try HistoryFile(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, "\(Self.composed)" UNIQUE, "\(Self.decomposed)" UNIQUE);
      INSERT INTO t VALUES (1, 1, 1), (2, 2, 2)
      """)
    for (column, value) in [(Self.composed, 1), (Self.decomposed, 1)] {
      let start = try file.token()
      try file.write("UPDATE OR REPLACE t SET \"\(column)\" = \(value) WHERE id = 2")
      #expect(try file.lines(after: start) == ["delete t 1", "update t 2"])
      try file.write("REPLACE INTO t VALUES (1, 11, 1), (2, 22, 2)")
    }
  }

  @Test func authorsWithLookAlikeNamesAreDistinct() throws {
    let file = try HistoryFile("CREATE TABLE t (id INTEGER PRIMARY KEY)", author: Self.composed)
    let start = try file.token()
    try file.write("INSERT INTO t VALUES (1)")
    #expect(try file.changes(after: start, excluding: Self.composed).isEmpty)
    #expect(try file.changes(after: start, excluding: Self.decomposed).count == 1)
  }

  @Test func anAuthorNameCanContainAQuoteWithACombiningAccent() throws {
    let author = "O'\u{301}Brien"
    let file = try HistoryFile("CREATE TABLE t (id INTEGER PRIMARY KEY)", author: author)
    let start = try file.token()
    try file.write("INSERT INTO t VALUES (1)")
    let written = try #require(try file.changes(after: start).first?.author)
    #expect(written.utf8.elementsEqual(author.utf8))
  }

  @Test func consumersWithLookAlikeNamesAreDistinct() throws {
    let file = try HistoryFile("CREATE TABLE t (id INTEGER PRIMARY KEY)")
    let first = try file.token()
    try file.write("INSERT INTO t VALUES (1)")
    let second = try file.token()
    try file.pool.blockingWrite { db in
      try ChangeHistory.moveConsumer(Self.composed, to: first, db)
      try ChangeHistory.moveConsumer(Self.decomposed, to: second, db)
      #expect(try ChangeHistory.token(ofConsumer: Self.composed, db) == first)
      #expect(try ChangeHistory.token(ofConsumer: Self.decomposed, db) == second)
    }
  }

  // MARK: - Migrations

  /// Names of migrations are compared as in GRDB, so that a source whose normalization changes does
  /// not apply its migrations again.
  @Test func aMigrationNameInAnotherNormalizationIsTheSameMigration() async throws {
    let queue = try DatabaseQueue()
    var migrator = DatabaseMigrator()
    migrator.registerMigration(Self.composed) { db in try db.execute(sql: "CREATE TABLE t (a)") }
    try await migrator.migrate(queue)
    var renamed = DatabaseMigrator()
    renamed.registerMigration("later", merging: [Self.decomposed]) { _, applied in
      #expect(applied == [Self.composed])
    }
    try await renamed.migrate(queue)
    let listed = try await queue.read { db in
      try String.fetchAll(db, sql: "SELECT identifier FROM grdb_migrations")
    }
    #expect(listed == ["later"])
  }

  // MARK: - Paths

  @Test func databasesWithLookAlikePathsAreWatchedSeparately() throws {
    let folder = try TemporaryDirectory()
    let paths = [Self.composed, Self.decomposed].map { folder.url.path + "/" + $0 }
    let pools = try paths.map { path in
      try DatabaseQueue(path: path).writeWithoutTransaction { db in
        try db.execute(sql: "CREATE TABLE t (a)")
      }
      return ExternalCommitMonitor(
        at: .file(path), configuration: Configuration(), suspension: nil,
        publisher: CommitPublisher())
    }
    let watches = zip(paths, pools).map { DatabaseFileMonitor.add($1, path: $0) }
    #expect(watches[0] !== watches[1])
    let third = DatabaseFileMonitor.add(pools[0], path: paths[1])
    #expect(third === watches[1])
    for (watch, pool) in zip(watches, pools) { watch.remove(pool) }
    third.remove(pools[0])
  }

  @Test func pathsAreEqualByteForByte() {
    let paths = [Self.composed, Self.decomposed].map { FilePath("/tmp/" + $0) }
    #expect(paths[0].text == paths[1].text)
    #expect(Set(paths.map { DatabaseFiles(main: $0).main.names.map { Array($0.utf8) } }).count == 2)
    // U+0600 and the slash after it are one `Character`.
    #expect(Array(FilePath("/tmp/\u{600}/").text.utf8) == Array("/tmp/\u{600}".utf8))
  }

  @Test func aReportOfAnUnfreeDatabaseIsNotHiddenByALookAlikePath() {
    var left = SuspensionReport()
    left.locks = .left
    for order in [[left, SuspensionReport()], [SuspensionReport(), left]] {
      var reports: [String: SuspensionReport] = [:]
      for (path, report) in zip([Self.composed, Self.decomposed], order) {
        reports.add(report, at: path)
      }
      #expect(reports.values.map(\.isFree) == [false])
    }
  }
}
