import Foundation
import HoldfastTestSupport
import Synchronization
import Testing

@testable import Holdfast

/// The tables that a connection learns were written by other processes.
@Suite(
  .timeLimit(.minutes(2)),
  .enabled(if: ForeignWriter.areThere, "The sqlite3 tool and Python write.")
)
struct ChangedTablesCursorTests {
  private static let schema = """
    CREATE TABLE stop (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
    CREATE TABLE "Odd ""Name" (a TEXT, b INT, PRIMARY KEY (b, a)) WITHOUT ROWID;
    CREATE TABLE route (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT);
    CREATE TABLE log (line TEXT);
    CREATE VIEW named AS SELECT name FROM stop WHERE name IS NOT NULL;
    CREATE VIRTUAL TABLE found USING fts5 (name);
    """

  private static let noted = ["STOP", "Odd \"Name", "route"]

  private static let others: Set = [
    "log", "found", "found_data", "found_idx", "found_content", "found_docsize", "found_config",
  ]

  private static func changed(_ names: String...) -> Set<String>? {
    others.union(names)
  }

  /// A cursor on its own connection.
  private final class CursorSession: Sendable {
    private let queue: DatabaseQueue
    private let cursor = Mutex(ChangedTablesCursor())

    init(_ path: String) throws {
      queue = try DatabaseQueue(path: path)
      try queue.blockingWithoutTransaction { db in cursor.withLock { $0.begin(db) } }
    }

    func query() throws -> Set<String>? {
      try queue.blockingWithoutTransaction { db in cursor.withLock { $0.query(db) } }
    }
  }

  private let file: HistoryFile
  private let session: CursorSession

  init() throws {
    file = try HistoryFile(Self.schema, tables: Self.noted)
    session = try CursorSession(file.path)
  }

  private func run(_ sql: String, by writer: ForeignWriter = .shell) throws {
    try writer.run(sql, on: file.path)
  }

  @Test(arguments: ForeignWriter.allCases)
  func writtenTablesAreNamed(_ writer: ForeignWriter) throws {
    try run("INSERT INTO STOP VALUES (1, 'a');", by: writer)
    #expect(try session.query() == Self.changed("stop"))
    try run(#"INSERT INTO "odd ""name" VALUES ('a', 1); UPDATE stop SET name = 'b';"#, by: writer)
    #expect(try session.query() == Self.changed("stop", "Odd \"Name"))
    // It replaces the row with another name.
    try run("INSERT OR REPLACE INTO stop VALUES (2, 'b');", by: writer)
    #expect(try session.query() == Self.changed("stop"))
    try run("DELETE FROM stop;", by: writer)
    #expect(try session.query() == Self.changed("stop"))
    try run("INSERT INTO route (name) VALUES ('x');", by: writer)
    #expect(try session.query() == Self.changed("route"))
    try run("INSERT INTO log VALUES ('x'); INSERT INTO found VALUES ('x');", by: writer)
    #expect(try session.query() == Self.changed())
    #expect(try session.query() == Self.changed())
  }

  @Test func rolledBackNumbersAreReused() throws {
    try run("INSERT INTO stop VALUES (1, 'a');")
    #expect(try session.query() == Self.changed("stop"))
    try run("BEGIN; INSERT INTO stop VALUES (2, 'b'), (3, 'c'); ROLLBACK;")
    #expect(try session.query() == Self.changed())
    try run("INSERT INTO route (name) VALUES ('x');")
    #expect(try session.query() == Self.changed("route"))
  }

  @Test func anOpenTransactionDoesNotAdvanceTheCursor() throws {
    let other = try DatabaseQueue(path: file.path)
    let cursor = Mutex(ChangedTablesCursor())
    try other.blockingWithoutTransaction { db in
      cursor.withLock { $0.begin(db) }
      try db.execute(sql: "BEGIN IMMEDIATE; INSERT INTO stop VALUES (1, 'a')")
      #expect(cursor.withLock { $0.query(db) } == nil)
      try db.execute(sql: "ROLLBACK")
    }
    try run("INSERT INTO route (name) VALUES ('x');")
    let answer = try other.blockingWithoutTransaction { db in cursor.withLock { $0.query(db) } }
    #expect(answer == Self.changed("route"))
  }

  @Test func purgingSeenChangesHasNoEffect() throws {
    try run("INSERT INTO stop VALUES (1, 'a'), (2, 'b');")
    #expect(try session.query() == Self.changed("stop"))
    try file.pool.blockingWrite { db in _ = try ChangeHistory.purge(db) }
    try run("INSERT INTO route (name) VALUES ('x');")
    #expect(try session.query() == Self.changed("route"))
  }

  @Test func purgingUnseenChangesMeansAnyTable() throws {
    try run("INSERT INTO stop VALUES (1, 'a'), (2, 'b');")
    try file.pool.blockingWrite { db in _ = try ChangeHistory.purge(db) }
    #expect(try session.query() == nil)
    try run("INSERT INTO route (name) VALUES ('x');")
    #expect(try session.query() == Self.changed("route"))
  }

  @Test(arguments: [
    "VACUUM", "ALTER TABLE stop ADD COLUMN city", "CREATE INDEX i ON log (line)",
    "DROP TABLE route", "DROP VIEW named", "REINDEX; DROP TRIGGER holdfast_history_1_insert",
    "BEGIN; INSERT INTO stop VALUES (8, 'h'); ALTER TABLE log RENAME TO diary; COMMIT",
  ])
  func aSchemaChangeMeansAnyTable(_ sql: String) throws {
    try run(sql + ";")
    #expect(try session.query() == nil)
  }

  @Test func tablesCreatedLaterAreNamed() throws {
    try run("CREATE TABLE news (text); INSERT INTO stop VALUES (1, 'a');")
    #expect(try session.query() == nil)
    try run("UPDATE stop SET name = 'b';")
    #expect(
      try session.query()
        == Self.others.union(["news", "stop"]))
  }

