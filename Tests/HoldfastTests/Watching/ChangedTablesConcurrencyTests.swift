import Foundation
import HoldfastTestSupport
import Synchronization
import Testing

@testable import Holdfast

/// Observations of a database with a history, which other processes write.
@Suite(
  .serialized, .timeLimit(.minutes(3)),
  .enabled(if: ForeignWriter.areThere, "The sqlite3 tool and Python write."))
struct ChangedTablesConcurrencyTests {
  private static let schema = """
    CREATE TABLE stop (id INTEGER PRIMARY KEY, n INTEGER);
    CREATE TABLE route (id INTEGER PRIMARY KEY, n INTEGER);
    CREATE TABLE log (id INTEGER PRIMARY KEY, n INTEGER);
    CREATE TABLE text (id INTEGER PRIMARY KEY, t TEXT);
    CREATE VIEW line AS SELECT stop.n + route.n AS n FROM stop, route WHERE stop.id = route.id;
    CREATE VIEW stops AS SELECT n FROM stop;
    CREATE VIRTUAL TABLE plain USING fts5 (t);
    CREATE VIRTUAL TABLE found USING fts5 (t, content = 'text', content_rowid = 'id');
    CREATE TRIGGER text_insert AFTER INSERT ON text BEGIN
      INSERT INTO found (rowid, t) VALUES (NEW.id, NEW.t); END;
    CREATE TRIGGER text_update AFTER UPDATE ON text BEGIN
      INSERT INTO found (found, rowid, t) VALUES ('delete', OLD.id, OLD.t);
      INSERT INTO found (rowid, t) VALUES (NEW.id, NEW.t); END;
    INSERT INTO stop VALUES (1, 0);
    INSERT INTO route VALUES (1, 0);
    INSERT INTO log VALUES (1, 0);
    INSERT INTO text VALUES (1, 'w0');
    INSERT INTO plain (rowid, t) VALUES (1, 'w0');
    """

  private static let others: Set = [
    "log", "plain", "plain_data", "plain_idx", "plain_content", "plain_docsize", "plain_config",
    "found", "found_data", "found_idx", "found_docsize", "found_config",
  ]

  /// The observed queries by name: SQL that returns one number or one text.
  private static let queries: KeyValuePairs = [
    "stop": "SELECT n FROM stop", "route": "SELECT n FROM route", "log": "SELECT n FROM log",
    "line": "SELECT n FROM line", "stops": "SELECT n FROM stops",
    "plain": "SELECT t FROM plain WHERE plain MATCH 'w*'",
    "found": "SELECT t FROM found WHERE found MATCH 'w*'", "text": "SELECT t FROM text",
    "each": "SELECT value FROM stop, json_each('[' || n || ']')",
    "history": "SELECT count(*) FROM holdfast_history",
  ]

  private static func file() throws -> HistoryFile {
    try HistoryFile(schema, tables: ["stop", "route", "text"], author: "observer")
  }

  /// An observation and the values that it delivered.
  private struct Observed: Sendable {
    let sql: String
    let delivered = Journal<DatabaseValue?>()

    func start(in database: any DatabaseReader) -> AnyDatabaseCancellable {
      ValueObservation.tracking { db in
        try DatabaseValue.fetchOne(db, sql: sql)
      }
      .start(in: database, scheduling: .async(onQueue: DispatchQueue(label: "values"))) { error in
        fatalError("\(error)")
      } onChange: {
        delivered.append($0)
      }
    }
  }

  /// Tables that the triggers do not record are not named, and yet no observation misses a change.
  @Test(.disabled(if: ConnectionKeys.areUsed, "the program of SQLite is needed"))
  func observationsDoNotDependOnTheHistory() async throws {
    let file = try Self.file()
    // The first observer, so that the history is read before the writes.
    let (changes, task) = WatchedDatabase.gather(file.pool.externalChanges)
    let observed = Observed(sql: "SELECT n FROM stop")
    let observation = observed.start(in: file.pool)
    await until { observed.delivered.entries.count == 1 }
    try ForeignWriter.shell.run(
      ".dbconfig enable_trigger off\nUPDATE stop SET n = 7;", on: file.path)
    await until { observed.delivered.entries.last == 7.databaseValue }
    await until { !changes.entries.isEmpty }
    #expect(changes.entries.allSatisfy { $0.tables == Self.others })
    task.cancel()
    withExtendedLifetime(observation) {}
  }

