public import HoldfastSQLite

/// A migrator that changes a database's schema in named steps, in order, each once.
///
/// ```swift
/// var migrator = DatabaseMigrator()
/// migrator.registerMigration("Create stop") { db in
///   try db.execute(sql: "CREATE TABLE stop (id INTEGER PRIMARY KEY, name TEXT NOT NULL)")
/// }
/// try migrator.migrate(queue)
/// ```
///
/// Each migration runs in its own transaction: when it fails, the previous ones remain applied and
/// it has changed nothing. Several processes may migrate one file at the same time: each migration
/// is applied by one of them, and the others wait for it as `Configuration.busyMode` allows.
///
/// The applied migrations are listed in the table `grdb_migrations`, as in GRDB, so that a database
/// can be used with either library.
///
/// A migration describes the past: once an app has shipped, do not change it. So refer to tables
/// and columns in SQL and not through types of the app, which continue to change.
public struct DatabaseMigrator: Sendable {
  /// The time at which a migration checks foreign keys.
  public enum ForeignKeyChecks: Sendable {
    /// Foreign keys are not enforced during the migration, and all are checked before it commits.
    ///
    /// A table can only be recreated this way.
    ///
    /// - SeeAlso: <https://www.sqlite.org/lang_altertable.html>, "Making Other Kinds Of Table
    ///   Schema Changes"
    case deferred

    /// Every statement enforces foreign keys.
    ///
    /// This is faster on a large database, and suits only migrations that recreate no table.
    case immediate
  }

  /// Whether a database is erased when the definition of an applied migration has changed.
  ///
  /// The default is `false`. Use it before an app ships, and for data that can be restored.
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
  /// affected.
  ///
  /// - Important: A migration may leave rows that violate a foreign key; check the tables that it
  ///   changed yourself with `Database.checkForeignKeys(in:)`.
  public func disablingDeferredForeignKeyChecks() -> DatabaseMigrator {
    var copy = self
    copy.checksDeferredForeignKeys = false
    return copy
  }

  // MARK: - Registering

  /// Adds a migration after the registered ones.
  ///
  /// - Parameters:
  ///   - identifier: The name of the migration, under which the database lists it.
  ///   - foreignKeyChecks: When foreign keys are checked; before the commit by default.
  ///   - migrate: Makes the change, inside a transaction.
  /// - Precondition: No migration of that name is registered.
  public mutating func registerMigration(
    _ identifier: String, foreignKeyChecks: ForeignKeyChecks = .deferred,
    migrate: @escaping @Sendable (_ db: Database) throws -> Void
  ) {
    registerMigration(identifier, foreignKeyChecks: foreignKeyChecks, merging: []) { db, _ in
      try migrate(db)
    }
  }

  /// Adds a migration that replaces several earlier ones, after the registered ones.
  ///
  /// It runs unless it was applied. Then it is listed in place of the migrations that it replaces.
  ///
  /// ```swift
  /// migrator.registerMigration("v3", merging: ["v1", "v2"]) { db, applied in
  ///   if !applied.contains("v1") { try createTables(db) }
  ///   if !applied.contains("v2") { try addColumns(db) }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - identifier: The name of the migration, under which the database lists it.
  ///   - foreignKeyChecks: When foreign keys are checked; before the commit by default.
  ///   - mergedIdentifiers: The migrations that it replaces, which are not registered any more.
  ///   - migrate: Makes the change, inside a transaction; receives the ones that were applied.
  /// - Precondition: No migration of that name is registered.
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

  /// Applies all pending migrations; no read runs meanwhile.
  ///
  /// If there are none, the database is not written to.
  ///
  /// - Parameter writer: The database.
  /// - Throws: `DatabaseError` with `SQLITE_BUSY` when another process writes for longer than
  ///   `Configuration.busyMode` allows, with `SQLITE_CONSTRAINT_FOREIGNKEY` when a migration
  ///   leaves a row that violates a foreign key; whatever a migration throws.
  @available(
    *, noasync,
    message:
      "Write `try await migrate(writer)`, which blocks no thread; at the top level of main.swift, in a function."
  )
  public func migrate(_ writer: any DatabaseWriter) throws {
    try writer.barrierWriteWithoutTransaction { db in try migrate(db) }
  }

  /// Applies the pending migrations up to one of them.
  ///
  /// - Parameters:
  ///   - writer: The database.
  ///   - targetIdentifier: The last migration to apply.
  /// - Throws: `DatabaseError` as the form without a target does, and with `SQLITE_MISUSE` when a
  ///   later migration was applied already; whatever a migration throws.
  /// - Precondition: The migration was registered.
  @available(
    *, noasync,
    message:
      "Write `try await migrate(…)`, which blocks no thread; at the top level of main.swift, in a function."
  )
  public func migrate(_ writer: any DatabaseWriter, upTo targetIdentifier: String) throws {
    try writer.barrierWriteWithoutTransaction { db in try migrate(db, upTo: targetIdentifier) }
  }

