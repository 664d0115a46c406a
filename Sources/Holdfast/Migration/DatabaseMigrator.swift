public import HoldfastSQLite

/// Changes a database's schema in named steps, in order, each once.
///
/// ```swift
/// var migrator = DatabaseMigrator()
/// migrator.registerMigration("Create stop") { db in
///   try db.execute(sql: "CREATE TABLE stop (id INTEGER PRIMARY KEY, name TEXT NOT NULL)")
/// }
/// try migrator.migrate(queue)
/// ```
///
/// Each migration runs in a transaction of its own: when it fails, the ones before it stay and it
/// has changed nothing. Several processes may migrate one file at the same time: each migration is
/// made by one of them, and the others wait for it as `Configuration.busyMode` allows.
///
/// The applied migrations are listed in the table `grdb_migrations`, as GRDB does, so that a
/// database moves over and back.
///
/// A migration describes the past: once an app has shipped it is not changed any more. So it names
/// tables and columns in SQL and not by types of the app, which go on changing.
public struct DatabaseMigrator: Sendable {
  /// How a migration treats foreign keys.
  public enum ForeignKeyChecks: Sendable {
    /// They are not enforced while the migration runs, and all are checked before it commits.
    ///
    /// A table can be made anew only this way.
    ///
    /// - SeeAlso: <https://www.sqlite.org/lang_altertable.html>, "Making Other Kinds Of Table
    ///   Schema Changes"
    case deferred

    /// Every statement enforces them.
    ///
    /// This is faster on a large database, and only for migrations that make no table anew.
    case immediate
  }

  /// Whether a database is erased when the definition of an applied migration has changed; false by
  /// default.
  ///
  /// It is for the time before an app ships, and for data that can be had again.
  ///
  /// - Important: All data of the database is lost then.
  public var eraseDatabaseOnSchemaChange = false

  private var registered: [Migration] = []
  private var checksDeferredForeignKeys = true

  /// Creates a migrator without migrations.
  public init() {}

  /// Returns a copy that does not check foreign keys after the migrations registered from now on.
  ///
  /// The check reads every table with foreign keys. Migrations with immediate checks are not
  /// touched by this.
  ///
  /// - Returns: The copy.
  /// - Important: A migration may leave rows that refer to nothing; check them yourself with
  ///   `Database.checkForeignKeys(in:)` for the tables that it changed.
  public func disablingDeferredForeignKeyChecks() -> DatabaseMigrator {
    var copy = self
    copy.checksDeferredForeignKeys = false
    return copy
  }

  // MARK: - Registering

  /// Adds a migration, after those added before.
  ///
  /// - Parameters:
  ///   - identifier: The migration's name, by which the database lists it.
  ///   - foreignKeyChecks: When foreign keys are checked; before the commit by default.
  ///   - migrate: Makes the change, inside a transaction.
  /// - Precondition: No migration of that name was added.
  public mutating func registerMigration(
    _ identifier: String, foreignKeyChecks: ForeignKeyChecks = .deferred,
    migrate: @escaping @Sendable (_ db: Database) throws -> Void
  ) {
    registerMigration(identifier, foreignKeyChecks: foreignKeyChecks, merging: []) { db, _ in
      try migrate(db)
    }
  }

  /// Adds a migration that stands for several earlier ones, after those added before.
  ///
  /// It runs unless it was applied. Then it is listed in the place of the ones that it stands for.
  ///
  /// ```swift
  /// migrator.registerMigration("v3", merging: ["v1", "v2"]) { db, applied in
  ///   if !applied.contains("v1") { try createTables(db) }
  ///   if !applied.contains("v2") { try addColumns(db) }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - identifier: The migration's name, by which the database lists it.
  ///   - foreignKeyChecks: When foreign keys are checked; before the commit by default.
  ///   - mergedIdentifiers: The migrations that it stands for, which are not registered any more.
  ///   - migrate: Makes the change, inside a transaction; it is told which of them were applied.
  /// - Precondition: No migration of that name was added.
  public mutating func registerMigration(
    _ identifier: String, foreignKeyChecks: ForeignKeyChecks = .deferred,
    merging mergedIdentifiers: Set<String> = [],
    migrate: @escaping @Sendable (_ db: Database, _ appliedIdentifiers: Set<String>) throws -> Void
  ) {
    guard !migrations.contains(identifier) else {
      Misuse.trap(Misuse.migrationRegisteredTwice(identifier))
    }
    let foreignKeys: Migration.ForeignKeys =
      switch foreignKeyChecks {
      case .immediate: .immediate
      case .deferred: checksDeferredForeignKeys ? .deferred : .unchecked
      }
    registered.append(
      Migration(
        identifier: identifier, mergedIdentifiers: mergedIdentifiers.subtracting([identifier]),
        foreignKeys: foreignKeys, migrate: migrate))
  }

