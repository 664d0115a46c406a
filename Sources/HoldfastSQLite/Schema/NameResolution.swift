#if SQLCipher
  internal import CSQLCipher
#else
  internal import CSQLite
#endif

/// The state of the schemas in which a name is looked up.
///
/// A name without a schema refers to the first table of that name in `temp`, `main`, then the
/// attached databases in order. SQLite prepares a statement again when `temp` or a schema that the
/// statement uses changes, but not when the name is created in a schema that is searched earlier.
///
/// - SeeAlso: <https://www.sqlite.org/lang_naming.html>
final class NameResolution {
  /// `main` and the attached databases, in order; `nil` when they must be read from SQLite.
  fileprivate var schemas: [String]?

  /// For each schema, a statement that SQLite prepares again when the schema has changed.
  fileprivate var probes: [DatabaseIdentifier: Statement] = [:]

  /// The number of schemas probed since the open transaction began or changed one.
  fileprivate var probedCount = 0

  fileprivate var isProbing = false

  /// Records that any schema may have changed.
  func schemasMayChange() {
    probedCount = 0
  }

  /// Releases the probe statements, so that the schemas are read again.
  func forgetProbes() {
    schemas = nil
    probes = [:]
    probedCount = 0
  }
}

extension Database {
  /// Records that a database may be attached or detached.
  func attachmentsMayChange() {
    nameResolution.forgetProbes()
    unsafe mayNamesBeAmbiguous = true
  }

  /// Makes SQLite look up the names in all statements again, if one may refer to another table.
  ///
  /// That may be the case for the tables of attached databases.
  ///
  /// - Parameter statement: The statement that is about to run.
  func resolveNames(of statement: Statement) {
    guard !nameResolution.isProbing, !statement.isOfTransactions else { return }
    nameResolution.isProbing = true
    defer { nameResolution.isProbing = false }
    let schemas = nameResolution.schemas ?? attachedSchemas()
    nameResolution.schemas = schemas
    unsafe mayNamesBeAmbiguous = schemas.count > 1
    guard schemas.count > 1 else { return }
    // Schemas that the statement does not need are not probed, because probing takes their locks.
    let used = statement.observe().effects.schemas
    guard
      let count = schemas.lastIndex(where: { used.contains($0.foldedDatabaseIdentifier) }),
      count > 0
    else { return }
    if !isTransactionOpen { nameResolution.probedCount = 0 }
    guard nameResolution.probedCount < count else { return }
    let earlier = schemas[nameResolution.probedCount..<count]
    nameResolution.probedCount = count
    // All are probed, because probing brings a schema up to date.
    let changedCount = earlier.count { hasChanged($0) }
    guard changedCount > 0 else { return }
    expireStatements()
    // The probes have expired too, which is not a schema change.
    for probe in nameResolution.probes.values { _ = isPreparedAgain(probe) }
  }

  /// Records the schemas that a statement uses, right after SQLite has prepared it.
  ///
  /// Later the same names may refer to other tables.
  func noteNames(of statement: Statement) {
    guard !nameResolution.isProbing, !statement.isOfTransactions else { return }
    statement.observe().update(statement)
  }

  /// Returns whether a schema has changed since it was last probed.
  private func hasChanged(_ schema: String) -> Bool {
    probe(schema).map(isPreparedAgain) ?? false
  }

  /// Whether SQLite prepares a statement again when it is run, because its schema has changed.
  private func isPreparedAgain(_ probe: Statement) -> Bool {
    let count = probe.preparationCount
    withoutAuthorizer {
      handle.busyHandler.withoutWaiting {
        // If it fails, for example because the database is locked, the statement that uses the
        // schema fails too.
        _ = unsafe sqlite3_step(probe.handle)
        _ = unsafe sqlite3_reset(probe.handle)
      }
    }
    return probe.preparationCount != count
  }

  /// Runs the closure on the open connection while the user's authorizer is not asked: what the library
  /// asks for itself is not the user's to deny.
  func withoutAuthorizer(_ body: () -> Void) {
    handle.ifPresent {
      guard let broker else { return body() }
      broker.withoutAuthorizer(body)
    }
  }

  private func probe(_ schema: String) -> Statement? {
    if let probe = nameResolution.probes[schema.foldedDatabaseIdentifier] { return probe }
    var source = StatementIterator(
      "SELECT 1 FROM \(schema.quotedDatabaseIdentifier).sqlite_schema LIMIT 0")
    withoutAuthorizer {
      do throws(DatabaseError) {
        nameResolution.probes[schema.foldedDatabaseIdentifier] = try source.next(on: self)
      } catch _ {
        // Then the statement that names the schema cannot be prepared either.
      }
    }
    return nameResolution.probes[schema.foldedDatabaseIdentifier]
  }

  /// Returns the names of `main` and the attached databases, in SQLite's search order.
  private func attachedSchemas() -> [String] {
    var names: [String] = []
    withoutAuthorizer {
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

  /// Makes SQLite prepare every statement again before its next run.
  private func expireStatements() {
    guard let broker else {
      return handle.ifPresent { unsafe StatementAuthorizer.expireStatements(of: handle.pointer) }
        ?? ()
    }
    broker.expireStatements()
  }
}
