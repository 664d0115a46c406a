#if SQLCipher
  internal import CSQLCipher
#else
  internal import CSQLite
#endif

// Schema introspection. Names are compared as in SQLite, ignoring the case of ASCII letters; a name
// without a schema is looked up in `temp`, `main`, then the attached databases.

extension Database {
  // MARK: - Existence

  /// Returns whether there is a table of that name.
  ///
  /// - Parameters:
  ///   - name: The table's name.
  ///   - schemaName: `main`, `temp` or the name of an attached database; all of them if `nil`.
  /// - Returns: Whether there is one; virtual tables count, views do not.
  /// - Throws: ``DatabaseError`` when the schema cannot be read, or there is none of that name.
  public func tableExists(_ name: String, in schemaName: String? = nil) throws -> Bool {
    try exists("table", name, in: schemaName)
  }

  /// Returns whether there is a view of that name.
  ///
  /// - Parameters:
  ///   - name: The view's name.
  ///   - schemaName: `main`, `temp` or the name of an attached database; all of them if `nil`.
  /// - Returns: Whether there is one.
  /// - Throws: ``DatabaseError`` when the schema cannot be read, or there is none of that name.
  public func viewExists(_ name: String, in schemaName: String? = nil) throws -> Bool {
    try exists("view", name, in: schemaName)
  }

  /// Returns whether there is a trigger of that name.
  ///
  /// - Parameters:
  ///   - name: The trigger's name.
  ///   - schemaName: `main`, `temp` or the name of an attached database; all of them if `nil`.
  /// - Returns: Whether there is one.
  /// - Throws: ``DatabaseError`` when the schema cannot be read, or there is none of that name.
  public func triggerExists(_ name: String, in schemaName: String? = nil) throws -> Bool {
    try exists("trigger", name, in: schemaName)
  }

  private func exists(_ type: String, _ name: String, in schemaName: String?) throws -> Bool {
    try verifySchemaCache()
    let object = SchemaCache.Object(type: type, name: name.foldedDatabaseIdentifier)
    return try schemaNames(schemaName).contains { try objects(of: $0).contains(object) }
  }

  // MARK: - Tables

  /// Returns the columns of a table or a view.
  ///
  /// - Parameters:
  ///   - tableName: The table's name.
  ///   - schemaName: `main`, `temp` or the name of an attached database; if `nil`, the first one
  ///     with such a table.
  /// - Returns: The columns in order, including generated columns but not the hidden columns of
  ///   virtual tables.
  /// - Throws: ``DatabaseError`` with `SQLITE_ERROR` when there is no such table.
  public func columns(
    in tableName: String, in schemaName: String? = nil
  ) throws -> [ColumnInfo] {
    try verifySchemaCache()
    let key = SchemaCache.Key(schema: schemaName, table: tableName)
    if let known = schemaCache.columns[key] { return known }
    let columns = try pragma("table_xinfo", tableName, in: schemaName)
      .filter { try $0.decode(Int.self, forColumn: "hidden") != 1 }
      .map { try ColumnInfo(row: $0) }
    guard !columns.isEmpty else { throw DatabaseError.noSuchTable(tableName, path: path) }
    schemaCache.columns[key] = columns
    return columns
  }

  /// Returns the names of a table's columns whose values follow from others: generated columns, and the
  /// hidden columns of a virtual table, such as the one that a full-text search reads.
  func dependentColumns(in tableName: String, in schemaName: String?) throws -> [String] {
    try verifySchemaCache()
    let key = SchemaCache.Key(schema: schemaName, table: tableName)
    if let known = schemaCache.dependentColumns[key] { return known }
    let rows = try pragma("table_xinfo", tableName, in: schemaName)
    guard !rows.isEmpty else { throw DatabaseError.noSuchTable(tableName, path: path) }
    let names = try rows.filter { try $0.decode(Int.self, forColumn: "hidden") != 0 }
      .map { try $0.decode(String.self, forColumn: "name") }
    schemaCache.dependentColumns[key] = names
    return names
  }

