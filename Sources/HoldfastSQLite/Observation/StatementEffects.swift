#if SQLCipher
  internal import CSQLCipher
#else
  internal import CSQLite
#endif

/// The effects of running a statement, as SQLite's authorizer reports them.
///
/// They are what it reads and changes, and which transaction it begins or ends. The effects of
/// views, triggers and foreign key actions are included.
final class StatementEffects: Sendable {
  /// The effect of a statement on the transaction.
  enum OnTransaction: Hashable {
    case begin
    case commit
    case rollback
    case savepoint(DatabaseIdentifier)
    case release(DatabaseIdentifier)
    case rollbackTo(DatabaseIdentifier)
  }

  /// The region whose values the statement reads.
  let readRegion: DatabaseRegion

  /// The region that it may change.
  let modifiedRegion: DatabaseRegion

  /// The kinds of changes that it may make to rows, except in SQLite's internal tables.
  let eventKinds: [DatabaseEventKind]

  /// ``eventKinds``, and the deletions of rows that may be replaced, if SQLite reports them.
  let rowEventKinds: [DatabaseEventKind]

  /// Whether it changes the schema, which SQLite's count of changed rows does not include.
  let changesSchema: Bool

  /// The tables that it creates, unless they exist, and the schema of each.
  let createdTables: [DatabaseIdentifier: String]

  let onTransaction: OnTransaction?

  /// The names of the schemas whose tables it reads or changes.
  let schemas: Set<DatabaseIdentifier>

  init(_ record: Record, mayReplaceRows: Bool) {
    // `SELECT id FROM t` is reported twice, as a read of `id` and of no column. Where no column is
    // read only insertions and deletions matter, which are in the region of any column.
    readRegion = record.tablesWithoutColumns.reduce(into: record.reads) { region, table in
      let table = DatabaseRegion(table: table.text)
      if !record.reads.intersects(table) { region.formUnion(table) }
    }
    // What changes the schema reads it too; an observation that creates a temporary table would follow that of
    // another one, and it this one's.
    .union(record.changesSchema ? DatabaseRegion() : record.internalReads)
    eventKinds =
      record.kinds
      + record.updates.sorted { $0.key < $1.key }.flatMap { table, columns in
        DatabaseEventKind.updates(table.text, columns.map(\.text))
      }
    var rowEventKinds = eventKinds
    if ChangeHooks.seeReplacedRows {
      for kind in eventKinds where !rowEventKinds.contains(.delete(tableName: kind.tableName)) {
        rowEventKinds.append(.delete(tableName: kind.tableName))
      }
    }
    self.rowEventKinds = rowEventKinds
    modifiedRegion = eventKinds.reduce(into: record.definitions) { region, kind in
      // If other rows may be deleted, an update of any column changes the whole table.
      region.formUnion(
        mayReplaceRows ? DatabaseRegion(table: kind.tableName) : kind.modifiedRegion)
    }
    changesSchema = record.changesSchema
    createdTables = record.createdTables
    onTransaction = record.onTransaction
    schemas = record.schemas
  }

  /// Creates the effects of a change of a region that no statement made.
  init(modifying region: DatabaseRegion) {
    readRegion = DatabaseRegion()
    modifiedRegion = region
    eventKinds = []
    rowEventKinds = []
    changesSchema = true
    createdTables = [:]
    onTransaction = nil
    schemas = []
  }

  /// The actions that the authorizer has reported so far.
  struct Record {
    fileprivate(set) var reads = DatabaseRegion()
    /// The region of SQLite's own tables that the statement reads.
    fileprivate(set) var internalReads = DatabaseRegion()
    /// The tables that are read somewhere without a column, as by `count(*)`.
    fileprivate(set) var tablesWithoutColumns: Set<ExactText> = []
    fileprivate(set) var kinds: [DatabaseEventKind] = []
    fileprivate(set) var updates: [ExactText: Set<ExactText>] = [:]
    fileprivate var updatedTables: Set<SchemaCache.Key> = []
    fileprivate(set) var definitions = DatabaseRegion()
    fileprivate(set) var changesSchema = false
    fileprivate(set) var createdTables: [DatabaseIdentifier: String] = [:]
    fileprivate(set) var onTransaction: OnTransaction?
    fileprivate(set) var schemas: Set<DatabaseIdentifier> = []

    var updatesRows: Bool { !updates.isEmpty }
  }
}