  /// Applies all pending migrations while the task is suspended.
  ///
  /// - Parameter writer: The database.
  /// - Throws: `CancellationError` when the task is cancelled, in which case committed migrations
  ///   remain applied; `DatabaseError` as the blocking form does; whatever a migration throws.
  public func migrate(_ writer: any DatabaseWriter) async throws {
    try await writer.barrierWriteWithoutTransaction { [self] db in try migrate(db) }
  }

  /// Applies the pending migrations up to one of them while the task is suspended, as the blocking
  /// form does.
  ///
  /// - Throws: `CancellationError`; `DatabaseError` as the blocking form does; whatever a migration
  ///   throws.
  public func migrate(_ writer: any DatabaseWriter, upTo targetIdentifier: String) async throws {
    try await writer.barrierWriteWithoutTransaction { [self] db in
      try migrate(db, upTo: targetIdentifier)
    }
  }

  /// Schedules all pending migrations and returns immediately.
  ///
  /// - Parameters:
  ///   - writer: The database.
  ///   - completion: Receives a connection to the migrated database, outside any transaction, or
  ///     the error of the migration; it runs on one of the database's own dispatch queues.
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
    // A database that is up to date is not locked for writing.
    let applied = try appliedIdentifiers(db)
    for migration in registered[..<count] where migration.step(applied: applied) != .none {
      do {
        try migration.apply(db)
      } catch var error as DatabaseError where error.resultCode == .SQLITE_ERROR {
        // What it creates is there already if it ran under another name.
        let unknown = try unknownMigrations(db)
        if !unknown.isEmpty {
          error.suspectedRenaming = .init(of: migration.identifier, unknown: unknown)
        }
        throw error
      }
    }
  }

  // MARK: - Applied migrations

  /// The names of the registered migrations, in order of registration.
  public var migrations: [String] {
    registered.map(\.identifier)
  }

  /// Returns the names of the registered migrations that were applied, in order of registration.
  ///
  /// - Throws: `DatabaseError` with SQLite's code.
  public func appliedMigrations(_ db: Database) throws -> [String] {
    let applied = try appliedIdentifiers(db)
    return migrations.filter { applied.contains($0) }
  }

  /// Returns the names of all migrations that were applied, including those not registered here.
  ///
  /// - Throws: `DatabaseError` with SQLite's code.
  public func appliedIdentifiers(_ db: Database) throws -> Set<String> {
    try MigrationList.identifiers(db)
  }

  /// Returns the names of the registered migrations before the first one that was not applied, in
  /// order of registration.
  ///
  /// - Throws: `DatabaseError` with SQLite's code.
  public func completedMigrations(_ db: Database) throws -> [String] {
    let applied = try appliedIdentifiers(db)
    return Array(migrations.prefix { applied.contains($0) })
  }

  /// Returns whether all registered migrations were applied.
  ///
  /// - Throws: `DatabaseError` with SQLite's code.
  public func hasCompletedMigrations(_ db: Database) throws -> Bool {
    try completedMigrations(db).count == registered.count
  }

  /// Returns whether a migration that is not registered here was applied.
  ///
  /// If so, a newer version of the app has most likely changed the database.
  ///
  /// - Parameter db: A connection.
  /// - Returns: Whether there is one.
  /// - Throws: `DatabaseError` with SQLite's code.
  public func hasBeenSuperseded(_ db: Database) throws -> Bool {
    try !appliedIdentifiers(db).isSubset(of: migrations)
  }

  /// Returns the applied migrations that are neither registered here nor replaced by one that is.
  func unknownMigrations(_ db: Database) throws -> [String] {
    let known = registered.reduce(into: Set(migrations)) { $0.formUnion($1.mergedIdentifiers) }
    return try appliedIdentifiers(db).subtracting(known).sorted()
  }

  /// Returns the registered migrations that were not applied, in order of registration.
  func missingMigrations(_ db: Database) throws -> [String] {
    let applied = try appliedIdentifiers(db)
    return migrations.filter { !applied.contains($0) }
  }

  /// Returns whether the applied migrations would create another schema now.
  ///
  /// This is the case if one of them is not registered any more, or if the definition of a table,
  /// an index, a view or a trigger differs from its definition in a new database, which is created
  /// for the comparison in the folder for temporary files. Definitions that differ only in their
  /// spelling are equal, so that a database that GRDB has made is not taken for an outdated one:
  /// white space, the quotes and the letter case of names, the order of a table's constraints, and
  /// how a full-text table follows its content do not count.
  ///
  /// - Parameter db: A connection.
  /// - Returns: Whether the schema differs.
  /// - Throws: `DatabaseError` with SQLite's code; whatever a migration throws.
  public func hasSchemaChanges(_ db: Database) throws -> Bool {
    if try hasBeenSuperseded(db) { return true }
    guard let last = try appliedMigrations(db).last else { return false }
    let expected = try ExpectedSchemaDatabase(configuration: db.configuration).schema { trial in
      try run(trial, upTo: last)
    }
    return try ComparedSchema(db) != expected
  }
}