  /// Returns the indexes of a table.
  ///
  /// An INTEGER PRIMARY KEY has no index, because the table itself is ordered by it.
  ///
  /// - Parameters:
  ///   - tableName: The table's name.
  ///   - schemaName: `main`, `temp` or the name of an attached database; if `nil`, the first one
  ///     with such a table.
  /// - Returns: The indexes, the latest first.
  /// - Throws: ``DatabaseError`` with `SQLITE_ERROR` when there is no such table.
  public func indexes(on tableName: String, in schemaName: String? = nil) throws -> [IndexInfo] {
    try verifySchemaCache()
    let key = SchemaCache.Key(schema: schemaName, table: tableName)
    if let known = schemaCache.indexes[key] { return known }
    let schema = try schema(of: tableName, in: schemaName)
    let indexes = try pragma("index_list", tableName, in: schema).map { row in
      let name = try row.decode(String.self, forColumn: "name")
      let parts = try pragma("index_info", name, in: schema)
      let columns = try parts.compactMap { part -> String? in
        let name = try part.decode(String?.self, forColumn: "name")
        // -1 means the rowid, -2 an expression.
        return try name ?? (part.decode(Int.self, forColumn: "cid") == -1 ? "rowid" : nil)
      }
      return IndexInfo(
        name: name, columns: columns,
        isUnique: try row.decode(forColumn: "unique"),
        origin: IndexInfo.Origin(rawValue: try row.decode(forColumn: "origin")),
        isPartial: try row.decode(forColumn: "partial"),
        isOnColumns: columns.count == parts.count)
    }
    schemaCache.indexes[key] = indexes
    return indexes
  }

  /// Returns the primary key of a table, or the one that ``Configuration/schemaSource`` names for a view.
  ///
  /// - Parameters:
  ///   - tableName: The table's name.
  ///   - schemaName: `main`, `temp` or the name of an attached database; if `nil`, the first one
  ///     with such a table.
  /// - Returns: The key; the hidden rowid of a table that declares none.
  /// - Throws: ``DatabaseError`` with `SQLITE_ERROR` when there is no such table, when no source names the key
  ///   of the view, or when it names a column that the view does not have.
  public func primaryKey(
    _ tableName: String, in schemaName: String? = nil
  ) throws -> PrimaryKeyInfo {
    try primaryKeyIfAny(tableName, in: schemaName).checked(tableName, path: path)
  }

  /// Returns the primary key of a table or view, without columns if it is a view that has none.
  func primaryKeyIfAny(
    _ tableName: String, in schemaName: String? = nil
  ) throws -> PrimaryKeyInfo {
    try verifySchemaCache()
    let key = SchemaCache.Key(schema: schemaName, table: tableName)
    if let known = schemaCache.primaryKeys[key] { return known }
    let all = try columns(in: tableName, in: schemaName)
    let columns = all.filter { $0.primaryKeyIndex > 0 }
      .sorted { $0.primaryKeyIndex < $1.primaryKeyIndex }
    let primaryKey: PrimaryKeyInfo
    if columns.isEmpty, let schema = try schema(ofView: tableName, in: schemaName) {
      let view = DatabaseObjectID(name: tableName, schemaID: DatabaseSchemaID(named: schema))
      primaryKey = try self.primaryKey(ofView: view, all)
    } else {
      // Each table without a declared key has a rowid.
      let tableHasRowID = try columns.isEmpty || tableHasRowID(tableName, in: schemaName)
      var rowIDColumn: String?
      if tableHasRowID, columns.count == 1,
        columns[0].type.foldedDatabaseIdentifier == "integer",
        // INTEGER PRIMARY KEY DESC is not an alias of the rowid, and has its own index.
        try !indexes(on: tableName, in: schemaName)
          .contains(where: { $0.origin == .primaryKeyConstraint })
      {
        rowIDColumn = columns[0].name
      }
      let names = Set(all.map(\.name.foldedDatabaseIdentifier))
      let rowIDNames =
        tableHasRowID
        ? PrimaryKeyInfo.allRowIDNames.filter { !names.contains(DatabaseIdentifier($0)) } : []
      primaryKey = PrimaryKeyInfo(
        columns: columns.isEmpty ? [rowIDNames.first ?? "rowid"] : columns.map(\.name),
        rowIDColumn: rowIDColumn, tableHasRowID: tableHasRowID,
        columnInfos: columns.isEmpty ? nil : columns, rowIDNames: rowIDNames, isOfView: false)
    }
    schemaCache.primaryKeys[key] = primaryKey
    return primaryKey
  }

  private func tableHasRowID(_ tableName: String, in schemaName: String?) throws -> Bool {
    let rows = try pragma("table_list", tableName, in: schemaName)
    // Without a schema name the pragma lists all schemas; SQLite searches them in this order.
    for schema in try schemaNames(schemaName) {
      if let row = try rows.first(where: {
        try $0.decode(String.self, forColumn: "schema").foldedDatabaseIdentifier
          == schema.foldedDatabaseIdentifier
      }) {
        return try !row.decode(Bool.self, forColumn: "wr")
      }
    }
    return true
  }

