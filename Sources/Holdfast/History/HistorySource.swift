/// The properties of a tracked table that its triggers depend on.
struct HistorySource {
  let id: Int64
  let table: String

  /// The names of all columns, including generated ones.
  let columns: [String]

  /// The columns that each generated column is computed from, all by their folded names.
  let generatedColumns: [DatabaseIdentifier: Set<DatabaseIdentifier>]

  /// The values that a REPLACE writes for NULL, by the folded names of the columns.
  let defaults: [DatabaseIdentifier: DefaultValue]

  /// A name by which SQL can refer to the rowid; `nil` when there is none.
  let rowID: String?

  /// The columns that identify a row.
  let keyColumns: [String]

  /// Whether rows may share their key, because NULL in a primary key is different from NULL.
  ///
  /// Such rows are distinguished by their rowids.
  let mayShareKeys: Bool

  /// The number of key values in the history that identify a row of this table.
  var subjectCount: Int { keyColumns.count + (mayShareKeys ? 1 : 0) }

  /// Whether the key is the rowid.
  var isKeyedByRowID: Bool { keyColumns == [rowID].compactMap(\.self) }

  /// The uniqueness constraints of the table.
  let constraints: [UniqueConstraint]

  init(_ registration: HistoryTables.Registration, _ db: Database) throws {
    try self.init(id: registration.id, table: registration.name, db)
  }

  init(id: Int64, table: String, _ db: Database) throws {
    (self.id, self.table) = (id, table)
    let infos = try db.columns(in: table, in: "main")
    columns = infos.map(\.name)
    let primaryKey = try db.primaryKey(table, in: "main")
    let names = Set(columns.map(\.foldedDatabaseIdentifier))
    rowID = primaryKey.rowIDName
    if primaryKey.columnInfos != nil {
      keyColumns = primaryKey.columns
    } else if let rowID {
      keyColumns = [rowID]
    } else {
      throw DatabaseError.rowIDIsHidden(table: table, path: db.path)
    }
    mayShareKeys =
      primaryKey.tableHasRowID && primaryKey.rowIDColumn == nil
      && primaryKey.columnInfos?.contains { !$0.isNotNull } == true
    guard !mayShareKeys || rowID != nil else {
      throw DatabaseError.rowIDIsHidden(table: table, path: db.path)
    }
    generatedColumns = try Self.bases(
      of: infos.filter(\.isGenerated).map(\.name.foldedDatabaseIdentifier), in: table,
      columns: names, db)
    var defaults: [DatabaseIdentifier: DefaultValue] = [:]
    // NULL in the rowid's column becomes the next free number, whatever the default.
    for info in infos where info.isNotNull && !info.isGenerated {
      let name = info.name.foldedDatabaseIdentifier
      guard name != rowID?.foldedDatabaseIdentifier else { continue }
      defaults[name] = DefaultValue(info.defaultValueSQL)
    }
    self.defaults = defaults
    constraints =
      try (rowID.map { [.rowID($0)] } ?? [])
      + UniqueConstraint.indexes(of: table, columns: names, db)
  }

  /// Returns the writable columns that generated columns are computed from.
  ///
  /// No pragma returns them; only the table's definition contains them.
  private static func bases(
    of generated: [DatabaseIdentifier], in table: String, columns: Set<DatabaseIdentifier>,
    _ db: Database
  ) throws -> [DatabaseIdentifier: Set<DatabaseIdentifier>] {
    guard !generated.isEmpty else { return [:] }
    let sql = try String.fetchOne(
      db, sql: "SELECT sql FROM main.sqlite_schema WHERE type = 'table' AND name = ?",
      arguments: [table])
    var definitions: [[Substring]] = [[]]
    var depth = 0
    for token in SQLTokens(sql ?? "") {
      if token == ")" { depth -= 1 }
      if token == "," && depth == 1 {
        definitions.append([])
      } else if depth > 0 {
        definitions[definitions.count - 1].append(token)
      }
      if token == "(" { depth += 1 }
    }
    var bases: [DatabaseIdentifier: Set<DatabaseIdentifier>] = [:]
    for definition in definitions {
      guard let name = definition.first?.unquotedName, generated.contains(name) else { continue }
      bases[name] = Set(definition.dropFirst().map(\.unquotedName)).intersection(columns)
    }
    // A generated column may be computed from others; there are no cycles.
    for _ in generated {
      for (name, own) in bases {
        bases[name] = own.reduce(into: own) { $0.formUnion(bases[$1] ?? []) }
      }
    }
    return bases.mapValues { $0.subtracting(generated) }
  }

  /// Returns the name of a table as its schema spells it, if it can have triggers.
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

  /// SQL that finds the row of the recorded change whose token is its argument, if the row exists.
  ///
  /// Each column is compared twice: with the collation of its index, and byte for byte, because
  /// rows that are equal only by their collation have different keys.
  var presenceSQL: String {
    var comparisons = keyColumns.enumerated().flatMap { index, name -> [String] in
      let column = "t.\(name.quotedDatabaseIdentifier)"
      guard !isKeyedByRowID else { return ["\(column) = h.key\(index)"] }
      return [
        "\(column) IS h.key\(index)", "\(column) IS h.key\(index) COLLATE BINARY",
        "typeof(\(column)) = typeof(h.key\(index))",
      ]
    }
    if mayShareKeys, let rowID {
      let noted = "h.key\(keyColumns.count)"
      comparisons.append("(\(noted) IS NULL OR t.\(rowID.quotedDatabaseIdentifier) = \(noted))")
    }
    return """
      SELECT 1 FROM main.holdfast_history AS h
      JOIN main.\(table.quotedDatabaseIdentifier) AS t ON \(comparisons.joined(separator: " AND "))
      WHERE h.token = ? LIMIT 1
      """
  }
}
