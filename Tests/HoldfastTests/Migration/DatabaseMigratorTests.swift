import Foundation
import Holdfast
import HoldfastTestSupport
import Synchronization
import Testing

@Suite struct DatabaseMigratorTests {
  struct Refusal: Error {}

  /// Returns a migrator whose migrations each create a table.
  private func migrator(_ names: String...) -> DatabaseMigrator {
    var migrator = DatabaseMigrator()
    for name in names {
      migrator.registerMigration(name) { db in try db.execute(sql: "CREATE TABLE \(name) (x)") }
    }
    return migrator
  }

  private func tables(_ queue: DatabaseQueue) throws -> [String] {
    try queue.read { db in
      try String.fetchAll(
        db,
        sql: """
          SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'grdb_migrations'
          ORDER BY rowid
          """)
    }
  }

  private func expectSQLiteError(_ body: () throws -> Void) throws -> DatabaseError {
    try #require(throws: DatabaseError.self, performing: body)
  }

  @Test func aMigrationThatMayHaveRunUnderAnotherNameSaysSo() throws {
    let queue = try DatabaseQueue()
    try migrator("a").migrate(queue)
    var renamed = DatabaseMigrator()
    renamed.registerMigration("v1") { db in try db.execute(sql: "CREATE TABLE a (x)") }
    let error = try expectSQLiteError { try renamed.migrate(queue) }
    #expect(error.message == "table a already exists")
    #expect(error.advice?.contains("if 'v1' is a new name of it") == true)
    #expect(error.advice?.contains(#"`merging: ["a"]`"#) == true)
    // Without another migration nothing was renamed.
    try queue.write { db in try db.execute(sql: "CREATE TABLE b (x)") }
    let plain = try expectSQLiteError { try migrator("a", "b").migrate(queue) }
    #expect(plain.advice?.contains("merging") != true)
  }

  // MARK: - Order

  @Test func migrationsRunOnceAndInOrder() throws {
    let queue = try DatabaseQueue()
    try migrator("a", "b").migrate(queue)
    #expect(try tables(queue) == ["a", "b"])
    // Each of these would fail if it ran again.
    let migrator = migrator("a", "b", "c")
    try migrator.migrate(queue)
    try migrator.migrate(queue)
    #expect(try tables(queue) == ["a", "b", "c"])
    #expect(migrator.migrations == ["a", "b", "c"])
  }

  @Test func aMigrationHasNoSchemaSource() throws {
    struct Source: DatabaseSchemaSource {}
    var configuration = Configuration()
    configuration.schemaSource = Source()
    let queue = try DatabaseQueue(configuration: configuration)
    var migrator = DatabaseMigrator()
    migrator.registerMigration("a") { db in #expect(db.schemaSource == nil) }
    try migrator.migrate(queue)
    #expect(try queue.read { db in db.schemaSource is Source })
  }

  @Test func aFailureRollsBackOnlyItsOwnMigration() throws {
    let queue = try DatabaseQueue()
    var migrator = migrator("a")
    migrator.registerMigration("b") { db in
      try db.execute(sql: "CREATE TABLE b (x)")
      throw Refusal()
    }
    #expect(throws: Refusal.self) { try migrator.migrate(queue) }
    #expect(try tables(queue) == ["a"])
    #expect(try queue.read(migrator.appliedIdentifiers) == ["a"])
    #expect(try queue.read(migrator.hasCompletedMigrations) == false)
  }

  @Test func aTargetIsTheLastMigrationToRun() throws {
    let queue = try DatabaseQueue()
    let migrator = migrator("a", "b", "c")
    try migrator.migrate(queue, upTo: "b")
    #expect(try tables(queue) == ["a", "b"])
    let error = try expectSQLiteError { try migrator.migrate(queue, upTo: "a") }
    #expect(error.message == "The database is already migrated beyond 'a', up to 'b'")
    try migrator.migrate(queue, upTo: "c")
    #expect(try tables(queue) == ["a", "b", "c"])
  }

  @Test func awaitedMigrationsRunOnceAndInOrder() async throws {
    let queue = try DatabaseQueue()
    let migrator = migrator("a", "b", "c")
    try await migrator.migrate(queue, upTo: "a")
    try await migrator.migrate(queue)
    #expect(try await queue.read { db in try migrator.hasCompletedMigrations(db) })
    let applied = try await withCheckedThrowingContinuation { continuation in
      self.migrator("a", "b", "c", "d").asyncMigrate(queue) { result in
        continuation.resume(
          with: Result { try migrator.appliedIdentifiers(result.get()) })
      }
    }
    #expect(applied == ["a", "b", "c", "d"])
  }

  @Test func anAsynchronousFailureIsReported() async throws {
    let queue = try DatabaseQueue()
    var failing = DatabaseMigrator()
    failing.registerMigration("a") { _ in throw Refusal() }
    let migrator = failing
    await #expect(throws: Refusal.self) { try await migrator.migrate(queue) }
    await #expect(throws: Refusal.self) {
      try await withCheckedThrowingContinuation { continuation in
        migrator.asyncMigrate(queue) { result in
          continuation.resume(with: Result { _ = try result.get() })
        }
      }
    }
  }

