import Holdfast

/// A ledger's table as it is in the database now: the columns that exist, as SQL.
struct TableLayout {
  /// The name.
  let name: String

  /// The quoted name, with its schema.
  let table: String

  /// A column of those that a repair writes which SQLite computes instead; `nil` when there is none.
  private let computedColumn: String?

  /// The quoted identifying columns.
  let ids: [String]

  /// The quoted column of the path.
  let path: String

  /// The quoted columns that the table has.
  let state, location, lastAccess, movedToCache, updateTime: String?

  /// The quoted columns that receive the time of an insertion.
  let insertionTimes: [String]

  /// The columns by which a row is found fast: the rowid, or the identifying columns.
  let locators: [String]

  init(_ description: LedgerTable, _ db: Database) throws {
    guard try db.tableExists(description.name, in: "main") else {
      throw LedgerError.noTable(description.name)
    }
    let columns = try db.columns(in: description.name, in: "main")
    func quoted(_ name: String) -> String? {
      let folded = DatabaseIdentifier(name)
      let column = columns.first { DatabaseIdentifier($0.name) == folded }
      return column?.name.quotedDatabaseIdentifier
    }
    func required(_ name: String) throws -> String {
      guard let column = quoted(name) else {
        throw LedgerError.noColumn(name, of: description.name)
      }
      return column
    }
    func optional(_ name: String?) throws -> String? {
      guard let name else { return nil }
      return description.ignoresMissingColumns ? quoted(name) : try required(name)
    }
    name = description.name
    table = "main." + description.name.quotedDatabaseIdentifier
    ids = try description.idColumns.map(required)
    path = try required(description.pathColumn)
    state = try optional(description.stateColumn)
    location = try optional(description.locationColumn)
    lastAccess = try optional(description.lastAccessColumn)
    movedToCache = try optional(description.movedToCacheColumn)
    updateTime = try optional(description.updateTimeColumn)
    insertionTimes = try description.insertionTimeColumns.compactMap(optional)

    // Other columns are written in some repairs only, and by the statement that then fails.
    let written = path
    computedColumn =
      columns.first { $0.isGenerated && written == $0.name.quotedDatabaseIdentifier }?.name

    let key = try db.primaryKey(description.name, in: "main")
    locators = key.rowIDNames.first.map { [$0] } ?? ids

    let wanted = Set(description.idColumns.map(\.foldedDatabaseIdentifier))
    let isPrimaryKey = Set(key.columns.map(\.foldedDatabaseIdentifier)) == wanted
    let isUnique = try db.indexes(on: description.name, in: "main").contains { index in
      index.isUnique && !index.isPartial && index.isOnColumns
        && Set(index.columns.map(\.foldedDatabaseIdentifier)) == wanted
    }
    guard isPrimaryKey || isUnique, !wanted.isEmpty else {
      let isVirtual = try Bool.fetchOne(
        db,
        sql: """
          SELECT rootpage = 0 FROM main.sqlite_schema WHERE type = 'table' AND name = ? COLLATE NOCASE
          """, arguments: [description.name])
      throw LedgerError.noKey(
        description.idColumns, of: description.name, isVirtual: isVirtual == true)
    }
  }

  /// Checks that a repair can write the columns, before it says what it would write.
  ///
  /// - Throws: ``LedgerError`` with `.unsuitableTable` when SQLite computes one of them.
  func requireWritable() throws(LedgerError) {
    if let computedColumn { throw .computed(computedColumn, of: name) }
  }

  /// The table under the alias that ``column(_:)`` prefixes, so that no column of the side tables
  /// has its name.
  var aliased: String { "\(table) AS holdfast_row" }

  /// Returns a column of the table under its alias.
  func column(_ name: String) -> String { "holdfast_row.\(name)" }

  /// The value under which the side table knows a row of the aliased table: the identifier, or the
  /// SQL literals of a composite one.
  ///
  /// The plus takes the column's affinity away: with that of a number, SQLite reads all keys of the side table.
  var key: String {
    ids.count == 1
      ? "+" + column(ids[0]) : ids.map { "quote(\(column($0)))" }.joined(separator: " || ',' || ")
  }

  /// The value by which a row of the aliased table is found again: the rowid, or the identifier.
  var locator: String {
    locators.count == 1 ? column(locators[0]) : key
  }

  /// The condition that the identifying columns have the values of as many parameters.
  ///
  /// Compared twice: with the column's own collation, so that its index is used, and by bytes.
  var hasID: String {
    ids.map { "\($0) = ? AND \($0) COLLATE BINARY = ?" }.joined(separator: " AND ")
  }

  /// The same condition for the aliased table.
  var hasAliasedID: String {
    ids.map(column).map { "\($0) = ? AND \($0) COLLATE BINARY = ?" }.joined(separator: " AND ")
  }

  /// The condition that the locators have the values of as many parameters.
  var isAtLocator: String {
    locators.map { "\($0) = ?" }.joined(separator: " AND ")
  }

  /// The same condition for the aliased table.
  var isAtAliasedLocator: String {
    locators.map { "\(column($0)) = ?" }.joined(separator: " AND ")
  }

  /// The condition that a row of the aliased table is not cleared; NULL counts as recorded.
  var isRecorded: String {
    state.map { "coalesce(\(column($0)), 1) <> 0" } ?? "1"
  }

  /// The condition that no identifying column is NULL, which SQLite allows in most primary keys.
  var hasIdentifier: String {
    ids.map { "\(column($0)) IS NOT NULL" }.joined(separator: " AND ")
  }

  /// Returns the values of the locators from the value of ``locator``.
  func locatorValues(_ locator: DatabaseValue, _ db: Database) throws -> [DatabaseValue] {
    guard locators.count > 1 else { return [locator] }
    // The literals were made by SQLite's `quote()`.
    let literals = String.fromDatabaseValue(locator) ?? "NULL"
    return try Row.fetchOne(db, sql: "SELECT \(literals)")?.databaseValues ?? []
  }

  static func idArguments(_ id: RecordID) -> [DatabaseValue] {
    id.values.flatMap { [$0, $0] }
  }
}
