import Holdfast
import HoldfastLedger

/// The table that the command line describes, and the tables that are recognized without it.
struct TableChoice: Sendable {
  var name: String?
  /// The identifying columns, separated by commas.
  var idColumns: String?
  var pathColumn: String?
  var dialect: PathDialect?

  /// Returns the tables of a database to work on.
  ///
  /// - Parameter db: A connection.
  /// - Returns: The described table, or all that are recognized, which may be none.
  /// - Throws: ``ToolError`` with `.usage` when the table or a column does not exist, or more must be
  ///   named; `DatabaseError`.
  func tables(in db: Database) throws -> [LedgerTable] {
    var tables = try Self.recognized(in: db)
    guard let name else {
      for index in tables.indices { tables[index].dialect = dialect ?? tables[index].dialect }
      return tables
    }
    guard try db.tableExists(name, in: "main") else {
      throw ToolError.noTable(name, tables: try db.tableNames())
    }
    let columns = try db.columns(in: name, in: "main").map(\.name)
    func existing(_ column: String) throws -> String {
      guard columns.contains(where: { $0.isSameIdentifier(as: column) }) else {
        throw ToolError.noColumn(column, in: name, columns: columns)
      }
      return column
    }
    var table: LedgerTable
    if let known = tables.first(where: { $0.name.isSameIdentifier(as: name) }) {
      table = known
      if let pathColumn { table.pathColumn = try existing(pathColumn) }
    } else {
      guard let pathColumn else { throw ToolError.unknownTable(name, columns: columns) }
      let key = try db.primaryKey(name, in: "main").columns
      table = LedgerTable(
        name: name, idColumns: key, pathColumn: try existing(pathColumn), dialect: nil)
      if dialect == .documentsAndCaches,
        columns.contains(where: { $0.isSameIdentifier(as: "storage_location") })
      {
        table.locationColumn = "storage_location"
      }
    }
    if let idColumns {
      // A name may contain a comma.
      let isOne = columns.contains { $0.isSameIdentifier(as: idColumns) }
      table.idColumns =
        try isOne
        ? [idColumns]
        : idColumns.split(separator: ",").map {
          try existing(String($0))
        }
    } else if let missing = table.idColumns.first(where: { column in
      !columns.contains { $0.isSameIdentifier(as: column) }
    }) {
      throw ToolError.noKey(of: name, missing: missing)
    }
    table.dialect = dialect ?? table.dialect
    return [table]
  }

  /// The names of tables with which a schema declares what is recognized.
  static let recognizedNames = LedgerTable.known.map(\.name) + ["holdfast_ledger_tables"]

  /// Returns the tables of a database that have the names and the columns of a known one, or are a
  /// ledger's own.
  static func recognized(in db: Database) throws -> [LedgerTable] {
    let adopted = try FileLedger.adoptedTables(db).map { LedgerTable.own($0) }
    return try LedgerTable.known.filter { try hasColumns(of: $0, db) }
      + adopted.filter { table in
        try !LedgerTable.known.contains { $0.name.isSameIdentifier(as: table.name) }
          && hasColumns(of: table, db)
      }
  }

  private static func hasColumns(of table: LedgerTable, _ db: Database) throws -> Bool {
    guard try db.tableExists(table.name, in: "main") else { return false }
    let columns = try db.columns(in: table.name, in: "main").map(\.name)
    let needed =
      table.idColumns + [table.pathColumn]
      + (table.ignoresMissingColumns
        ? []
        : [
          table.stateColumn, table.locationColumn, table.lastAccessColumn, table.movedToCacheColumn,
          table.updateTimeColumn,
        ].compactMap(\.self) + table.insertionTimeColumns)
    return needed.allSatisfy { name in columns.contains { $0.isSameIdentifier(as: name) } }
  }
}

extension String {
  /// Whether SQLite takes both for one name.
  func isSameIdentifier(as other: String) -> Bool {
    foldedDatabaseIdentifier == other.foldedDatabaseIdentifier
  }
}
