import HoldfastFiles
import HoldfastSQLite

/// A named change of a schema, which is made once.
struct Migration: Sendable {
  /// The treatment of foreign keys during a migration.
  enum ForeignKeys: Sendable {
    /// Foreign keys are not enforced, and are checked before the commit.
    case deferred
    /// Every statement enforces foreign keys.
    case immediate
    /// Foreign keys are neither enforced nor checked.
    case unchecked
  }

  /// The next step of a migration in a database.
  enum Step: Equatable, Sendable {
    /// No step: it was applied, and the migrations that it replaces are not listed.
    case none
    /// It must run; these of the migrations that it replaces were applied.
    case run(applied: Set<String>)
    /// It was applied; the migrations that it replaces are still listed and must be removed.
    case forget
  }

  let identifier: String
  let mergedIdentifiers: Set<String>
  let foreignKeys: ForeignKeys
  let migrate: @Sendable (Database, Set<String>) throws -> Void

  /// Returns the step, given the applied migrations.
  func step(applied: Set<String>) -> Step {
    let merged = mergedIdentifiers.intersection(applied)
    guard applied.contains(identifier) else { return .run(applied: merged) }
    return merged.isEmpty ? .none : .forget
  }

  /// Makes the change and lists it, in one transaction, unless another process already did.
  func apply(_ db: Database) throws {
    guard foreignKeys != .immediate,
      try Bool.fetchOne(db, sql: "PRAGMA foreign_keys") == true
    else { return try transact(db, checksForeignKeys: false) }
    // Inside a transaction the pragma has no effect.
    try db.execute(sql: "PRAGMA foreign_keys = OFF")
    let result = Result { try transact(db, checksForeignKeys: foreignKeys == .deferred) }
    try db.undoing { try db.execute(sql: "PRAGMA foreign_keys = ON") }
    try result.get()
  }

  private func transact(_ db: Database, checksForeignKeys: Bool) throws {
    var isApplied = false
    try db.inTransaction(.immediate) {
      // Checked again, now that no other connection can write.
      switch step(applied: try MigrationList.identifiers(db)) {
      case .none:
        return .rollback
      case .forget:
        break
      case .run(let applied):
        try db.withSchemaSource(nil) { try migrate(db, applied) }
        if checksForeignKeys { try db.checkForeignKeys() }
        try MigrationList.add(identifier, db)
        isApplied = true
      }
      try MigrationList.remove(mergedIdentifiers, db)
      // A later migration that changes a table of the history then knows that nothing was missed.
      try HistoryTables.confirm(db)
      return .commit
    }
    if isApplied {
      Log.report(.info, .migration, "Applied migration '\(identifier)' to \(Log.name(db.path)).")
    }
  }
}

/// The table in which a database lists its applied migrations; it is GRDB's.
enum MigrationList {
  static let table = "grdb_migrations"

  static func identifiers(_ db: Database) throws -> Set<String> {
    guard try db.tableExists(table, in: "main") else { return [] }
    return try String.fetchSet(db, sql: "SELECT identifier FROM \(table)")
  }

  static func add(_ identifier: String, _ db: Database) throws {
    // Exactly as GRDB writes it, because schemas are compared by their text.
    try db.execute(
      sql: "CREATE TABLE IF NOT EXISTS \(table) (identifier TEXT NOT NULL PRIMARY KEY)")
    try db.execute(sql: "INSERT INTO \(table) (identifier) VALUES (?)", arguments: [identifier])
  }

  static func remove(_ identifiers: Set<String>, _ db: Database) throws {
    guard !identifiers.isEmpty else { return }
    // With the database's spelling: strings that are equal in Swift may differ in SQL.
    for identifier in try String.fetchAll(db, sql: "SELECT identifier FROM \(table)")
    where identifiers.contains(identifier) {
      try db.execute(sql: "DELETE FROM \(table) WHERE identifier = ?", arguments: [identifier])
    }
  }
}
