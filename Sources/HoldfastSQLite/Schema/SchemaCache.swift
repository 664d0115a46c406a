/// What a connection knows of its schema, as long as that cannot have changed.
///
/// Inside a transaction only the connection itself changes the schema, by statements that it sees.
/// Outside of one, and when one begins, SQLite's schema versions tell whether others did.
///
/// - SeeAlso: <https://www.sqlite.org/pragma.html#pragma_schema_version>
struct SchemaCache {
  /// What running a statement does to what is known.
  enum Effect {
    /// Rows are read or written; the schema stays.
    case none
    /// A transaction may begin or end.
    case boundary
    /// The schema may be another one.
    case change
    /// A whole schema may be added or removed.
    case attachment
  }

  /// The name of a table as it was asked for.
  struct Key: Hashable {
    let schema: ExactText?
    let table: ExactText

    init(schema: String?, table: String) {
      self.schema = schema.map(ExactText.init)
      self.table = ExactText(table)
    }
  }

  /// A thing of the schema: its kind in SQLite's words, and its name.
  struct Object: Hashable {
    let type: String
    let name: DatabaseIdentifier
  }

  /// The schemas' names, in the order in which SQLite looks a name up.
  var schemas: [String]?
  var objects: [DatabaseIdentifier: Set<Object>] = [:]
  var columns: [Key: [ColumnInfo]] = [:]
  var indexes: [Key: [IndexInfo]] = [:]
  var primaryKeys: [Key: PrimaryKeyInfo] = [:]
  var foreignKeys: [Key: [ForeignKeyInfo]] = [:]

  /// Another number after everything was forgotten.
  private(set) var generation = 0

  private var versions: [Int32] = []
  private var isVerified = false

  // A change of the open transaction can be taken back, and another one reach the same version.
  private var isProvisional = false

  /// Whether the versions must be looked at before anything known is used.
  mutating func isDoubtful(inTransaction: Bool) -> Bool {
    if isProvisional && !inTransaction { clear() }
    return !(isVerified && inTransaction)
  }

  /// Keeps what is known when the versions are those it was read at, and forgets it otherwise.
  mutating func verify(versions: [Int32]) {
    if versions != self.versions {
      let (schemas, isProvisional) = (schemas, isProvisional)
      clear()
      self.schemas = schemas
      self.versions = versions
      self.isProvisional = isProvisional
    }
    isVerified = true
  }

  /// Notes that an access or a transaction begins or ends.
  mutating func invalidateVerification() {
    isVerified = false
    if isProvisional { clear() }
  }

  /// Notes that the schema may be another one from here on.
  mutating func change() {
    clear()
    isProvisional = true
  }

  mutating func clear() {
    let next = generation + 1
    self = SchemaCache()
    generation = next
  }
}

extension SchemaCache.Effect {
  /// Creates the effect of a statement by its verb.
  ///
  /// - Parameters:
  ///   - sql: The statement.
  ///   - isReadonly: What SQLite says of it.
  init(_ sql: SQLTokens, isReadonly: Bool) {
    switch sql.verb {
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