  @Test func changedTablesAreNamed() async throws {
    let file = try Self.file()
    let (changes, task) = WatchedDatabase.gather(file.pool.externalChanges)
    let other = try SQLProcess(.tool, on: file.path)
    for (sql, names) in [
      ("UPDATE stop SET n = 1", ["stop"]), ("UPDATE log SET n = 1", []),
      ("UPDATE text SET t = 'w1'", ["text"]), ("CREATE TABLE later (x)", nil),
    ] as [(String, [String]?)] {
      let count = changes.entries.count
      try await other.execute(sql)
      await until { changes.entries.count > count }
      #expect(changes.entries.last?.tables == names.map { Self.others.union($0) }, "\(sql)")
    }
    // Another process of ours, which records that its triggers are valid, and its author.
    let count = changes.entries.count
    await #expect(processExitsWith: .success) { [path = file.path as String] in
      let pool = try HistoryFile.open(path, author: "widget")
      try await pool.write { db in try db.execute(sql: "UPDATE route SET n = 7") }
    }
    let expected = Self.others.union(["later", "route"])
    await until { changes.entries.dropFirst(count).contains { $0.tables == expected } }
    #expect(changes.entries.dropFirst(count).allSatisfy { $0.tables != nil })
    task.cancel()
  }

  /// Probing the writer ends no transaction of which an observer would be notified.
  @Test func aTransactionObserverIsNotifiedOnlyOfOwnCommits() async throws {
    let file = try Self.file()
    let observer = CommitCounter()
    file.pool.add(transactionObserver: observer, extent: .observerLifetime)
    let (changes, task) = WatchedDatabase.gather(file.pool.externalChanges)
    let other = try SQLProcess(.python, on: file.path)
    for number in 1...30 {
      let count = changes.entries.count
      try await file.pool.write { db in
        try db.execute(sql: "UPDATE log SET n = ?", arguments: [number])
      }
      try await other.execute("UPDATE stop SET n = \(number)")
      await until { changes.entries.count > count }
    }
    #expect(observer.count == 30)
    #expect(changes.entries.contains { $0.tables != nil })
    task.cancel()
    await task.value
    try await file.pool.writeWithoutTransaction { db in
      WatchedDatabase.gather(file.pool.externalChanges).1.cancel()
    }
    #expect(observer.count == 30)
  }

  private final class CommitCounter: TransactionObserver {
    private let commits = Mutex(0)
    var count: Int { commits.withLock { $0 } }

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { true }
    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseDidCommit(_ db: Database) { commits.withLock { $0 += 1 } }
    func databaseDidRollback(_ db: Database) {}
  }

  /// Reopens the file with suspension allowed, in its journal mode.
  private static func reopen(
    _ file: HistoryFile, _ mode: WatchedDatabase.Mode
  ) throws -> any DatabaseWriter {
    try file.pool.close()
    try ForeignWriter.shell.run("PRAGMA journal_mode = \(mode.rawValue);", on: file.path)
    var configuration = Configuration()
    configuration.allowsSuspension = true
    configuration.historyAuthor = "observer"
    return mode == .wal
      ? try DatabasePool(path: file.path, configuration: configuration)
      : try DatabaseQueue(path: file.path, configuration: configuration)
  }

  private static let caseCount =
    ProcessInfo.processInfo.environment["HOLDFAST_CASES"].flatMap(Int.init) ?? 400

  /// Own and foreign writes of all kinds in any order: every observation reaches the last state.
  ///
  /// `HOLDFAST_CASES=1000` runs a longer campaign.
  @Test(arguments: [(WatchedDatabase.Mode.wal, caseCount), (.delete, caseCount / 5)])
  func noObservationMissesACommit(_ mode: WatchedDatabase.Mode, _ roundCount: Int) async throws {
    var random = SeededRandom()
    let file = try Self.file()
    let own = try Self.reopen(file, mode)
    let second = try DatabaseQueue(path: file.path)
    let programs = try SQLProcess.Program.allCases.map { try SQLProcess($0, on: file.path) }
    let observed = Self.queries.map { Observed(sql: $0.value) }
    let cancellables = observed.map { $0.start(in: own) }
    await until { observed.allSatisfy { !$0.delivered.entries.isEmpty } }
    let write = { (sql: String, kind: Int) -> @Sendable () async throws -> Void in
      switch kind {
      case 0..<12:
        return { try await programs[kind % 2].execute(sql) }
      case 12..<18:
        return { try await second.write { db in try db.execute(sql: sql) } }
      case 18..<24:
        return { try await own.write { db in try db.execute(sql: sql) } }
      case 24..<27:
        // Uses numbers of the history, which later changes get again.
        return {
          try await own.writeWithoutTransaction { db in
            try db.inTransaction(.immediate) {
              try db.execute(sql: sql)
              return .rollback
            }
          }
        }
      default:
        return { try await second.write { db in _ = try ChangeHistory.purge(db) } }
      }
    }
    for round in 1...roundCount {
      let writes = (1...Int.random(in: 1...5, using: &random)).map { _ in
        let value = random.next() % 1000
        let sql =
          [
            "UPDATE stop SET n = \(value)", "INSERT OR REPLACE INTO stop VALUES (1, \(value))",
            "UPDATE route SET n = \(value)", "UPDATE log SET n = \(value)",
            "UPDATE text SET t = 'w\(value)'", "UPDATE plain SET t = 'w\(value)'",
          ].randomElement(using: &random) ?? ""
        return write(sql, Int.random(in: 0..<28, using: &random))
      }
      if round.isMultiple(of: 10) {
        let report = await own.suspend()
        #expect(report.notFree == [])
        try await second.write { db in try db.execute(sql: "UPDATE stop SET n = \(-round)") }
        own.resume()
      } else if round.isMultiple(of: 7) {
        // Alone, because a concurrent FTS5 statement would fail with SQLITE_SCHEMA.
        try await second.write { db in
          try db.execute(sql: "CREATE TABLE t\(round) (x); DROP TABLE t\(round)")
        }
      }
      try await withThrowingTaskGroup { group in
        for write in writes { group.addTask { try await write() } }
        try await group.waitForAll()
      }
      let expected = try await second.read { db in
        try observed.map { try DatabaseValue.fetchOne(db, sql: $0.sql) }
      }
      await until {
        zip(observed, expected).allSatisfy { $0.delivered.entries.last == $1 }
      }
    }
    withExtendedLifetime(cancellables) {}
  }
}
