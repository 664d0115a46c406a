extension Database {
  /// Returns the indexes of the main database whose entries are computed, with their tables.
  ///
  /// An index has the results of an expression of its own, or of a generated column that is computed each time
  /// it is read. Where its entries are not those that this SQLite computes, another one may have written them.
  ///
  /// - Returns: The tables by the names of the indexes, also of those that a UNIQUE constraint has made.
  /// - Throws: ``DatabaseError`` when the schema cannot be read.
  package func computedIndexes() throws -> [String: String] {
    let rows = try Row.fetchAll(
      self,
      sql: """
        SELECT type, name, tbl_name, sql FROM main.sqlite_schema AS stored
        WHERE type = 'index' AND sql IS NOT NULL
        OR type = 'table' AND rootpage > 0 AND EXISTS (
          SELECT 1 FROM pragma_table_xinfo(stored.name, 'main') WHERE hidden = 2)
        """)
    var tables: [String: String] = [:]
    for row in rows {
      let table: String = try row.decode(forColumn: "tbl_name")
      let name: String = try row.decode(forColumn: "name")
      guard try row.decode(String.self, forColumn: "type") == "index" else {
        for index in try indexesOfComputedColumns(of: table) { tables[index] = table }
        continue
      }
      let sql: String = try row.decode(forColumn: "sql")
      if SchemaExpression.ofIndex(name, Array(SQLTokens(sql))).contains(where: \.isComputed) {
        tables[name] = table
      }
    }
    return tables
  }

  /// Returns the indexes of a table that use one of its columns that are not stored.
  private func indexesOfComputedColumns(of table: String) throws -> [String] {
    let computed = Set(
      try String.fetchAll(
        self, sql: "SELECT name FROM pragma_table_xinfo(?, 'main') WHERE hidden = 2",
        arguments: [table]
      ).map(\.foldedDatabaseIdentifier))
    let indexes = try Row.fetchAll(
      self,
      sql: """
        SELECT list.name, stored.sql FROM pragma_index_list(?, 'main') AS list
        JOIN main.sqlite_schema AS stored ON stored.type = 'index' AND stored.name = list.name
        """, arguments: [table])
    return try indexes.compactMap { row in
      let name: String = try row.decode(atIndex: 0)
      let sql: String? = try row.decode(atIndex: 1)
      let indexed = try String?.fetchAll(
        self, sql: "SELECT name FROM pragma_index_xinfo(?, 'main') WHERE key", arguments: [name])
      let names =
        indexed.compactMap { $0?.foldedDatabaseIdentifier }
        + SchemaExpression.ofIndex(name, Array(SQLTokens(sql ?? ""))).flatMap(\.names)
      return names.contains(where: computed.contains) ? name : nil
    }
  }
}