  // MARK: - Migrating

  /// Applies all migrations that were not applied yet; nobody reads meanwhile.
  ///
  /// When there are none the database is not written.
  ///
  /// - Parameter writer: The database.
  /// - Throws: `DatabaseError` with `SQLITE_BUSY` when another process writes for longer than
  ///   `Configuration.busyMode` allows, with `SQLITE_CONSTRAINT_FOREIGNKEY` when a migration
  ///   leaves a row that refers to nothing; what a migration throws.
  @available(
    *, noasync,
    message:
      "Write `try await migrate(writer)`, which blocks no thread; at the top level of main.swift, in a function."
  )
  public func migrate(_ writer: any DatabaseWriter) throws {
    try writer.barrierWriteWithoutTransaction { db in try migrate(db) }
  }

  /// Applies the migrations that were not applied yet, up to one of them.
  ///
  /// - Parameters:
  ///   - writer: The database.
  ///   - targetIdentifier: The last migration to apply.
  /// - Throws: `DatabaseError` as the form without a target does, and with `SQLITE_MISUSE` when a
  ///   later migration was applied already; what a migration throws.
  /// - Precondition: The migration was registered.
  @available(
    *, noasync,
    message:
      "Write `try await migrate(…)`, which blocks no thread; at the top level of main.swift, in a function."
  )
  public func migrate(_ writer: any DatabaseWriter, upTo targetIdentifier: String) throws {
    try writer.barrierWriteWithoutTransaction { db in try migrate(db, upTo: targetIdentifier) }
  }

  /// Applies all migrations that were not applied yet, while the task is suspended.
  ///
  /// - Parameter writer: The database.
  /// - Throws: `CancellationError` when the task is cancelled: migrations that were committed stay
  ///   then; `DatabaseError` as the blocking form does; what a migration throws.
  public func migrate(_ writer: any DatabaseWriter) async throws {
    try await writer.barrierWriteWithoutTransaction { [self] db in try migrate(db) }
  }

  /// Applies the migrations that were not applied yet, up to one of them, while the task is
  /// suspended.
  ///
  /// - Parameters:
  ///   - writer: The database.
  ///   - targetIdentifier: The last migration to apply.
  /// - Throws: `CancellationError`; `DatabaseError` as the blocking form does; what a migration
  ///   throws.
  /// - Precondition: The migration was registered.
  public func migrate(_ writer: any DatabaseWriter, upTo targetIdentifier: String) async throws {
    try await writer.barrierWriteWithoutTransaction { [self] db in
      try migrate(db, upTo: targetIdentifier)
    }
  }

  /// Applies all migrations that were not applied yet when it is their turn; returns at once.
  ///
  /// - Parameters:
  ///   - writer: The database.
  ///   - completion: Gets a connection to the migrated database, outside of any transaction, or
  ///     what kept it from being migrated; it runs on a queue of the database's own.
  public func asyncMigrate(
    _ writer: any DatabaseWriter,
    completion: @escaping @Sendable (Result<Database, any Error>) -> Void
  ) {
    writer.asyncBarrierWriteWithoutTransaction { [self] result in
      completion(
        Result {
          let db = try result.get()
          try migrate(db)
          return db
        })
    }
  }

