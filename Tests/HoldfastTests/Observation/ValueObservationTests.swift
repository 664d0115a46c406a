import Dispatch
import Foundation
import HoldfastTestSupport
import Testing

@testable import Holdfast

/// The values of an observation without concurrent activity.
@Suite struct ValueObservationTests {
  /// Starts an observation that writes its values into a journal.
  private func start<Reducer: ValueReducer>(
    _ observation: ValueObservation<Reducer>, in reader: any DatabaseReader
  ) -> (Journal<Reducer.Value>, AnyDatabaseCancellable) {
    let journal = Journal<Reducer.Value>()
    // No other connection commits. On a loaded machine the writer may take long to say so.
    var settings = WatchSettings()
    settings.ownCommitTimeout = .seconds(3600)
    let cancellable = WatchSettings.$current.withValue(settings) {
      observation.start(in: reader, scheduling: .task) { error in
        Issue.record(error)
      } onChange: { value in
        journal.append(value)
      }
    }
    return (journal, cancellable)
  }

  @Test(arguments: ObservedStops.Kind.allCases)
  func valuesFollowTheDatabase(kind: ObservedStops.Kind) async throws {
    let stops = try ObservedStops(kind)
    let (journal, cancellable) = start(ObservedStops.count, in: stops.writer)
    await journal.reaches(1)
    for number in 1...3 {
      try stops.add("stop")
      await journal.reaches(number + 1)
    }
    #expect(journal.entries == [0, 1, 2, 3])
    withExtendedLifetime(cancellable) {}
  }

  @Test(arguments: ObservedStops.Kind.allCases)
  func onlyTheReadRegionIsObserved(kind: ObservedStops.Kind) async throws {
    let stops = try ObservedStops(kind)
    try stops.add("a")
    let (journal, cancellable) = start(
      .tracking { db in try String.fetchAll(db, sql: "SELECT name FROM stop") }, in: stops.writer)
    await journal.reaches(1)
    try stops.write("INSERT INTO route VALUES (1, 'x')")
    try stops.write("UPDATE stop SET id = 5")
    try stops.write("UPDATE stop SET name = 'nobody' WHERE id = 99")
    try stops.write("UPDATE stop SET name = 'b'")
    await journal.reaches(2)
    #expect(journal.entries == [["a"], ["b"]])
    withExtendedLifetime(cancellable) {}
  }