  /// Returns whether the columns identify a row.
  ///
  /// They do when they include the primary key, the rowid, or the columns of a unique index that covers
  /// all rows, in any order.
  ///
  /// - Parameters:
  ///   - tableName: The table's name.
  ///   - columns: The names of the columns.
  /// - Returns: Whether the columns are a unique key.
  /// - Throws: ``DatabaseError`` with `SQLITE_ERROR` when there is no such table.
  public func table(
    _ tableName: String, hasUniqueKey columns: some Collection<String>
  ) throws -> Bool {
    let names = Set(columns.map(\.foldedDatabaseIdentifier))
    func isKey(_ key: [String]) -> Bool {
      !key.isEmpty && names.isSuperset(of: key.map(\.foldedDatabaseIdentifier))
    }

    let primaryKey = try primaryKeyIfAny(tableName)
    if isKey(primaryKey.columns) || primaryKey.rowIDNames.contains(where: { isKey([$0]) }) {
      return true
    }
    return try indexes(on: tableName).contains {
      $0.isUnique && !$0.isPartial && $0.isOnColumns && isKey($0.columns)
    }
  }

  // MARK: - Foreign keys

  /// Returns the foreign keys of a table.
  ///
  /// - Parameters:
  ///   - tableName: The name of the referring table.
  ///   - schemaName: `main`, `temp` or the name of an attached database; if `nil`, the first one
  ///     with such a table.
  /// - Returns: The foreign keys, in the order of their numbers.
  /// - Throws: ``DatabaseError`` with `SQLITE_ERROR` when there is no such table.
  public func foreignKeys(
    on tableName: String, in schemaName: String? = nil
  ) throws -> [ForeignKeyInfo] {
    try verifySchemaCache()
    let cacheKey = SchemaCache.Key(schema: schemaName, table: tableName)
    if let known = schemaCache.foreignKeys[cacheKey] { return known }
    let schema = try schema(of: tableName, in: schemaName)
    let rows = try pragma("foreign_key_list", tableName, in: schema)
    let groups = Dictionary(grouping: rows) { $0["id"] as Int }
    let foreignKeys = try groups.sorted { $0.key < $1.key }.map { id, rows in
      let rows = rows.sorted { ($0["seq"] as Int) < ($1["seq"] as Int) }
      let destination = try rows[0].decode(String.self, forColumn: "table")
      var implied: ArraySlice<String> = []
      if rows.contains(where: { ($0["to"] as DatabaseValue).isNull }),
        try tableExists(destination, in: schema)
      {
        implied = try primaryKey(destination, in: schema).columns[...]
      }
      return try ForeignKeyInfo(
        id: id, destinationTable: destination,
        mapping: rows.map { row in
          let column = try row.decode(String?.self, forColumn: "to") ?? implied.popFirst()
          return (try row.decode(forColumn: "from"), column ?? "rowid")
        })
    }
    schemaCache.foreignKeys[cacheKey] = foreignKeys
    return foreignKeys
  }

  /// Returns a cursor of the rows that violate a foreign key.
  ///
  /// - Parameter schemaName: `main`, `temp` or the name of an attached database; all of them if
  ///   `nil`.
  /// - Returns: A cursor of the violations.
  /// - Throws: ``DatabaseError`` when the schema cannot be read.
  public func foreignKeyViolations(
    in schemaName: String? = nil
  ) throws -> RecordCursor<ForeignKeyViolation> {
    let prefix = schemaName.map { $0.quotedDatabaseIdentifier + "." } ?? ""
    return try ForeignKeyViolation.fetchCursor(self, sql: "PRAGMA \(prefix)foreign_key_check")
  }

  /// Returns a cursor of a table's rows that violate a foreign key.
  ///
  /// - Parameters:
  ///   - tableName: The name of the referring table.
  ///   - schemaName: `main`, `temp` or the name of an attached database; if `nil`, the first one
  ///     with such a table.
  /// - Returns: A cursor of the violations.
  /// - Throws: ``DatabaseError`` with `SQLITE_ERROR` when there is no such table.
  public func foreignKeyViolations(
    in tableName: String, in schemaName: String? = nil
  ) throws -> RecordCursor<ForeignKeyViolation> {
    let schema = try schema(of: tableName, in: schemaName).quotedDatabaseIdentifier
    return try ForeignKeyViolation.fetchCursor(
      self, sql: "PRAGMA \(schema).foreign_key_check(\(tableName.quotedDatabaseIdentifier))")
  }

  /// Throws an error if a row of any table violates a foreign key.
  ///
  /// - Throws: ``DatabaseError`` with `SQLITE_CONSTRAINT_FOREIGNKEY`, which names the first
  ///   violation.
  public func checkForeignKeys() throws {
    try throwFirst(of: foreignKeyViolations())
  }