  /// Applies migrations on a connection outside of a transaction.
  ///
  /// - Parameters:
  ///   - db: The connection.
  ///   - target: The last one; `nil` for all.
  ///   - erases: Called before the database is erased.
  /// - Throws: `DatabaseError`; whatever a migration or `erases` throws.
  func migrate(
    _ db: Database, upTo target: String? = nil, beforeErasing erases: () throws -> Void = {}
  ) throws {
    if eraseDatabaseOnSchemaChange {
      var mustErase = false
      try db.inTransaction(.deferred) {
        mustErase = try hasSchemaChanges(db)
        return .commit
      }
      if mustErase {
        try erases()
        try db.erase()
      }
    }
    try run(db, upTo: target)
  }

  private func run(_ db: Database, upTo target: String?) throws {
    var count = registered.count
    if let target {
      guard let index = migrations.firstIndex(of: target) else {
        Misuse.trap(Misuse.migrationNotRegistered(target))
      }
      count = index + 1
      if let later = try appliedMigrations(db).last, !migrations[..<count].contains(later) {
        throw DatabaseError.migratedBeyond(target, to: later, path: db.path)
      }
    }
    // A database that is up to date takes no lock for writing.
    let applied = try appliedIdentifiers(db)
    for migration in registered[..<count] where migration.step(applied: applied) != .none {
      try migration.apply(db)
    }
  }

  // MARK: - Asking

  /// The names of the registered migrations, in their order.
  public var migrations: [String] {
    registered.map(\.identifier)
  }

  /// Returns the names of the registered migrations that were applied, in their order.
  ///
  /// - Parameter db: A connection.
  /// - Returns: The names.
  /// - Throws: `DatabaseError` with the code SQLite gave.
  public func appliedMigrations(_ db: Database) throws -> [String] {
    let applied = try appliedIdentifiers(db)
    return migrations.filter { applied.contains($0) }
  }

  /// Returns the names of all migrations that were applied, also of those not registered here.
  ///
  /// - Parameter db: A connection.
  /// - Returns: The names.
  /// - Throws: `DatabaseError` with the code SQLite gave.
  public func appliedIdentifiers(_ db: Database) throws -> Set<String> {
    try MigrationList.identifiers(db)
  }

  /// Returns the names of the registered migrations before the first one that was not applied.
  ///
  /// - Parameter db: A connection.
  /// - Returns: The names, in their order.
  /// - Throws: `DatabaseError` with the code SQLite gave.
  public func completedMigrations(_ db: Database) throws -> [String] {
    let applied = try appliedIdentifiers(db)
    return Array(migrations.prefix { applied.contains($0) })
  }

  /// Returns whether all registered migrations were applied.
  ///
  /// - Parameter db: A connection.
  /// - Returns: Whether they were.
  /// - Throws: `DatabaseError` with the code SQLite gave.
  public func hasCompletedMigrations(_ db: Database) throws -> Bool {
    try completedMigrations(db).count == registered.count
  }

  /// Returns whether a migration was applied that is not registered here.
  ///
  /// Then a newer version of the app has most likely changed the database.
  ///
  /// - Parameter db: A connection.
  /// - Returns: Whether there is one.
  /// - Throws: `DatabaseError` with the code SQLite gave.
  public func hasBeenSuperseded(_ db: Database) throws -> Bool {
    try !appliedIdentifiers(db).isSubset(of: migrations)
  }

  /// The names of the applied migrations that are not registered here, nor stood for by one that is.
  func unknownMigrations(_ db: Database) throws -> [String] {
    let known = registered.reduce(into: Set(migrations)) { $0.formUnion($1.mergedIdentifiers) }
    return try appliedIdentifiers(db).subtracting(known).sorted()
  }

  /// Returns whether the applied migrations would make another schema today.
  ///
  /// This is so when one of them is not registered any more, and when the SQL of a table, an index,
  /// a view or a trigger differs from the one that a new database gets, which is made for this in
  /// the folder for temporary files.
  ///
  /// - Parameter db: A connection.
  /// - Returns: Whether it differs.
  /// - Throws: `DatabaseError` with the code SQLite gave; what a migration throws.
  public func hasSchemaChanges(_ db: Database) throws -> Bool {
    if try hasBeenSuperseded(db) { return true }
    guard let last = try appliedMigrations(db).last else { return false }
    let expected = try TrialDatabase(configuration: db.configuration).schema { trial in
      try run(trial, upTo: last)
    }
    return try TrialDatabase.schema(db) != expected
  }
}
