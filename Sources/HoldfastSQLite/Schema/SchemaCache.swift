/// A cache of a connection's schema, valid as long as the schema cannot have changed.
///
/// Inside a transaction only the connection itself changes the schema, by statements that it sees.
/// Outside of a transaction, and when one begins, SQLite's schema versions show whether another
/// connection changed it.
///
/// - SeeAlso: <https://www.sqlite.org/pragma.html#pragma_schema_version>
final class SchemaCache {
  /// The effect of running a statement on the cache.
  enum Effect {
    /// Rows are read or written; the schema does not change.
    case none
    /// A transaction may begin or end.
    case boundary
    /// The schema may change.
    case change
    /// A schema may be attached or detached.
    case attachment
  }

  /// The name of a table and schema, as spelled by the caller.
  struct Key: Hashable {
    let schema: ExactText?
    let table: ExactText

    init(schema: String?, table: String) {
      self.schema = schema.map(ExactText.init)
      self.table = ExactText(table)
    }
  }

  /// An object of the schema: its type as in SQLite, and its name.
  struct Object: Hashable {
    let type: String
    let name: DatabaseIdentifier
  }

  /// The schemas' names, in the order in which SQLite searches them.
  var schemas: [String]?
  var objects: [DatabaseIdentifier: Set<Object>] = [:]
  var columns: [Key: [ColumnInfo]] = [:]
  var dependentColumns: [Key: [String]] = [:]
  var indexes: [Key: [IndexInfo]] = [:]
  var primaryKeys: [Key: PrimaryKeyInfo] = [:]
  var foreignKeys: [Key: [ForeignKeyInfo]] = [:]

  /// A number that changes whenever the cache is cleared.
  private(set) var generation = 0

  private var versions: [Int32] = []
  private var isVerified = false

  // A change of the open transaction can be rolled back, and another change reach the same version.
  private var isProvisional = false

  /// Returns whether the versions must be checked before the cache is used.
  func isDoubtful(inTransaction: Bool) -> Bool {
    if isProvisional && !inTransaction { clear() }
    return !(isVerified && inTransaction)
  }

  /// Clears the cache unless the versions are those at which it was read.
  func verify(versions: [Int32]) {
    if self.versions.isEmpty {
      // Nothing was read since it was cleared.
      self.versions = versions
    } else if versions != self.versions {
      let (schemas, isProvisional) = (schemas, isProvisional)
      clear()
      self.schemas = schemas
      self.versions = versions
      self.isProvisional = isProvisional
    }
    isVerified = true
  }

  /// Records that an access or a transaction begins or ends.
  func invalidateVerification() {
    isVerified = false
    if isProvisional { clear() }
  }

  /// Records that the schema may have changed.
  func change() {
    clear()
    isProvisional = true
  }

  /// Records that temporary objects were made, and nothing else changed.
  func temporarySchemaChanged() {
    let generation = generation
    clear()
    // What was computed from the content of the main database remains right.
    self.generation = generation
  }

  /// Forgets the keys, which another source may name.
  func forgetPrimaryKeys() {
    primaryKeys = [:]
    generation += 1
  }

  func clear() {
    schemas = nil
    objects = [:]
    columns = [:]
    dependentColumns = [:]
    indexes = [:]
    primaryKeys = [:]
    foreignKeys = [:]
    versions = []
    isVerified = false
    isProvisional = false
    generation += 1
  }
}

extension SchemaCache.Effect {
  /// Creates the effect of a statement by its verb.
  ///
  /// - Parameters:
  ///   - verb: The word with which the statement begins, in capitals.
  ///   - isReadonly: Whether SQLite reports that the statement only reads.
  init(_ verb: String?, isReadonly: Bool) {
    switch verb {
    case "SELECT", "INSERT", "UPDATE", "DELETE", "REPLACE", "WITH", "VALUES", "EXPLAIN":
      self = .none
    case "BEGIN", "COMMIT", "END", "SAVEPOINT", "RELEASE":
      self = .boundary
    // A pragma changes the schema only by writing its version.
    case "PRAGMA" where isReadonly:
      self = .none
    case "ATTACH", "DETACH":
      self = .attachment
    default:
      self = .change
    }
  }
}