  @Test func outdatedTriggersMeanAnyTableUntilTheyAreRepaired() throws {
    try run("DROP TRIGGER holdfast_history_1_insert;")
    #expect(try session.query() == nil)
    try run("INSERT INTO stop VALUES (1, 'a');")
    #expect(try session.query() == nil)
    try file.pool.blockingWrite { db in try ChangeHistory.install(on: db) }
    #expect(try session.query() == nil)
    try run("UPDATE stop SET name = 'b';")
    #expect(try session.query() == Self.changed("stop"))
  }

  @Test func aTableCanBeRemovedAndAddedAgain() throws {
    try file.pool.blockingWrite { db in
      try ChangeHistory.uninstall(from: db, tables: ["stop"], deletingChanges: true)
    }
    #expect(try session.query() == nil)
    try run("INSERT INTO route (name) VALUES ('x');")
    #expect(
      try session.query()
        == Self.others.union(["stop", "route"]))
    try file.pool.blockingWrite { db in try ChangeHistory.install(on: db, tables: ["stop"]) }
    #expect(try session.query() == nil)
    try run("INSERT INTO stop VALUES (1, 'a');")
    #expect(try session.query() == Self.changed("stop"))
  }

  @Test(.disabled(if: ConnectionKeys.areUsed, "the program of SQLite is needed"))
  func aRestoredFileMeansAnyTable() throws {
    let copy = file.folder.file("copy.db").path
    try run("VACUUM INTO '\(copy)'; INSERT INTO stop VALUES (1, 'a');")
    #expect(try session.query() == Self.changed("stop"))
    try run(".restore '\(copy)'\n")
    #expect(try session.query() == nil)
  }

  @Test func aHistoryCanBeInstalledLater() throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("later.db").path
    try ForeignWriter.shell.run(Self.schema, on: path)
    let session = try CursorSession(path)
    try ForeignWriter.shell.run("INSERT INTO stop VALUES (1, 'a');", on: path)
    #expect(try session.query() == nil)
    let queue = try DatabaseQueue(path: path)
    try queue.blockingWrite { db in try ChangeHistory.install(on: db, tables: Self.noted) }
    #expect(try session.query() == nil)
    try ForeignWriter.shell.run("INSERT INTO stop VALUES (2, 'b');", on: path)
    #expect(try session.query() == Self.changed("stop"))
  }

  /// A documented limit: an update without triggers leaves no record.
  @Test(.disabled(if: ConnectionKeys.areUsed, "the program of SQLite is needed"))
  func aWriterWithoutTriggersIsNotNamed() throws {
    try run(".dbconfig enable_trigger off\nINSERT INTO stop VALUES (1, 'a');")
    #expect(try session.query() == Self.changed())
  }
}