  @Test(arguments: ObservedStops.Kind.allCases)
  func rolledBackChangesAreIgnored(kind: ObservedStops.Kind) async throws {
    let stops = try ObservedStops(kind)
    let (journal, cancellable) = start(ObservedStops.count, in: stops.writer)
    await journal.reaches(1)
    try await stops.writer.write { db in
      try db.inSavepoint {
        try db.execute(sql: "INSERT INTO stop (name) VALUES ('x')")
        return .rollback
      }
    }
    await #expect(throws: Left.self) {
      try await stops.writer.write { db in
        try db.execute(sql: "INSERT INTO stop (name) VALUES ('x')")
        throw Left()
      }
    }
    try stops.add("y")
    await journal.reaches(2)
    #expect(journal.entries == [0, 1])
    withExtendedLifetime(cancellable) {}
  }

  struct Left: Error {}

  /// Changes that no hook of SQLite reports: each of these changes the count.
  @Test(arguments: [
    "DELETE FROM stop",
    "UPDATE OR REPLACE plain SET name = 'c' WHERE id = 2",
    "REPLACE INTO plain VALUES (2, 'c')",
    "INSERT INTO keyed VALUES ('b')",
    "INSERT INTO search VALUES ('quay')",
    "INSERT INTO found VALUES ('quay')",
    "DROP TABLE route",
    "DELETE FROM parent",
    "INSERT INTO route VALUES (7, 'fires the trigger')",
    "INSERT INTO shown VALUES (8)",
  ])
  func everyKindOfChangeIsObserved(sql: String) async throws {
    let stops = try ObservedStops(.pool)
    try stops.write(
      """
      INSERT INTO stop VALUES (1, 'a'), (2, 'b');
      CREATE TABLE plain (id INTEGER PRIMARY KEY, name UNIQUE);
      INSERT INTO plain VALUES (2, 'a'), (3, 'c');
      CREATE TABLE keyed (name PRIMARY KEY) WITHOUT ROWID;
      CREATE VIRTUAL TABLE search USING fts5(name); CREATE VIRTUAL TABLE found USING fts4(name);
      CREATE TABLE parent (id INTEGER PRIMARY KEY);
      CREATE TABLE child (parent REFERENCES parent ON DELETE CASCADE);
      INSERT INTO parent VALUES (1); INSERT INTO child VALUES (1);
      CREATE TABLE log (id);
      CREATE TRIGGER t AFTER INSERT ON route BEGIN INSERT INTO log VALUES (new.id); END;
      CREATE VIEW shown AS SELECT id FROM log;
      CREATE TRIGGER u INSTEAD OF INSERT ON shown BEGIN INSERT INTO log VALUES (new.id); END;
      """)
    let tables = ["stop", "plain", "keyed", "search", "found", "child", "shown", "sqlite_schema"]
    let counts =
      "SELECT "
      + tables.map { "(SELECT count(*) FROM \($0))" }.joined(separator: " || ' ' || ")
      + ", max(id) FROM plain"
    let makesAnError = sql.contains("TABLE route")
    let query = makesAnError ? "SELECT '' || count(*) FROM route" : counts
    let errors = Journal<String>()
    let values = Journal<String?>()
    let cancellable = ValueObservation.tracking { db in try String.fetchOne(db, sql: query) }
      .start(in: stops.writer, scheduling: .task) { error in
        errors.append("\(error)")
      } onChange: { value in
        values.append(value)
      }
    await until { values.entries.count + errors.entries.count >= 1 }
    try #require(errors.entries == [])
    try stops.write(sql)
    await until { values.entries.count + errors.entries.count >= 2 }
    #expect(values.entries.count == (makesAnError ? 1 : 2))
    #expect(Set(values.entries).count == values.entries.count)
    withExtendedLifetime(cancellable) {}
  }

  /// An update of one column replaces rows, and with them the values of other columns.
  @Test(arguments: [
    ("CREATE TABLE plain (name UNIQUE, size)", "UPDATE OR REPLACE"),
    ("CREATE TABLE plain (name UNIQUE ON CONFLICT REPLACE, size)", "UPDATE"),
    ("CREATE TEMP TABLE plain (name UNIQUE ON CONFLICT REPLACE, size)", "UPDATE"),
  ])
  func anUpdateThatReplacesRowsIsObserved(table: String, update: String) async throws {
    let stops = try ObservedStops(.queue)
    try stops.write(table)
    try stops.write("INSERT INTO plain VALUES ('a', 2), ('c', 3)")
    let (journal, cancellable) = start(
      .tracking { db in try Int.fetchAll(db, sql: "SELECT size FROM plain") }, in: stops.writer)
    await journal.reaches(1)
    try stops.write("\(update) plain SET name = 'c' WHERE name = 'a'")
    await journal.reaches(2)
    #expect(journal.entries == [[2, 3], [2]])
    withExtendedLifetime(cancellable) {}
  }

  /// A statement without effect on the previous region can affect the new one.
  @Test func aStatementIsEvaluatedAgainWhenTheRegionChanges() async throws {
    let stops = try ObservedStops(.pool)
    try stops.write("INSERT INTO choice VALUES (1, 'route')")
    let (journal, cancellable) = start(
      .tracking { db in
        let table = try String.fetchOne(db, sql: "SELECT max(name) FROM choice") ?? ""
        return try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)") ?? 0
      }, in: stops.writer)
    await journal.reaches(1)
    try stops.add("x")
    // Several statements, so that the last one is the same as before.
    try stops.write("DELETE FROM choice; INSERT INTO choice VALUES (2, 'stop')")
    await journal.reaches(2)
    try stops.add("x")
    await journal.reaches(3)
    #expect(journal.entries == [0, 1, 2])
    withExtendedLifetime(cancellable) {}
  }

  @Test func aRenamedTableIsObserved() async throws {
    let stops = try ObservedStops(.pool)
    let events = Journal<String>()
    let cancellable = ValueObservation.tracking { db in
      try Int.fetchOne(db, sql: "SELECT count(*) FROM route")
    }
    .start(in: stops.writer, scheduling: .task) { error in
      events.append((error as? DatabaseError)?.message ?? "\(error)")
    } onChange: { _ in
      events.append("value")
    }
    await events.reaches(1)
    try stops.write("ALTER TABLE route RENAME TO line")
    await events.reaches(2)
    #expect(events.entries == ["value", "no such table: route"])
    withExtendedLifetime(cancellable) {}
  }

  @Test func theRegionCanDifferBetweenFetches() async throws {
    let stops = try ObservedStops(.pool)
    try stops.write("INSERT INTO choice VALUES (1, 'stop')")
    let (journal, cancellable) = start(
      .tracking { db in
        let table = try String.fetchOne(db, sql: "SELECT name FROM choice") ?? ""
        let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)") ?? 0
        return "\(table) \(count)"
      }, in: stops.writer)
    await journal.reaches(1)
    try stops.write("INSERT INTO route (name) VALUES ('x')")
    try stops.add("x")
    await journal.reaches(2)
    try stops.write("UPDATE choice SET name = 'route'")
    await journal.reaches(3)
    try stops.add("y")
    try stops.write("INSERT INTO route (name) VALUES ('y')")
    await journal.reaches(4)
    #expect(journal.entries == ["stop 0", "stop 1", "route 1", "route 2"])
    withExtendedLifetime(cancellable) {}
  }

  @Test func aConstantRegionIsDeterminedByTheFirstFetch() async throws {
    let stops = try ObservedStops(.pool)
    let regions = Journal<String>()
    let values = Journal<Int>()
    let cancellable = ValueObservation.trackingConstantRegion { db in
      let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM stop") ?? 0
      return count == 0 ? 0 : try Int.fetchOne(db, sql: "SELECT count(*) + 1 FROM route") ?? 0
    }
    .handleEvents(willTrackRegion: { regions.append("\($0)") })
    .start(in: stops.writer, scheduling: .task) {
      Issue.record($0)
    } onChange: {
      values.append($0)
    }
    await values.reaches(1)
    try stops.add("x")
    await values.reaches(2)
    #expect(values.entries == [0, 1])
    #expect(regions.entries == ["stop(*)"])
    withExtendedLifetime(cancellable) {}
  }

  @Test(.enabled(if: Database.reportsReplacedRows, "SQLite has the pre-update hook"))
  func onlyTheGivenRegionsAreObserved() async throws {
    let stops = try ObservedStops(.pool)
    let fetches = Journal<Int>()
    let (journal, cancellable) = start(
      .tracking(
        region: DatabaseRegion(table: "ROUTE"), DatabaseRegion(table: "choice", rowIDs: [1, 2])
      ) { db in
        fetches.append(1)
        return try Int.fetchOne(db, sql: "SELECT count(*) FROM stop") ?? 0
      }, in: stops.writer)
    await journal.reaches(1)
    try stops.add("x")
    try stops.write("INSERT INTO route VALUES (1, 'x')")
    await journal.reaches(2)
    try stops.add("y")
    try stops.write("INSERT INTO choice VALUES (3, 'x')")
    try stops.write("UPDATE choice SET name = 'y'")
    try stops.write("INSERT INTO choice VALUES (1, 'x')")
    await journal.reaches(3)
    try stops.add("z")
    try stops.write("DELETE FROM choice")
    await journal.reaches(4)
    #expect(journal.entries == [0, 1, 2, 3])
    #expect(fetches.entries.count == 4)
    withExtendedLifetime(cancellable) {}
  }

  /// A request for keys is observed in their rows only, and in all of them when very many rows change.
  @Test(.enabled(if: Database.reportsReplacedRows, "SQLite has the pre-update hook"))
  func aRequestForAKeyIsObservedInItsRow() async throws {
    let stops = try ObservedStops(.pool)
    let fetches = Journal<Int>()
    try stops.write("INSERT INTO stop VALUES (1, 'a'), (2, 'b')")
    let (journal, cancellable) = start(
      .trackingConstantRegion { db in
        fetches.append(1)
        return try Table("stop").filter(Column("id") == 1).select(Column("name"), as: String.self)
          .fetchOne(db)
      }, in: stops.writer)
    await journal.reaches(1)
    // Until an observation has begun, a commit of any row may be one that it missed.
    try stops.write("UPDATE stop SET name = 'b' WHERE id = 1")
    await journal.reaches(2)
    try stops.write("UPDATE stop SET name = 'c' WHERE id = 2")
    try stops.write("DELETE FROM stop WHERE id = 2")
    try stops.write(
      "INSERT INTO stop VALUES (3, 'd'); INSERT INTO stop VALUES (4, 'd')")
    // The same statement, first for another row.
    try await stops.writer.write { db in
      for id in [3, 1] {
        try db.execute(sql: "UPDATE stop SET name = 'e' WHERE id = ?", arguments: [id])
      }
    }
    await journal.reaches(3)
    #expect(fetches.entries.count == 3)
    try stops.write(
      "WITH RECURSIVE n AS (SELECT 10 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 2000) "
        + "INSERT INTO stop SELECT i, 'x' FROM n")
    await journal.reaches(4)
    #expect(journal.entries == ["a", "b", "e", "e"])
    withExtendedLifetime(cancellable) {}
  }

  /// The update hook does not report a replaced row.
  @Test func aRegionOfRowsObservesReplacedRows() async throws {
    let stops = try ObservedStops(.pool)
    try stops.write("CREATE UNIQUE INDEX u ON stop (name); INSERT INTO stop VALUES (1, 'a')")
    let (journal, cancellable) = start(
      .tracking(region: DatabaseRegion(table: "stop", rowIDs: [1])) { db in
        try Int.fetchAll(db, sql: "SELECT id FROM stop")
      }, in: stops.writer)
    await journal.reaches(1)
    try stops.write("REPLACE INTO stop VALUES (2, 'a')")
    await journal.reaches(2)
    try stops.write("UPDATE stop SET id = 1")
    await journal.reaches(3)
    try stops.write("UPDATE stop SET id = 3")
    await journal.reaches(4)
    #expect(journal.entries == [[1], [2], [1], [3]])
    withExtendedLifetime(cancellable) {}
  }

  @Test func valuesAreMappedAndDuplicatesRemoved() async throws {
    let stops = try ObservedStops(.queue)
    let (journal, cancellable) = start(
      ObservedStops.count.map { $0 / 2 }.removeDuplicates().map { "\($0)" }, in: stops.writer)
    await journal.reaches(1)
    for _ in 1...3 {
      try stops.add("x")
    }
    await journal.reaches(2)
    try stops.add("x")
    await journal.reaches(3)
    #expect(journal.entries == ["0", "1", "2"])
    withExtendedLifetime(cancellable) {}
  }

  @Test(arguments: ObservedStops.Kind.allCases)
  func anErrorEndsTheObservation(kind: ObservedStops.Kind) async throws {
    let stops = try ObservedStops(kind)
    let journal = Journal<String>()
    let cancellable = ValueObservation.tracking { db in
      try String.fetchAll(db, sql: "SELECT name FROM route")
    }
    .handleEvents(
      didFail: { _ in journal.append("did fail") }, didCancel: { journal.append("did cancel") }
    )
    .start(in: stops.writer, scheduling: .task) { error in
      journal.append((error as? DatabaseError)?.message ?? "\(error)")
    } onChange: { names in
      journal.append(names.joined())
    }
    await journal.reaches(1)
    try stops.write("DROP TABLE route")
    await journal.reaches(3)
    try stops.write("CREATE TABLE route (name)")
    try stops.write("INSERT INTO route VALUES ('x')")
    cancellable.cancel()
    #expect(journal.entries == ["", "did fail", "no such table: route"])
  }

  @Test func aClosedDatabaseIsAnError() async throws {
    let stops = try ObservedStops(.pool)
    try stops.close()
    let errors = Journal<DatabaseError?>()
    let cancellable = ObservedStops.count.start(in: stops.writer, scheduling: .task) { error in
      errors.append(error as? DatabaseError)
    } onChange: { _ in
      Issue.record("A closed database gave a value.")
    }
    await errors.reaches(1)
    #expect(errors.entries.first??.resultCode == .SQLITE_MISUSE)
    withExtendedLifetime(cancellable) {}
  }

  @Test func aWritingObservationDoesNotObserveItself() async throws {
    let stops = try ObservedStops(.pool)
    var observation = ValueObservation.tracking { db in
      try db.execute(
        sql: "INSERT INTO stop (name) SELECT 'x' WHERE (SELECT count(*) FROM stop) < 1")
      return try Int.fetchOne(db, sql: "SELECT count(*) FROM stop") ?? 0
    }
    observation.requiresWriteAccess = true
    let (journal, cancellable) = start(observation, in: stops.writer)
    await journal.reaches(1)
    try stops.add("y")
    await journal.reaches(2)
    try stops.write("DELETE FROM stop")
    await journal.reaches(3)
    #expect(journal.entries == [1, 2, 1])
    withExtendedLifetime(cancellable) {}
  }

  @Test func aMappedObservationCanWrite() async throws {
    let stops = try ObservedStops(.pool)
    var observation = ValueObservation.tracking { db in
      try db.execute(sql: "DELETE FROM stop WHERE name = 'x'")
      return try Int.fetchOne(db, sql: "SELECT count(*) FROM stop") ?? 0
    }
    observation.requiresWriteAccess = true
    let lines = Journal<String>()
    let (journal, cancellable) = start(
      observation.handleEvents(willFetch: { lines.append("fetch") }).map { -$0 }
        .removeDuplicates(), in: stops.writer)
    await journal.reaches(1)
    try stops.add("y")
    await journal.reaches(2)
    #expect(journal.entries == [0, -1])
    #expect(lines.entries == ["fetch", "fetch"])
    withExtendedLifetime(cancellable) {}
  }

  @Test func aMappedObservationReportsItsEvents() async throws {
    let stops = try ObservedStops(.pool)
    let lines = Journal<String>()
    let cancellable = ObservedStops.count
      .handleEvents(willStart: { lines.append("start") }, didCancel: { lines.append("cancel") })
      .map { -$0 }
      .start(in: stops.writer, scheduling: .task) { _ in
      } onChange: { _ in
      }
    cancellable.cancel()
    #expect(lines.entries == ["start", "cancel"])
  }

  @Test func aSnapshotDeliversOneValue() async throws {
    let stops = try ObservedStops(.pool)
    let snapshot = try #require(try (stops.writer as? DatabasePool)?.makeSnapshot())
    let (journal, cancellable) = start(ObservedStops.count, in: snapshot)
    await journal.reaches(1)
    try stops.add("x")
    let (other, otherCancellable) = start(ObservedStops.count, in: snapshot)
    await other.reaches(1)
    #expect(journal.entries == [0])
    #expect(other.entries == [0])
    try snapshot.close()
    let errors = Journal<ResultCode?>()
    let last = ObservedStops.count.start(in: snapshot, scheduling: .task) { error in
      errors.append((error as? DatabaseError)?.resultCode)
    } onChange: { _ in
      Issue.record("A closed snapshot gave a value.")
    }
    await until { !errors.entries.isEmpty }
    #expect(errors.entries == [.SQLITE_MISUSE])
    withExtendedLifetime((cancellable, otherCancellable, last)) {}
  }

  @Test func eventsAreReported() async throws {
    let stops = try ObservedStops(.queue)
    let lines = Journal<String>()
    let stream = LineStream(lines)
    let cancellable = ObservedStops.count.print("stops", to: stream).start(
      in: stops.writer, scheduling: .task
    ) {
      Issue.record($0)
    } onChange: {
      lines.append("\($0)")
    }
    await until { lines.entries.contains("0") }
    try stops.add("x")
    await until { lines.entries.contains("1") }
    cancellable.cancel()
    cancellable.cancel()
    #expect(
      lines.entries == [
        "stops: start\n", "stops: fetch\n", "stops: tracked region: stop(*)\n", "stops: value: 0\n",
        "0", "stops: database did change\n", "stops: fetch\n", "stops: value: 1\n", "1",
        "stops: cancel\n",
      ])
  }

  private struct LineStream: TextOutputStream {
    let lines: Journal<String>

    init(_ lines: Journal<String>) { self.lines = lines }

    mutating func write(_ string: String) { lines.append(string) }
  }

  @Test func copiedTablesAreObserved() async throws {
    let stops = try ObservedStops(.pool)
    var observation = ValueObservation.tracking { db in
      try db.execute(sql: "CREATE TEMP TABLE copy AS SELECT name FROM stop")
      defer { #expect(throws: Never.self) { try db.execute(sql: "DROP TABLE copy") } }
      return try Int.fetchOne(db, sql: "SELECT count(*) FROM copy") ?? 0
    }
    observation.requiresWriteAccess = true
    // Neither follows the temporary table of the other one.
    let (journal, cancellable) = start(observation, in: stops.writer)
    let (second, other) = start(observation, in: stops.writer)
    await journal.reaches(1)
    await second.reaches(1)
    try stops.add("a")
    await journal.reaches(2)
    await second.reaches(2)
    try stops.write("UPDATE route SET name = 'x'")
    try stops.add("b")
    await journal.reaches(3)
    await second.reaches(3)
    #expect(journal.entries == [0, 1, 2] && second.entries == [0, 1, 2])
    withExtendedLifetime((cancellable, other)) {}
  }

  @Test func theSchemaIsObserved() async throws {
    let stops = try ObservedStops(.pool)
    let (journal, cancellable) = start(
      .tracking { db in
        try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master WHERE type = 'table'") ?? 0
      }, in: stops.writer)
    await journal.reaches(1)
    // The statements are prepared once, and do nothing if they run again.
    for number in 1...3 {
      try stops.write("CREATE TABLE IF NOT EXISTS more (a)")
      await journal.reaches(2 * number)
      try stops.write("DROP TABLE IF EXISTS more")
      await journal.reaches(2 * number + 1)
    }
    #expect(journal.entries == [3, 4, 3, 4, 3, 4, 3])
    withExtendedLifetime(cancellable) {}
  }

  @Test func manuallyNotifiedChangesAreFetched() async throws {
    let stops = try ObservedStops(.pool)
    let fetches = Journal<Int>()
    let (journal, cancellable) = start(
      .tracking { db in
        fetches.append(1)
        return try Int.fetchOne(db, sql: "SELECT count(*) FROM stop") ?? 0
      }, in: stops.writer)
    await journal.reaches(1)
    try await stops.writer.write { db in try db.notifyChanges(in: DatabaseRegion(table: "route")) }
    try await stops.writer.write { db in try db.notifyChanges(in: .fullDatabase) }
    await journal.reaches(2)
    #expect(fetches.entries.count == 2)
    withExtendedLifetime(cancellable) {}
  }

  @Test func registeredRegionsAreObserved() async throws {
    let stops = try ObservedStops(.pool)
    let (journal, cancellable) = start(
      .tracking { db in
        try db.registerAccess(to: DatabaseRegion(table: "route"))
        return try Int.fetchOne(db, sql: "SELECT count(*) FROM stop") ?? 0
      }, in: stops.writer)
    await journal.reaches(1)
    try stops.write("INSERT INTO route VALUES (1, 'x')")
    await journal.reaches(2)
    #expect(journal.entries == [0, 0])
    withExtendedLifetime(cancellable) {}
  }
}

extension ObservedStops {
  fileprivate func close() throws { try writer.close() }
}