  /// Throws an error if a row of a table violates a foreign key.
  ///
  /// - Parameters:
  ///   - tableName: The name of the referring table.
  ///   - schemaName: `main`, `temp` or the name of an attached database; if `nil`, the first one
  ///     with such a table.
  /// - Throws: ``DatabaseError`` with `SQLITE_CONSTRAINT_FOREIGNKEY`, which names the first
  ///   violation; with `SQLITE_ERROR` when there is no such table.
  public func checkForeignKeys(in tableName: String, in schemaName: String? = nil) throws {
    try throwFirst(of: foreignKeyViolations(in: tableName, in: schemaName))
  }

  private func throwFirst(of violations: RecordCursor<ForeignKeyViolation>) throws {
    if let violation = try violations.next() {
      throw try violation.databaseError(self)
    }
  }

  // MARK: - The cache

  /// Clears the schema cache, so that the schema is read again.
  ///
  /// It is never needed: changes by other connections are detected by the schema's version.
  public func clearSchemaCache() {
    checkAccess()
    // What is read now may be rolled back.
    schemaCache.change()
  }

  /// Clears the schema cache if another connection has changed the schema.
  func verifySchemaCache() throws {
    try makeDeferredObjects()
    guard schemaCache.isDoubtful(inTransaction: isInsideTransaction) else { return }
    let versions = try schemaNames().map { schema in
      try Int32.fetchOne(
        self, sql: "PRAGMA \(schema.quotedDatabaseIdentifier).schema_version") ?? 0
    }
    schemaCache.verify(versions: versions)
  }

  /// Returns the names of one schema or of all, in the order in which SQLite searches them.
  func schemaNames(_ name: String? = nil) throws -> [String] {
    try makeDeferredObjects()
    let names: [String]
    if let known = schemaCache.schemas {
      names = known
    } else {
      let listed = try Row.fetchAll(self, sql: "PRAGMA database_list")
        .map { try $0.decode(String.self, forColumn: "name") }
      names = listed.filter { $0 == "temp" } + listed.filter { $0 != "temp" }
      schemaCache.schemas = names
    }
    guard let name else { return names }
    let folded = name.foldedDatabaseIdentifier
    // `temp` always exists, whether it is listed or not.
    guard folded == "temp" || names.contains(where: { $0.foldedDatabaseIdentifier == folded })
    else { throw DatabaseError.noSuchSchema(name, path: path) }
    return [name]
  }

  private func objects(of schema: String) throws -> Set<SchemaCache.Object> {
    let key = schema.foldedDatabaseIdentifier
    if let known = schemaCache.objects[key] { return known }
    // An observed value depends on the app's own reads; which tables there are is asked once for many.
    let rows = try withoutRecording {
      try Row.fetchAll(
        self, sql: "SELECT type, name FROM \(schema.quotedDatabaseIdentifier).sqlite_schema")
    }
    let objects = Set(
      try rows.map {
        SchemaCache.Object(
          type: try $0.decode(atIndex: 0),
          name: try $0.decode(String.self, atIndex: 1).foldedDatabaseIdentifier)
      })
    schemaCache.objects[key] = objects
    return objects
  }

  /// Returns the schema in which SQLite finds the table.
  private func schema(of tableName: String, in schemaName: String?) throws -> String {
    try verifySchemaCache()
    let name = tableName.foldedDatabaseIdentifier
    let schema = try schemaNames(schemaName).first { schema in
      let objects = try objects(of: schema)
      return objects.contains(SchemaCache.Object(type: "table", name: name))
        || objects.contains(SchemaCache.Object(type: "view", name: name))
    }
    guard let schema else { throw DatabaseError.noSuchTable(tableName, path: path) }
    return schema
  }

  /// Returns the schema in which SQLite finds a view of that name; `nil` if it finds none, or a table.
  private func schema(ofView name: String, in schemaName: String?) throws -> String? {
    let folded = name.foldedDatabaseIdentifier
    for schema in try schemaNames(schemaName) {
      let objects = try objects(of: schema)
      if objects.contains(SchemaCache.Object(type: "table", name: folded)) { return nil }
      if objects.contains(SchemaCache.Object(type: "view", name: folded)) { return schema }
    }
    return nil
  }

  private func pragma(_ pragma: String, _ name: String, in schema: String?) throws -> [Row] {
    if let schema { _ = try schemaNames(schema) }
    let prefix = schema.map { $0.quotedDatabaseIdentifier + "." } ?? ""
    return try Row.fetchAll(
      self, sql: "PRAGMA \(prefix)\(pragma)(\(name.quotedDatabaseIdentifier))")
  }
}
