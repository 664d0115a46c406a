import HoldfastFiles
import HoldfastSQLite

/// One named change of a schema, and how it is made once.
struct Migration: Sendable {
  /// What is done about foreign keys while it runs.
  enum ForeignKeys: Sendable {
    /// Not enforced; checked before the commit.
    case deferred
    /// Enforced by every statement.
    case immediate
    /// Not enforced, and not checked.
    case unchecked
  }

  /// What a migration has to do in a database.
  enum Step: Equatable, Sendable {
    /// It was applied, and nothing is left of those it stands for.
    case none
    /// It must run; these of the migrations that it stands for were applied.
    case run(applied: Set<String>)
    /// It was applied; the migrations that it stands for are still listed.
    case forget
  }

  let identifier: String
  let mergedIdentifiers: Set<String>
  let foreignKeys: ForeignKeys
  let migrate: @Sendable (Database, Set<String>) throws -> Void

  /// Decides what is to do where these migrations were applied.
  func step(applied: Set<String>) -> Step {
    let merged = mergedIdentifiers.intersection(applied)
    guard applied.contains(identifier) else { return .run(applied: merged) }
    return merged.isEmpty ? .none : .forget
  }

  /// Makes the change and lists it, in one transaction, unless another process was faster.
  func apply(_ db: Database) throws {
    guard foreignKeys != .immediate,
      try Bool.fetchOne(db, sql: "PRAGMA foreign_keys") == true
    else { return try transact(db, checksForeignKeys: false) }
    // Inside a transaction the pragma does nothing.
    try db.execute(sql: "PRAGMA foreign_keys = OFF")
    let result = Result { try transact(db, checksForeignKeys: foreignKeys == .deferred) }
    try db.undoing { try db.execute(sql: "PRAGMA foreign_keys = ON") }
    try result.get()
  }

  private func transact(_ db: Database, checksForeignKeys: Bool) throws {
    var isApplied = false
    try db.inTransaction(.immediate) {
      // Asked once more, now that nobody else can write.
      switch step(applied: try MigrationList.identifiers(db)) {
      case .none:
        return .rollback
      case .forget:
        break
      case .run(let applied):
        try migrate(db, applied)
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

/// The table in which a database lists its migrations; it is GRDB's.
enum MigrationList {
  static let table = "grdb_migrations"

  static func identifiers(_ db: Database) throws -> Set<String> {
    guard try db.tableExists(table, in: "main") else { return [] }
    return try String.fetchSet(db, sql: "SELECT identifier FROM \(table)")
  }

  static func add(_ identifier: String, _ db: Database) throws {
    // To the letter as GRDB writes it, because a schema is compared by its text.
    try db.execute(
      sql: "CREATE TABLE IF NOT EXISTS \(table) (identifier TEXT NOT NULL PRIMARY KEY)")
    try db.execute(sql: "INSERT INTO \(table) (identifier) VALUES (?)", arguments: [identifier])
  }

  static func remove(_ identifiers: Set<String>, _ db: Database) throws {
    guard !identifiers.isEmpty else { return }
    // As the database spells them: names that read alike are one to Swift, and not to SQL.
    for identifier in try String.fetchAll(db, sql: "SELECT identifier FROM \(table)")
    where identifiers.contains(identifier) {
      try db.execute(sql: "DELETE FROM \(table) WHERE identifier = ?", arguments: [identifier])
    }
  }
}