extension StatementEffects.Record {
  /// Records one action.
  ///
  /// - SeeAlso: <https://www.sqlite.org/c3ref/c_alter_table.html>
  mutating func note(_ action: AuthorizedAction) {
    if let schema = action.databaseName { schemas.insert(schema.foldedDatabaseIdentifier) }
    switch action.code.rawValue {
    case SQLITE_READ:
      guard let table = action.first else { break }
      guard !isInternal(table) else {
        let column = action.second ?? ""
        internalReads.formUnion(
          column.isEmpty
            ? DatabaseRegion(table: table) : DatabaseRegion(table: table, columns: [column]))
        break
      }
      // The view through which it is read, which may be recreated over another table.
      if let view = action.triggerOrViewName { reads.formUnion(DatabaseRegion(table: view)) }
      // "If a table is referenced but no column values are extracted, SQLITE_READ is invoked with
      // a column name that is an empty string": https://www.sqlite.org/c3ref/set_authorizer.html
      guard let column = action.second, !column.isEmpty else {
        tablesWithoutColumns.insert(ExactText(table))
        break
      }
      reads.formUnion(DatabaseRegion(table: table, columns: [column]))
    case SQLITE_INSERT:
      note(table: action.first) { .insert(tableName: $0) }
    case SQLITE_DELETE:
      note(table: action.first) { .delete(tableName: $0) }
    case SQLITE_UPDATE:
      guard let table = action.first else { break }
      guard !isInternal(table) else { return noteInternal(table) }
      updates[ExactText(table), default: []].insert(ExactText(action.second ?? ""))
      updatedTables.insert(SchemaCache.Key(schema: action.databaseName, table: table))
    case SQLITE_DROP_TABLE, SQLITE_DROP_TEMP_TABLE, SQLITE_DROP_VTABLE, SQLITE_DROP_VIEW,
      SQLITE_DROP_TEMP_VIEW, SQLITE_CREATE_VIEW, SQLITE_CREATE_TEMP_VIEW:
      define(action.first)
    case SQLITE_CREATE_TABLE, SQLITE_CREATE_TEMP_TABLE, SQLITE_CREATE_VTABLE:
      guard let table = action.first else { break }
      createdTables[table.foldedDatabaseIdentifier] = action.databaseName ?? "main"
    case SQLITE_ALTER_TABLE:
      define(action.second)
    case SQLITE_TRANSACTION:
      switch action.first {
      case "BEGIN": onTransaction = .begin
      case "COMMIT": onTransaction = .commit
      case "ROLLBACK": onTransaction = .rollback
      default: break
      }
    case SQLITE_SAVEPOINT:
      let name = (action.second ?? "").foldedDatabaseIdentifier
      switch action.first {
      case "BEGIN": onTransaction = .savepoint(name)
      case "RELEASE": onTransaction = .release(name)
      case "ROLLBACK": onTransaction = .rollbackTo(name)
      default: break
      }
    default:
      break
    }
  }

  /// Records that an update also changes the columns that follow from others, which SQLite does not
  /// report.
  ///
  /// - Parameter columns: A function that returns the names of these columns of a table in a schema.
  mutating func noteDependentColumns(_ columns: (String, String?) throws -> [String]) {
    for key in updatedTables {
      do {
        for column in try columns(key.table.text, key.schema?.text) {
          updates[key.table, default: []].insert(ExactText(column))
        }
      } catch {
        // A table whose columns cannot be read now: all of them may change.
        updates[key.table, default: []].insert(ExactText(DatabaseEventKind.rowIDName))
      }
    }
  }

  private mutating func note(table: String?, kind: (String) -> DatabaseEventKind) {
    guard let table else { return }
    guard !isInternal(table) else { return noteInternal(table) }
    let kind = kind(table)
    if !kinds.contains(kind) { kinds.append(kind) }
  }

  private mutating func define(_ name: String?) {
    guard let name else { return }
    definitions.formUnion(DatabaseRegion(table: name))
  }

  private func isInternal(_ table: String) -> Bool {
    table.utf8.starts(with: "sqlite_".utf8)
  }

  /// Records the change of a table of SQLite itself; a change of a schema's table changes the
  /// schema.
  private mutating func noteInternal(_ table: String) {
    guard DatabaseSchemaID.tableNames.contains(table) else { return }
    changesSchema = true
    define(table)
  }
}
