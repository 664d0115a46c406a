import Foundation
import HoldfastTestSupport
import Synchronization
import Testing

@testable import Holdfast

/// Statements that a suspension ends: they fail as suspended with any code of SQLite.
///
/// They end no observation.
@Suite(.timeLimit(.minutes(2))) struct SuspendedStatementConcurrencyTests {
  /// A statement in which some steps do not end with `SQLITE_INTERRUPT`.
  struct Kind: CustomTestStringConvertible, Sendable {
    var sql: String
    /// Whether it runs outside a transaction, because SQLite allows it only there.
    var isAlone = false
    var testDescription: String { sql }

    static let all = [
      Kind(sql: rTrees),
      Kind(sql: "SELECT count(*) FROM f1, f2, f3, f4 WHERE f1.rowid = 0"),
      Kind(sql: "SELECT rtreecheck('r1')"),
      Kind(sql: "CREATE VIRTUAL TABLE new USING rtree (id, low, high)"),
      Kind(sql: "CREATE VIRTUAL TABLE new USING fts5 (words)"),
      Kind(sql: "ALTER TABLE t1 RENAME TO renamed"),
      Kind(sql: "ALTER TABLE t1 RENAME COLUMN a TO renamed"),
      Kind(sql: "ALTER TABLE t1 DROP COLUMN b"),
      Kind(sql: "ALTER TABLE f1 RENAME TO renamed"),
      Kind(sql: "INSERT INTO f4 (f4) VALUES ('integrity-check')"),
      Kind(sql: "VACUUM", isAlone: true),
    ]

    /// The kinds for which SQLite most often hides an interruption.
    static let hiding = all.filter { kind in
      kind.sql == rTrees || kind.sql.contains("f1 RENAME") || kind.sql.contains("integrity")
    }
  }

  /// An error that rolls a transaction back.
  private struct Undo: Error {}

  /// An error that the app's code throws in place of SQLite's.
  private struct AppError: Error {}

  private let folder: TemporaryDirectory
  private let path: String

  init() throws {
    folder = try TemporaryDirectory()
    path = folder.file("t.db").path
  }

  /// Each R*Tree is initialized when a new connection first reads it.
  private static let rTrees =
    "SELECT " + (1...20).map { "(SELECT count(*) FROM r\($0))" }.joined(separator: " + ")

  private func makePool(
    preparing prepare: Configuration.Preparation? = nil
  ) throws -> DatabasePool {
    var configuration = Configuration()
    configuration.allowsSuspension = true
    if let prepare { configuration.prepareDatabase(prepare) }
    return try DatabasePool(path: path, configuration: configuration)
  }

  private static func fill(_ db: Database) throws {
    for n in 1...6 {
      try db.execute(
        sql: """
          CREATE TABLE t\(n) (a, b);
          CREATE INDEX i\(n) ON t\(n) (a);
          CREATE VIEW v\(n) AS SELECT a FROM t\(n)
          """)
    }
    // SQLite loses the interruption while it reads the columns of a table that it initializes: many
    // columns make that likely.
    let columns = (1...80).map { "+c\($0)" }.joined(separator: ", ")
    for n in 1...20 {
      try db.execute(sql: "CREATE VIRTUAL TABLE r\(n) USING rtree (id, low, high, \(columns))")
    }
    for n in 1...3 { try db.execute(sql: "CREATE VIRTUAL TABLE f\(n) USING fts5 (words)") }
    try db.execute(
      sql: """
        CREATE VIRTUAL TABLE f4 USING fts4 (words);
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 200)
        INSERT INTO f4 (words) SELECT 'word' || i || ' and ' || i % 7 FROM n;
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 200)
        INSERT INTO r1 (id, low, high) SELECT i, i, i + 1 FROM n
        """)
  }

  /// Runs the statement and leaves the database unchanged.
  private static func run(
    _ kind: Kind, on pool: DatabasePool, beginning: @escaping @Sendable () -> Void
  ) throws {
    do {
      if kind.isAlone {
        try pool.writeWithoutTransaction { db in
          beginning()
          try db.execute(sql: kind.sql)
        }
      } else {
        try pool.write { db in
          beginning()
          try db.execute(sql: kind.sql)
          throw Undo()
        }
      }
    } catch is Undo {}
  }

  // MARK: - Codes

  /// Runs the statement repeatedly, on new connections each time, and ends it at a random time.
  private func runAndEnd(
    _ kind: Kind, times: Int, on pool: DatabasePool, by end: @escaping @Sendable () -> Void,
    _ check: @escaping @Sendable (DatabaseError) -> Void
  ) async throws {
    let start = ContinuousClock.now
    try await onOwnThread { try Self.run(kind, on: pool) {} }
    let duration = Int((ContinuousClock.now - start) / .microseconds(1)) + 1
    let seed = SeededRandom(for: kind.sql).seed
    try await onOwnThread {
      var random = SeededRandom(unprinted: seed)
      for _ in 0..<times {
        pool.suspend()
        pool.resume()
        let hasBegun = Switch()
        let running = OwnThread {
          try Self.run(kind, on: pool) { hasBegun.isOn = true }
        }
        while !hasBegun.isOn { sched_yield() }
        Self.spin(Int.random(in: 0...duration, using: &random) / 2)
        end()
        do {
          try running.blockingValue()
        } catch let error as DatabaseError {
          check(error)
        }
        pool.resume()
      }
    }
  }

  @Test(arguments: Kind.all) func aStatementEndedByASuspensionFailsAsSuspended(
    _ kind: Kind
  ) async throws {
    let pool = try makePool()
    try await pool.write { db in try Self.fill(db) }
    try await runAndEnd(kind, times: 12, on: pool, by: { pool.suspend() }) { error in
      #expect(error.isDatabaseSuspensionError, "\(error)")
      #expect([.SQLITE_INTERRUPT, .SQLITE_ABORT].contains(error.extendedResultCode), "\(error)")
      #expect(["interrupted", "Transaction was aborted"].contains(error.message), "\(error)")
    }
    #expect(try await pool.read { db in try db.integrityProblems() } == [])
  }

  /// SQLite has only one code for an interruption.
  @Test(arguments: Kind.hiding) func anInterruptedStatementFailsAsInterrupted(
    _ kind: Kind
  ) async throws {
    let pool = try makePool()
    try await pool.write { db in try Self.fill(db) }
    try await runAndEnd(kind, times: 15, on: pool, by: { pool.interrupt() }) { error in
      #expect(error.extendedResultCode == .SQLITE_INTERRUPT, "\(error)")
      #expect(!error.isDatabaseSuspensionError)
    }
  }

  @Test func anErrorUnrelatedToAnInterruptionIsUnchanged() async throws {
    let pool = try makePool()
    try await pool.write { db in
      try db.execute(sql: "CREATE TABLE t (a UNIQUE); INSERT INTO t VALUES (1)")
    }
    let errors = Journal<DatabaseError>()
    try await onOwnThread {
      try pool.writeWithoutTransaction { db in
        // An interruption between two statements affects neither.
        pool.interrupt()
        do {
          try db.execute(sql: "SELECT * FROM nowhere")
        } catch let error as DatabaseError {
          errors.append(error)
        }
        let connection = db.openConnection
        db.add(
          function: DatabaseFunction("suspended", argumentCount: 0) { _ in
            // Inside the statement, which fails for another reason.
            _ = connection.claim()
            return 1
          })
        do {
          try db.execute(sql: "INSERT INTO t VALUES (suspended())")
        } catch let error as DatabaseError {
          errors.append(error)
        }
      }
    }
    #expect(errors.entries.map(\.resultCode) == [.SQLITE_ERROR, .SQLITE_CONSTRAINT])
    #expect(errors.entries.first?.message == "no such table: nowhere")
    #expect(errors.entries.count { $0.isDatabaseSuspensionError } == 0)
  }

  // MARK: - Observations

  private func observe<Value: Sendable>(
    _ observation: ValueObservation<ValueReducers.Fetch<Value>>, in pool: DatabasePool,
    _ seen: Journal<Value>, _ errors: Journal<String>
  ) -> AnyDatabaseCancellable {
    observation.start(
      in: pool, scheduling: .async(onQueue: DispatchQueue(label: "values")),
      onError: { errors.append("\($0)") }, onChange: { seen.append($0) })
  }

  @Test func anObservationOverAnRTreeDeliversTheLastCommit() async throws {
    let pool = try makePool()
    try await pool.write { db in try Self.fill(db) }
    let fetches = Switch()
    let seen = Journal<Int?>()
    let errors = Journal<String>()
    let observation = observe(
      .tracking { db in
        fetches.isOn = true
        return try Int.fetchOne(db, sql: Self.rTrees)
      }, in: pool, seen, errors)
    let seed = SeededRandom().seed
    try await onOwnThread {
      var random = SeededRandom(unprinted: seed)
      for n in 1...40 where errors.entries.isEmpty {
        if n.isMultiple(of: 10) {
          try pool.write { db in
            try db.execute(sql: "INSERT INTO r2 (id, low, high) VALUES (?, 1, 2)", arguments: [n])
          }
        }
        // The fetch uses a new connection, which has not initialized the R*Tree.
        while !fetches.isOn { sched_yield() }
        Self.spin(Int.random(in: 0...1000, using: &random))
        pool.suspend()
        fetches.isOn = false
        pool.resume()
      }
    }
    await until { seen.entries.last == 204 || !errors.entries.isEmpty }
    #expect(errors.entries == [])
    observation.cancel()
  }

  @Test func anObservationWhoseClosureReplacesTheErrorContinuesAfterTheResume() async throws {
    let pool = try makePool()
    try await pool.write { db in try db.execute(sql: "CREATE TABLE t (a)") }
    let fetches = Gate()
    let goesOn = Gate()
    let seen = Journal<Int?>()
    let errors = Journal<String>()
    let observation = observe(
      .tracking { db in
        fetches.open()
        goesOn.wait()
        do {
          return try Int.fetchOne(db, sql: "SELECT count(*) FROM t")
        } catch {
          throw AppError()
        }
      }, in: pool, seen, errors)
    try await onOwnThread { fetches.wait() }
    await pool.suspend()
    goesOn.open()
    pool.resume()
    try await pool.write { db in try db.execute(sql: "INSERT INTO t VALUES (1)") }
    await until { seen.entries.last == 1 || !errors.entries.isEmpty }
    #expect(errors.entries == [])
    observation.cancel()
  }

  @Test func anObservationWhosePreparationReplacesTheErrorContinuesAfterTheResume() async throws {
    let prepares = Gate()
    let goesOn = Gate()
    let waits = Switch()
    let pool = try makePool { db in
      guard waits.isOn else { return }
      prepares.open()
      goesOn.wait()
      do {
        try db.execute(sql: "SELECT 1")
      } catch {
        throw AppError()
      }
    }
    try await pool.write { db in try db.execute(sql: "CREATE TABLE t (a)") }
    let seen = Journal<Int?>()
    let errors = Journal<String>()
    let observation = observe(
      .tracking { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM t") }, in: pool, seen,
      errors)
    await until { seen.entries.last == 0 }
    // The next fetch opens a reader.
    pool.invalidateReadOnlyConnections()
    waits.isOn = true
    try await pool.write { db in try db.execute(sql: "INSERT INTO t VALUES (0)") }
    try await onOwnThread { prepares.wait() }
    await pool.suspend()
    waits.isOn = false
    goesOn.open()
    pool.resume()
    try await pool.write { db in try db.execute(sql: "INSERT INTO t VALUES (1)") }
    await until { seen.entries.last == 2 || !errors.entries.isEmpty }
    #expect(errors.entries == [])
    observation.cancel()
  }

  @Test func anErrorOfTheAppEndsAnObservation() async throws {
    let pool = try makePool()
    let seen = Journal<Int>()
    let errors = Journal<String>()
    await pool.suspend()
    pool.resume()
    let observation = observe(
      .tracking { _ -> Int in throw AppError() }, in: pool, seen, errors)
    await until { !errors.entries.isEmpty }
    #expect(errors.entries == ["AppError()"])
    observation.cancel()
  }

  @Test func anObservationWhoseRegionIsDeterminedDuringASuspensionContinues() async throws {
    struct Table: DatabaseRegionConvertible {
      let isAsked: Gate
      let goesOn: Gate
      func databaseRegion(_ db: Database) throws -> DatabaseRegion {
        isAsked.open()
        goesOn.wait()
        return try db.makeStatement(sql: "SELECT * FROM t").databaseRegion
      }
    }
    let pool = try makePool()
    try await pool.write { db in try db.execute(sql: "CREATE TABLE t (a)") }
    let table = Table(isAsked: Gate(), goesOn: Gate())
    let counts = Journal<Int?>()
    let errors = Journal<String>()
    let observation = DatabaseRegionObservation(tracking: table).start(
      in: pool, onError: { errors.append("\($0)") },
      onChange: { db in
        do {
          counts.append(try Int.fetchOne(db, sql: "SELECT count(*) FROM t"))
        } catch {
          Issue.record(error)
        }
      })
    // A resume is reported like a change of everything, for which the region is determined.
    await pool.suspend()
    pool.resume()
    try await onOwnThread { table.isAsked.wait() }
    await pool.suspend()
    table.goesOn.open()
    pool.resume()
    try await pool.write { db in try db.execute(sql: "INSERT INTO t VALUES (1)") }
    await until { counts.entries.last == 1 || !errors.entries.isEmpty }
    #expect(errors.entries == [])
    observation.cancel()
  }

  // MARK: - Campaign

  /// Statements of every kind run on three threads while the pool is suspended at random times,
  /// with observations of an ordinary table, an R*Tree and a full-text table.
  ///
  /// `HOLDFAST_SEED=… Scripts/run-tests --filter statementsOfEveryKind` repeats the same statements
  /// and times.
  @Test func statementsOfEveryKindCanBeSuspendedAtAnyTime() async throws {
    var random = SeededRandom()
    let pool = try makePool()
    try await pool.write { db in try StatementCampaign.prepare(db) }
    let observed = StatementCampaign.observedSQL.map { sql in
      (sql: sql, seen: Journal<Int?>(), errors: Journal<String>())
    }
    let observations = observed.map { sql, seen, errors in
      observe(.tracking { db in try Int.fetchOne(db, sql: sql) }, in: pool, seen, errors)
    }
    let ends = Atomic(false)
    let unexpected = Journal<String>()
    let threads = (0..<3).map { thread in
      let seed = random.next()
      let other = folder.file("other-\(thread).db").path
      return OwnThread {
        var campaign = StatementCampaign(
          thread: thread, random: SeededRandom(unprinted: seed), attaching: other)
        while !ends.load(ordering: .relaxed) {
          do {
            try campaign.step(on: pool)
          } catch let error as DatabaseError where error.isDatabaseSuspensionError {
            sched_yield()
          } catch {
            unexpected.append("\(error)")
          }
        }
      }
    }
    let start = ContinuousClock.now
    var count = 0
    while count < 150, ContinuousClock.now - start < .seconds(1.5) || count < 10 {
      Self.spin(Int.random(in: 0...6000, using: &random))
      let report = await pool.suspend(within: .seconds(30))
      #expect(report.isFree, "\(report)")
      #expect(try HeldLocks.onDatabase(at: path) == [])
      pool.resume()
      count += 1
    }
    ends.store(true, ordering: .relaxed)
    for thread in threads { try await thread.value }
    #expect(unexpected.entries == [])
    for (sql, seen, errors) in observed {
      let last = try await pool.read { db in try Int.fetchOne(db, sql: sql) }
      await until { seen.entries.last == last || !errors.entries.isEmpty }
      #expect(errors.entries == [], "\(sql)")
    }
    for observation in observations { observation.cancel() }
    let problems = try await pool.read { db in try db.integrityProblems() }
    #expect(problems == [])
    let differences = try await pool.read { db in try StatementCampaign.differences(db) }
    #expect(differences == [])
  }

  private static func spin(_ microseconds: Int) {
    let end = ContinuousClock.now + .microseconds(microseconds)
    while ContinuousClock.now < end { sched_yield() }
  }
}
