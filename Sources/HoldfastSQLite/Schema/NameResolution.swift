internal import CSQLite

/// What is known of the schemas in which a name is looked up.
///
/// A name without a schema means the first table of that name in `temp`, `main`, then the attached
/// databases in their order. SQLite prepares a statement again when a schema changes that the
/// statement uses, and when `temp` does, but not when the name appears in a schema that is searched
/// earlier.
///
/// - SeeAlso: <https://www.sqlite.org/lang_naming.html>
struct NameResolution {
  /// `main` and the attached databases, in that order; `nil` when SQLite is to be asked.
  fileprivate var schemas: [String]?

  /// For each of them a statement that SQLite prepares again when the schema has changed.
  fileprivate var probes: [String: Statement] = [:]

  /// How many of the schemas were probed since the open transaction began or changed one.
  fileprivate var probedCount = 0

  fileprivate var isProbing = false

  /// Notes that any schema may be another one.
  mutating func schemasMayChange() {
    probedCount = 0
  }

  /// Lets the statements go that are kept for this; SQLite is asked for the schemas again.
  mutating func forgetProbes() {
    schemas = nil
    probes = [:]
    probedCount = 0
  }
}

extension Database {
  /// Notes that a database may be attached or detached.
  func attachmentsMayChange() {
    nameResolution.forgetProbes()
    unsafe mayNamesBeAmbiguous = true
  }

  /// Has SQLite look the names of all statements up again, if that of a table of an attached
  /// database may mean another one now.
  ///
  /// - Parameter statement: The statement that is to run.
  func resolveNames(of statement: Statement) {
    guard !nameResolution.isProbing, !statement.isOfTransactions else { return }
    nameResolution.isProbing = true
    defer { nameResolution.isProbing = false }
    let schemas = nameResolution.schemas ?? attachedSchemas()
    nameResolution.schemas = schemas
    unsafe mayNamesBeAmbiguous = schemas.count > 1
    guard schemas.count > 1 else { return }
    // Nothing is asked of a schema that the statement does not need, because that takes its lock.
    let used = statement.follow().effects.schemas
    guard let count = schemas.lastIndex(where: used.contains), count > 0 else { return }
    if !isTransactionOpen { nameResolution.probedCount = 0 }
    guard nameResolution.probedCount < count else { return }
    let earlier = schemas[nameResolution.probedCount..<count]
    nameResolution.probedCount = count
    // All of them, because one that was probed is up to date.
    let changedCount = earlier.count { hasChanged($0) }
    guard changedCount > 0 else { return }
    expireStatements()
    // The probes have expired too; that is no change of a schema.
    for schema in nameResolution.probes.keys { _ = hasChanged(schema) }
  }

  /// Notes which schemas a statement uses, right after SQLite has prepared it: later the same names
  /// may mean others.
  func noteNames(of statement: Statement) {
    guard !nameResolution.isProbing, !statement.isOfTransactions else { return }
    statement.follow().update(statement)
  }

  /// Whether a schema has changed since it was last asked for.
  private func hasChanged(_ schema: String) -> Bool {
    guard let probe = probe(schema) else { return false }
    let count = probe.prepareCount
    handle.ifPresent {
      handle.busyHandler.withoutWaiting {
        // When it fails, because the database is locked or worse, so does the statement that uses
        // it.
        _ = unsafe sqlite3_step(probe.handle)
        _ = unsafe sqlite3_reset(probe.handle)
      }
    }
    return probe.prepareCount != count
  }

  private func probe(_ schema: String) -> Statement? {
    if let probe = nameResolution.probes[schema] { return probe }
    var source = StatementIterator(
      "SELECT 1 FROM \(schema.quotedDatabaseIdentifier).sqlite_schema LIMIT 0")
    do throws(DatabaseError) {
      let probe = try source.next(on: self)
      nameResolution.probes[schema] = probe
      return probe
    } catch {
      // Then the statement that names the schema cannot be prepared either.
      return nil
    }
  }

  /// The names of `main` and the attached databases, in the order in which SQLite searches them.
  private func attachedSchemas() -> [String] {
    var names: [String] = []
    handle.ifPresent {
      var statement: OpaquePointer?
      _ = unsafe sqlite3_prepare_v3(
        handle.pointer, "PRAGMA database_list", -1, 0, &statement, nil)
      while unsafe sqlite3_step(statement) == SQLITE_ROW {
        if let name = unsafe sqlite3_column_text(statement, 1) {
          unsafe names.append(String(cString: name))
        }
      }
      _ = unsafe sqlite3_finalize(statement)
    }
    return names.filter { $0 != "temp" }
  }

  /// Has SQLite prepare every statement again before its next run.
  private func expireStatements() {
    guard let broker else {
      return handle.ifPresent { unsafe StatementAuthorizer.expireStatements(of: handle.pointer) }
        ?? ()
    }
    broker.expireStatements()
  }
}
