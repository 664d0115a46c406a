/// A table that takes part in the history, as far as its triggers need to know it.
struct HistorySource {
  let id: Int64
  let table: String

  /// The names of all columns, generated ones included.
  let columns: [String]

  /// A name by which SQL reaches the rowid; `nil` when there is none.
  let rowID: String?

  /// The columns that tell a row from all others.
  let keyColumns: [String]

  /// Whether the key is the rowid.
  var isKeyedByRowID: Bool { keyColumns == [rowID].compactMap(\.self) }

  /// What no two rows may share.
  let constraints: [UniqueConstraint]

  init(_ registration: HistoryTables.Registration, _ db: Database) throws {
    try self.init(id: registration.id, table: registration.name, db)
  }

  init(id: Int64, table: String, _ db: Database) throws {
    (self.id, self.table) = (id, table)
    columns = try db.columns(in: table, in: "main").map(\.name)
    let primaryKey = try db.primaryKey(table, in: "main")
    let names = Set(columns.map(\.foldedDatabaseIdentifier))
    let freeName =
      primaryKey.tableHasRowID
      ? ["rowid", "oid", "_rowid_"].first { !names.contains(DatabaseIdentifier($0)) } : nil
    rowID = primaryKey.rowIDColumn ?? freeName
    if let column = primaryKey.rowIDColumn {
      keyColumns = [column]
    } else if primaryKey.columnInfos != nil {
      keyColumns = primaryKey.columns
    } else if let freeName {
      keyColumns = [freeName]
    } else {
      throw DatabaseError.rowIDIsHidden(table: table, path: db.path)
    }
    constraints =
      try (rowID.map { [.rowID($0)] } ?? []) + UniqueConstraint.indexes(of: table, db)
  }

  /// The name of a table as its schema spells it, if it is one that can have triggers.
  static func plainTable(_ name: String, _ db: Database) throws -> String {
    let found = try Row.fetchOne(
      db,
      sql: """
        SELECT name, type FROM pragma_table_list
        WHERE schema = 'main' AND name = ? COLLATE NOCASE
        """, arguments: [name])
    guard let found else { throw DatabaseError.noTableForHistory(name, path: db.path) }
    let spelling: String = found[0]
    let folded = spelling.foldedDatabaseIdentifier
    guard found[1] as String == "table", !folded.hasPrefix("sqlite_"),
      !folded.hasPrefix("holdfast_history")
    else { throw DatabaseError.noTriggersForHistory(on: spelling, path: db.path) }
    return spelling
  }

  /// SQL that finds the row of the noted change with the token of its argument, if it is there.
  ///
  /// Each column is compared twice: as its index does, and byte for byte, because rows that only
  /// their collation takes for equal have different keys.
  var presenceSQL: String {
    let comparisons = keyColumns.enumerated().flatMap { index, name -> [String] in
      let column = "t.\(name.quotedDatabaseIdentifier)"
      guard !isKeyedByRowID else { return ["\(column) = h.key\(index)"] }
      return [
        "\(column) IS h.key\(index)", "\(column) IS h.key\(index) COLLATE BINARY",
        "typeof(\(column)) = typeof(h.key\(index))",
      ]
    }
    return """
      SELECT 1 FROM main.holdfast_history AS h
      JOIN main.\(table.quotedDatabaseIdentifier) AS t ON \(comparisons.joined(separator: " AND "))
      WHERE h.token = ? LIMIT 1
      """
  }
}