  @Test func aDatabaseThatIsUpToDateIsNotWritten() throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("a.db").path
    let migrator = migrator("a")
    try migrator.migrate(DatabaseQueue(path: path))
    var configuration = Configuration()
    configuration.readonly = true
    try migrator.migrate(DatabaseQueue(path: path, configuration: configuration))
    // The lock is not even acquired.
    configuration.readonly = false
    configuration.busyMode = .immediateError
    let writer = try DatabaseQueue(path: path, configuration: configuration)
    try writer.write { _ in
      try migrator.migrate(DatabaseQueue(path: path, configuration: configuration))
    }
    // An empty migrator creates no table.
    let empty = try DatabaseQueue()
    try DatabaseMigrator().migrate(empty)
    #expect(try empty.read { db in try !db.tableExists("grdb_migrations") })
  }

  // MARK: - Applied migrations

  @Test func appliedMigrationsAreReported() throws {
    let queue = try DatabaseQueue()
    try migrator("a", "c", "z").migrate(queue)
    let migrator = migrator("a", "b", "c")
    try queue.read { db throws in
      #expect(try migrator.appliedIdentifiers(db) == ["a", "c", "z"])
      #expect(try migrator.appliedMigrations(db) == ["a", "c"])
      #expect(try migrator.completedMigrations(db) == ["a"])
      #expect(try !migrator.hasCompletedMigrations(db))
      #expect(try migrator.hasBeenSuperseded(db))
      #expect(try !self.migrator("z", "c", "a").hasBeenSuperseded(db))
    }
    try migrator.migrate(queue)
    try queue.read { db throws in
      #expect(try migrator.hasCompletedMigrations(db))
      #expect(try migrator.hasBeenSuperseded(db))
    }
  }

  @Test func aNewDatabaseHasNoAppliedMigrations() throws {
    let queue = try DatabaseQueue()
    let migrator = migrator("a")
    try queue.read { db throws in
      #expect(try migrator.appliedIdentifiers(db) == [])
      #expect(try migrator.completedMigrations(db) == [])
      #expect(try !migrator.hasBeenSuperseded(db))
      #expect(try !migrator.hasSchemaChanges(db))
      #expect(try DatabaseMigrator().hasCompletedMigrations(db))
    }
  }

  @Test func registrationErrorsTrap() async {
    await #expect(processExitsWith: .failure) {
      var migrator = DatabaseMigrator()
      migrator.registerMigration("a") { _ in }
      migrator.registerMigration("a") { _ in }
    }
    await #expect(processExitsWith: .failure) {
      try await DatabaseMigrator().migrate(DatabaseQueue(), upTo: "a")
    }
  }

  // MARK: - Merging

  @Test(arguments: [[], ["a"], ["b"], ["a", "b"]]) func aMigrationCanReplaceOthers(
    applied: [String]
  ) throws {
    let queue = try DatabaseQueue()
    var older = DatabaseMigrator()
    for name in applied { older.registerMigration(name) { _ in } }
    try older.migrate(queue)
    let recorder = Recorder<Set<String>>()
    var migrator = DatabaseMigrator()
    migrator.registerMigration("c", merging: ["a", "b", "c"]) { _, applied in recorder.add(applied)
    }
    try migrator.migrate(queue)
    try migrator.migrate(queue)
    #expect(recorder.all == [Set(applied)])
    #expect(try queue.read(migrator.appliedIdentifiers) == ["c"])
  }

  @Test func aMergedMigrationIsRemovedFromTheList() throws {
    let queue = try DatabaseQueue()
    try migrator("a", "c").migrate(queue)
    var merged = DatabaseMigrator()
    merged.registerMigration("c", merging: ["a", "b"]) { _, _ in throw Refusal() }
    try merged.migrate(queue)
    #expect(try queue.read(merged.appliedIdentifiers) == ["c"])
    #expect(try queue.read { db in try !merged.hasBeenSuperseded(db) })
  }

  // MARK: - Schema changes

  @Test func aChangedDefinitionIsDetected() throws {
    let queue = try DatabaseQueue()
    try migrator("a", "b").migrate(queue)
    var changed = migrator("a")
    changed.registerMigration("b") { db in try db.execute(sql: "CREATE TABLE b (x, y)") }
    try queue.read { db throws in
      #expect(try !migrator("a", "b").hasSchemaChanges(db))
      #expect(try !migrator("a", "b", "c").hasSchemaChanges(db))
      #expect(try changed.hasSchemaChanges(db))
      #expect(try migrator("a").hasSchemaChanges(db))
    }
    try queue.write { db in try db.execute(sql: "ANALYZE; INSERT INTO a VALUES (1); ANALYZE") }
    try queue.write { db in try db.execute(sql: "CREATE TABLE grdb_state (x)") }
    #expect(try queue.read { db in try !migrator("a", "b").hasSchemaChanges(db) })
    try queue.write { db in try db.execute(sql: "CREATE INDEX i ON a (x)") }
    #expect(try queue.read { db in try migrator("a", "b").hasSchemaChanges(db) })
  }

  /// Definitions that earlier versions wrote, and what they are today.
  @Test(arguments: [
    (
      "CREATE TABLE c (id INTEGER PRIMARY KEY NOT NULL, a TEXT NOT NULL ON CONFLICT ABORT)",
      "CREATE TABLE c (id INTEGER PRIMARY KEY, a TEXT NOT NULL)"
    ),
    (
      "CREATE TABLE c (a, b); CREATE INDEX c_on_a_b ON c (a, b)",
      "CREATE TABLE c (a, b); CREATE INDEX index_c_on_a_b ON c (a, b)"
    ),
  ])
  func theSpellingOfEarlierVersionsIsNoChange(before: String, now: String) throws {
    func migrator(_ sql: String) -> DatabaseMigrator {
      var migrator = DatabaseMigrator()
      migrator.registerMigration("c") { db in try db.execute(sql: sql) }
      return migrator
    }
    let queue = try DatabaseQueue()
    try migrator(before).migrate(queue)
    #expect(try queue.read { db in try !migrator(now).hasSchemaChanges(db) })
    let other = migrator(now.replacing("c (", with: "c (z, "))
    #expect(try queue.read { db in try other.hasSchemaChanges(db) })
  }

  @Test func aRemovedMigrationIsDetectedEvenWithoutATrace() throws {
    let queue = try DatabaseQueue()
    var older = migrator("a")
    older.registerMigration("b") { _ in }
    try older.migrate(queue)
    #expect(try queue.read { db in try migrator("a").hasSchemaChanges(db) })
  }

  @Test func aReadOnlyDatabaseCanBeQueried() throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("a.db").path
    try migrator("a").migrate(DatabaseQueue(path: path))
    var configuration = Configuration()
    configuration.readonly = true
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    #expect(try queue.read { db in try !migrator("a").hasSchemaChanges(db) })
  }

  @Test func aChangedDefinitionErasesOnRequest() throws {
    let queue = try DatabaseQueue()
    try migrator("a", "b").migrate(queue)
    try queue.write { db in try db.execute(sql: "INSERT INTO a VALUES (1)") }
    var migrator = migrator("a", "b", "c")
    migrator.eraseDatabaseOnSchemaChange = true
    try migrator.migrate(queue)
    #expect(try queue.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM a") } == 1)
    var changed = self.migrator("a", "d")
    try changed.migrate(queue)
    #expect(try tables(queue) == ["a", "b", "c", "d"])
    changed.eraseDatabaseOnSchemaChange = true
    try changed.migrate(queue)
    #expect(try tables(queue) == ["a", "d"])
    #expect(try queue.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM a") } == 0)
  }

  @Test func theSchemaComparisonLeavesNoFiles() throws {
    let queue = try DatabaseQueue()
    var migrator = migrator("a")
    let paths = Recorder<String?>()
    migrator.registerMigration("b") { db in paths.add(db.path) }
    try migrator.migrate(queue)
    _ = try queue.read(migrator.hasSchemaChanges)
    let trial = try #require(paths.all.last ?? nil)
    #expect(paths.all.count == 2)
    #expect(!FileManager.default.fileExists(atPath: trial))
    #expect(
      !FileManager.default.fileExists(
        atPath: URL(filePath: trial).deletingLastPathComponent().path))
  }

  // MARK: - Foreign keys

  private static let families = """
    CREATE TABLE parent (id INTEGER PRIMARY KEY);
    CREATE TABLE child (id INTEGER PRIMARY KEY, parentId INTEGER NOT NULL REFERENCES parent (id)
      ON DELETE CASCADE);
    INSERT INTO parent VALUES (1); INSERT INTO child VALUES (1, 1);
    """

  @Test func aTableCanBeRecreatedWithoutCascades() throws {
    let queue = try DatabaseQueue()
    var migrator = DatabaseMigrator()
    migrator.registerMigration("families") { db in try db.execute(sql: Self.families) }
    migrator.registerMigration("anew") { db in
      try db.execute(
        sql: """
          CREATE TABLE new_parent (id INTEGER PRIMARY KEY, name);
          INSERT INTO new_parent SELECT id, NULL FROM parent;
          DROP TABLE parent;
          ALTER TABLE new_parent RENAME TO parent;
          """)
    }
    try migrator.migrate(queue)
    try queue.read { db throws in
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM child") == 1)
      #expect(try Bool.fetchOne(db, sql: "PRAGMA foreign_keys") == true)
    }
  }

  private func orphaning(
    _ checks: DatabaseMigrator.ForeignKeyChecks, in migrator: DatabaseMigrator
  ) -> DatabaseMigrator {
    var migrator = migrator
    migrator.registerMigration("families") { db in try db.execute(sql: Self.families) }
    migrator.registerMigration("orphans", foreignKeyChecks: checks) { db in
      try db.execute(sql: "INSERT INTO child VALUES (2, 42)")
    }
    return migrator
  }

  @Test(arguments: [false, true]) func aViolationIsNotCommitted(isImmediate: Bool) throws {
    let queue = try DatabaseQueue()
    let migrator = orphaning(isImmediate ? .immediate : .deferred, in: DatabaseMigrator())
    let error = try expectSQLiteError { try migrator.migrate(queue) }
    #expect(error.extendedResultCode == .SQLITE_CONSTRAINT_FOREIGNKEY)
    #expect(error.message?.contains("child(parentId)") == !isImmediate)
    try queue.read { db throws in
      #expect(try migrator.appliedIdentifiers(db) == ["families"])
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM child") == 1)
      #expect(try Bool.fetchOne(db, sql: "PRAGMA foreign_keys") == true)
    }
  }

  @Test func theForeignKeyCheckCanBeOmitted() throws {
    let queue = try DatabaseQueue()
    let migrator = orphaning(
      .deferred, in: DatabaseMigrator().disablingDeferredForeignKeyChecks())
    try migrator.migrate(queue)
    #expect(throws: DatabaseError.self) { try queue.read { db in try db.checkForeignKeys() } }
    #expect(throws: DatabaseError.self) {
      try orphaning(.immediate, in: DatabaseMigrator().disablingDeferredForeignKeyChecks())
        .migrate(DatabaseQueue())
    }
  }

  @Test func disabledForeignKeysStayDisabled() throws {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    let queue = try DatabaseQueue(configuration: configuration)
    try orphaning(.deferred, in: DatabaseMigrator()).migrate(queue)
    #expect(
      try queue.read { db in try Bool.fetchOne(db, sql: "PRAGMA foreign_keys") } == false)
  }

  @Test func foreignKeysAreEnabledAgainAfterACancellation() async throws {
    let queue = try DatabaseQueue()
    let (starts, start) = AsyncStream.makeStream(of: Void.self)
    var slow = DatabaseMigrator()
    slow.registerMigration("slow") { db in
      start.yield()
      try db.execute(
        sql: """
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n
          """)
    }
    let migrator = slow
    let task = Task { try await migrator.migrate(queue) }
    for await _ in starts { break }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(
      try await queue.read { db in try Bool.fetchOne(db, sql: "PRAGMA foreign_keys") } == true)
    #expect(try await queue.read { db in try migrator.appliedIdentifiers(db) } == [])
  }
}

/// The values that migrations received, in order.
private final class Recorder<Value: Sendable>: Sendable {
  private let values = Mutex<[Value]>([])

  var all: [Value] { values.withLock { $0 } }

  func add(_ value: Value) {
    values.withLock { $0.append(value) }
  }
}
