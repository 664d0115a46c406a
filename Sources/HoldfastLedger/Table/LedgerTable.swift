/// The table of files that a ledger keeps: its name, its columns and its dialect.
///
/// ```swift
/// let books = LedgerTable.own("book")
/// let maps = LedgerTable(
///   name: "map", idColumns: ["id"], pathColumn: "file", dialect: .relative(to: .caches))
/// ```
///
/// The names are the table's own, whatever characters they contain; as in SQLite, the case of
/// ASCII letters does not matter.
public struct LedgerTable: Hashable, Sendable {
  /// The name of the table, in the main database.
  public var name: String

  /// The columns that identify a row: the primary key, or the columns of a unique index.
  public var idColumns: [String]

  /// The column of the path.
  public var pathColumn: String

  /// The way in which paths are written.
  ///
  /// `nil` reads the text form only; adoption is refused when the table contains absolute paths.
  public var dialect: PathDialect?

  /// The column that is 1 while the file is there and 0 when the record is cleared.
  ///
  /// Without it, cleared records are noted in the ledger's side table, and their rows stay.
  public var stateColumn: String?

  /// The column that names the root of a relative path; see ``PathDialect/locations``.
  public var locationColumn: String?

  /// The column of the time of the last use.
  public var lastAccessColumn: String?

  /// The column of the time at which the file was moved to the caches.
  public var movedToCacheColumn: String?

  /// The columns that receive the current time when a row is inserted.
  public var insertionTimeColumns: [String] = []

  /// The column that receives the current time when a new file is recorded.
  public var updateTimeColumn: String?

  /// Whether the columns above are ignored where the table does not have them.
  ///
  /// The identifier and the path are always needed. Without this, a missing column is an error.
  public var ignoresMissingColumns = false

  /// Creates the description of a table.
  ///
  /// - Parameters:
  ///   - name: The name of the table.
  ///   - idColumns: The columns that identify a row.
  ///   - pathColumn: The column of the path.
  ///   - dialect: The way in which paths are written; see ``dialect``.
  ///   - stateColumn: The column that is 0 for a cleared record.
  ///   - locationColumn: The column that names the root of a relative path.
  public init(
    name: String, idColumns: [String], pathColumn: String, dialect: PathDialect?,
    stateColumn: String? = nil, locationColumn: String? = nil
  ) {
    self.name = name
    self.idColumns = idColumns
    self.pathColumn = pathColumn
    self.dialect = dialect
    self.stateColumn = stateColumn
    self.locationColumn = locationColumn
  }

  /// A table of the ledger's own, which adoption creates when it does not exist.
  ///
  /// Its columns are `id`, `path` in the text form, `is_present`, `recorded_at`, `updated_at`,
  /// `last_accessed_at` and `moved_to_cache_at`.
  ///
  /// - Parameter name: The name of the table.
  /// - Returns: A description with these columns.
  public static func own(_ name: String = "file") -> LedgerTable {
    var table = LedgerTable(
      name: name, idColumns: ["id"], pathColumn: "path", dialect: .text,
      stateColumn: "is_present")
    table.lastAccessColumn = "last_accessed_at"
    table.movedToCacheColumn = "moved_to_cache_at"
    table.insertionTimeColumns = ["recorded_at", "updated_at"]
    table.updateTimeColumn = "updated_at"
    table.isOwn = true
    return table
  }

  /// Whether adoption creates the table.
  var isOwn = false
}
