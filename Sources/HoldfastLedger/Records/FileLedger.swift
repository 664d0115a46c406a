public import Holdfast
public import HoldfastFiles

/// A ledger of the files that an app owns, which finds them again wherever the container went.
///
/// The ledger works on a table of the app, or on one of its own, in any database that a
/// `DatabaseWriter` writes:
///
/// ```swift
/// let ledger = FileLedger(pool, container: .current, table: .own("book")) { record in
///   [try RelocatablePath(.documents, "downloads", folder(of: record), name(of: record))]
/// }
/// try await ledger.adopt()
/// let report = try await ledger.repairAll(budget: .seconds(2))
/// ```
///
/// A record is cleared only when its file is proven to be absent, and can be restored. Each change
/// is in the report. No absolute path is written.
public struct FileLedger: Sendable {
  /// A closure that returns the paths where the app expects the file of a record, best first.
  public typealias ExpectedPaths = @Sendable (LedgerRecord) throws -> [RelocatablePath]

  /// The database of the table.
  public let writer: any DatabaseWriter

  /// The container of the files.
  public let container: Container

  /// The table.
  public let table: LedgerTable

  /// The number of records that a repair examines before it writes, in one transaction, what has
  /// changed.
  public var recordsPerTransaction = 16_000

  let expectedPaths: ExpectedPaths

  /// Creates a ledger; nothing is read or written yet.
  ///
  /// - Parameters:
  ///   - writer: The database of the table.
  ///   - container: The container of the files.
  ///   - table: The table.
  ///   - expectedPaths: Returns the paths where the app expects the file of a record, best first;
  ///     none by default. An error that it throws counts as none and is in the report.
  public init(
    _ writer: any DatabaseWriter, container: Container = .current, table: LedgerTable,
    expectedPaths: @escaping ExpectedPaths = { _ in [] }
  ) {
    self.writer = writer
    self.container = container
    self.table = table
    self.expectedPaths = expectedPaths
  }

  /// The dialect in which paths are read and written.
  var dialect: PathDialect { table.dialect ?? .text }

  // MARK: - Adoption

  /// Prepares the database: checks the table, and creates the ledger's side tables.
  ///
  /// The app's table is not changed. A second call changes nothing.
  ///
  /// - Throws: ``LedgerError`` with `.unsuitableTable` when the table or a column is missing or
  ///   the identifier is not unique, with `.absolutePaths` when the table contains absolute paths
  ///   and ``LedgerTable/dialect`` is `nil`; `DatabaseError`.
  public func adopt() async throws {
    let ledger = self
    try await writer.write { db in try ledger.adopt(db) }
  }

  /// Prepares the database inside a write, for example in a migration.
  ///
  /// - Parameter db: A connection in a write.
  /// - Throws: The errors of ``adopt()``.
  public func adopt(_ db: Database) throws {
    if table.isOwn { try createOwnTable(db) }
    let layout = try TableLayout(table, db)
    if table.dialect == nil {
      let absolute = try String.fetchOne(
        db,
        sql: """
          SELECT \(layout.path) FROM \(layout.table)
          WHERE substr(\(layout.path), 1, 1) = '/' OR lower(substr(\(layout.path), 1, 5)) = 'file:'
          LIMIT 1
          """)
      if let absolute { throw LedgerError.absolutePath(absolute, in: table.name) }
    }
    try SideTable.adopt(table, db)
  }

  private func createOwnTable(_ db: Database) throws {
    try db.execute(
      sql: """
        CREATE TABLE IF NOT EXISTS main.\(table.name.quotedDatabaseIdentifier) (
          id TEXT PRIMARY KEY NOT NULL,
          path TEXT NOT NULL,
          is_present BOOLEAN NOT NULL DEFAULT TRUE,
          recorded_at TEXT NOT NULL,
          updated_at TEXT NOT NULL,
          last_accessed_at TEXT,
          moved_to_cache_at TEXT
        ) WITHOUT ROWID
        """)
  }

  /// Returns the names of the tables of a database that ledgers have adopted.
  package static func adoptedTables(_ db: Database) throws -> [String] {
    guard try db.tableExists("holdfast_ledger_tables", in: "main") else { return [] }
    return try String.fetchAll(db, sql: "SELECT name FROM main.holdfast_ledger_tables ORDER BY id")
  }

  /// Returns the layout and the number of the adopted table.
  func adopted(_ db: Database) throws -> (layout: TableLayout, source: Int64) {
    guard let source = try SideTable.source(of: table, db) else {
      throw LedgerError.notAdopted(table.name)
    }
    return (try TableLayout(table, db), source)
  }
}
