import HoldfastTestSupport
import Testing

@testable import Holdfast

@Suite struct DatabaseRegionObservationTests {
  private func start(
    _ regions: [any DatabaseRegionConvertible], in stops: ObservedStops
  ) -> (Journal<Int>, AnyDatabaseCancellable) {
    let journal = Journal<Int>()
    let cancellable = DatabaseRegionObservation(tracking: regions).start(in: stops.writer) {
      Issue.record($0)
    } onChange: { db in
      #expect(!db.isInsideTransaction)
      #expect(throws: Never.self) {
        journal.append(try Int.fetchOne(db, sql: "SELECT count(*) FROM stop") ?? -1)
      }
    }
    return (journal, cancellable)
  }

  @Test(arguments: ObservedStops.Kind.allCases)
  func eachTransactionInTheRegionIsReported(kind: ObservedStops.Kind) async throws {
    let stops = try ObservedStops(kind)
    let (journal, cancellable) = start([DatabaseRegion(table: "Stop")], in: stops)
    try stops.add("a")
    try stops.write("INSERT INTO stop VALUES (2, 'b'); INSERT INTO stop VALUES (3, 'c')")
    try stops.write("INSERT INTO route VALUES (1, 'x')")
    try stops.write("UPDATE stop SET name = 'x' WHERE id = 99")
    try stops.write("DELETE FROM stop")
    #expect(journal.entries == [1, 3, 0])
    cancellable.cancel()
    try stops.add("d")
    #expect(journal.entries.count == 3)
  }

  /// A value may be that of several commits, in a queue of all in one access.
  @Test(arguments: ObservedStops.Kind.allCases)
  func eachCommitOfOneAccessIsReported(kind: ObservedStops.Kind) async throws {
    let stops = try ObservedStops(kind)
    let (journal, cancellable) = start([DatabaseRegion(table: "stop")], in: stops)
    var values = ObservedStops.count.values(in: stops.writer).makeAsyncIterator()
    #expect(try await values.next() == 0)
    try stops.writer.blockingWithoutTransaction { db in
      try db.execute(sql: "INSERT INTO stop VALUES (1, 'a')")
      try db.inTransaction {
        try db.execute(sql: "INSERT INTO stop VALUES (2, 'b'), (3, 'c')")
        return .commit
      }
    }
    #expect(journal.entries == [1, 3])
    var value = try await values.next()
    if kind == .pool, value == 1 { value = try await values.next() }
    #expect(value == 3)
    withExtendedLifetime(cancellable) {}
  }

  @Test func regionsAreDeterminedOnTheConnection() async throws {
    let stops = try ObservedStops(.pool)
    let region = AnyDatabaseRegionConvertible { db in
      try db.makeStatement(sql: "SELECT name FROM stop").databaseRegion
    }
    let (journal, cancellable) = start([region, DatabaseRegion(table: "choice")], in: stops)
    try stops.write("INSERT INTO route VALUES (1, 'x')")
    try stops.write("INSERT INTO choice VALUES (1, 'x')")
    try stops.add("a")
    try stops.write("UPDATE stop SET id = 7")
    #expect(journal.entries == [0, 1])
    withExtendedLifetime(cancellable) {}
  }

  /// An update that may replace rows changes all columns, one that only mentions it does not.
  @Test func onlyAnUpdateThatMayReplaceRowsChangesOtherColumns() async throws {
    let stops = try ObservedStops(.pool)
    try stops.write("INSERT INTO stop VALUES (1, 'a'), (2, 'b')")
    let names = AnyDatabaseRegionConvertible { db in
      try db.makeStatement(sql: "SELECT name FROM stop").databaseRegion
    }
    let (journal, cancellable) = start([names], in: stops)
    try stops.write("UPDATE stop SET id = 3 WHERE id = 2 /* OR REPLACE */")
    try stops.write("UPDATE stop SET id = 4 WHERE id = 3 AND 'replace' <> name")
    #expect(journal.entries == [])
    try stops.write("UPDATE OR REPLACE stop SET id = 1 WHERE id = 4")
    #expect(journal.entries == [1])
    withExtendedLifetime(cancellable) {}
  }

  @Test func aRegionThatCannotBeDeterminedIsAnError() async throws {
    let stops = try ObservedStops(.pool)
    let errors = Journal<String?>()
    let region = AnyDatabaseRegionConvertible { db in
      try db.makeStatement(sql: "SELECT name FROM missing").databaseRegion
    }
    let cancellable = DatabaseRegionObservation(tracking: region).start(in: stops.writer) { error in
      errors.append((error as? DatabaseError)?.message)
    } onChange: { _ in
      Issue.record("An unknown region changed.")
    }
    try stops.add("a")
    try stops.add("b")
    #expect(errors.entries == ["no such table: missing"])
    withExtendedLifetime(cancellable) {}
  }

  @Test func anOpenTransactionIsObserved() async throws {
    let stops = try ObservedStops(.pool)
    let journal = Journal<String>()
    let cancellables = Journal<AnyDatabaseCancellable>()
    try await stops.writer.write { db in
      try db.execute(sql: "INSERT INTO stop VALUES (1, 'a')")
      cancellables.append(
        DatabaseRegionObservation(tracking: DatabaseRegion(table: "stop"))
          .start(in: stops.writer) { _ in
          } onChange: { _ in
            journal.append("change")
          })
      try db.execute(sql: "INSERT INTO route VALUES (1, 'a')")
    }
    #expect(journal.entries == ["change"])
  }

  @Test(.enabled(if: Database.reportsReplacedRows, "SQLite has the pre-update hook"))
  func rowsAreDistinguished() async throws {
    let stops = try ObservedStops(.queue)
    let (journal, cancellable) = start([DatabaseRegion(table: "stop", rowIDs: [2])], in: stops)
    try stops.write("INSERT INTO stop VALUES (1, 'a')")
    try stops.write("INSERT INTO stop VALUES (2, 'b')")
    try stops.write("UPDATE stop SET name = 'x' WHERE id = 1")
    try stops.write("DELETE FROM stop")
    #expect(journal.entries == [2, 0])
    withExtendedLifetime(cancellable) {}
  }

  @Test func rolledBackChangesAreNotReportedWithTheNextTransaction() async throws {
    let stops = try ObservedStops(.queue)
    let (journal, cancellable) = start([DatabaseRegion(table: "stop")], in: stops)
    try await stops.writer.writeWithoutTransaction { db in
      try db.execute(sql: "BEGIN; INSERT INTO stop VALUES (1, 'a'); ROLLBACK")
    }
    try stops.write("INSERT INTO route VALUES (1, 'x')")
    #expect(journal.entries == [])
    withExtendedLifetime(cancellable) {}
  }

  @Test func changesBeforeARolledBackSavepointAreReported() async throws {
    let stops = try ObservedStops(.queue)
    let (journal, cancellable) = start([DatabaseRegion(table: "stop")], in: stops)
    try stops.write(
      """
      INSERT INTO stop VALUES (1, 'a'); SAVEPOINT One; INSERT INTO route VALUES (1, 'x');
      ROLLBACK TO ONE; RELEASE one
      """)
    #expect(journal.entries == [1])
    withExtendedLifetime(cancellable) {}
  }

  @Test func changesBeforeTheObservationAreNotReported() async throws {
    let stops = try ObservedStops(.queue)
    try await stops.writer.write { db in
      let (_, cancellable) = start([DatabaseRegion(table: "stop")], in: stops)
      try db.execute(sql: "INSERT INTO stop VALUES (1, 'a')")
      cancellable.cancel()
    }
    let (journal, cancellable) = start([DatabaseRegion(table: "stop")], in: stops)
    try stops.write("INSERT INTO route VALUES (1, 'x')")
    #expect(journal.entries == [])
    withExtendedLifetime(cancellable) {}
  }

  @Test func anEmptyRegionIsNeverAffected() async throws {
    let stops = try ObservedStops(.queue)
    let (journal, cancellable) = start([DatabaseRegion()], in: stops)
    try await stops.writer.write { db in try db.notifyChanges(in: .fullDatabase) }
    #expect(journal.entries == [])
    withExtendedLifetime(cancellable) {}
  }

  @Test(.enabled(if: Database.reportsReplacedRows, "SQLite has the pre-update hook"))
  func rowsOfADeterminedRegionAreDistinguished() async throws {
    let stops = try ObservedStops(.queue)
    let second = AnyDatabaseRegionConvertible { _ in DatabaseRegion(table: "stop", rowIDs: [2]) }
    let (journal, cancellable) = start([second], in: stops)
    // The region is determined at the first commit, whose rows are unknown.
    try stops.write("INSERT INTO route VALUES (1, 'x')")
    try stops.write("INSERT INTO stop VALUES (1, 'a')")
    try stops.write("INSERT INTO stop VALUES (2, 'b')")
    #expect(journal.entries == [2])
    withExtendedLifetime(cancellable) {}
  }

  //  observation                  writer
  //                               statement returns its first row
  //  start
  //                               statement ends, and commits
  @Test func aStatementRunningAtTheStartIsObserved() async throws {
    let stops = try ObservedStops(.queue)
    let journal = Journal<String>()
    let cancellables = Journal<AnyDatabaseCancellable>()
    try await stops.writer.writeWithoutTransaction { db in
      let rows = try Int.fetchCursor(
        db, sql: "INSERT INTO stop (name) VALUES ('a'), ('b') RETURNING id")
      _ = try rows.next()
      cancellables.append(
        DatabaseRegionObservation(tracking: DatabaseRegion(table: "stop"))
          .start(in: stops.writer) { _ in
          } onChange: { _ in
            journal.append("change")
          })
      while try rows.next() != nil {}
    }
    #expect(journal.entries == ["change"])
  }

  @Test func observersOfTransactionsAreAddedToTheWriter() async throws {
    let stops = try ObservedStops(.pool)
    let counter = CommitCounter()
    stops.writer.add(transactionObserver: counter)
    try stops.add("a")
    try await stops.writer.read { db in _ = try Int.fetchOne(db, sql: "SELECT 1") }
    #expect(counter.count == 1)
    stops.writer.remove(transactionObserver: counter)
    try stops.add("b")
    #expect(counter.count == 1)
  }

  @Test func anObserverAddedByAPreparationIsKept() async throws {
    var configuration = Configuration()
    let commits = Journal<String>()
    configuration.prepareDatabase { db in
      db.setAuthorizer { $0.code == .attach ? .deny : .allow }
      db.add(transactionObserver: CommitJournal(commits), extent: .databaseLifetime)
    }
    let stops = try ObservedStops(.queue, configuration)
    let before = commits.entries.count
    let (journal, cancellable) = start([DatabaseRegion(table: "stop")], in: stops)
    try stops.add("a")
    #expect(journal.entries == [1])
    #expect(commits.entries.count == before + 1)
    #expect(throws: DatabaseError.self) { try stops.write("ATTACH ':memory:' AS other") }
    withExtendedLifetime(cancellable) {}
  }

  private final class CommitJournal: TransactionObserver {
    let commits: Journal<String>

    init(_ commits: Journal<String>) { self.commits = commits }

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }
    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseDidCommit(_ db: Database) { commits.append("commit") }
    func databaseDidRollback(_ db: Database) {}
  }

  private final class CommitCounter: TransactionObserver {
    var count = 0

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }
    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseDidCommit(_ db: Database) { count += 1 }
    func databaseDidRollback(_ db: Database) {}
  }
}
