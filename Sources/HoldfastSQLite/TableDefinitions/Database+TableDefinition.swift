// Creating, changing and removing tables, indexes and views.

extension Database {
  // MARK: - Tables

  /// Creates a table, with its indexes.
  ///
  /// ```swift
  /// try db.create(table: "player", options: .ifNotExists) { t in
  ///   t.autoIncrementedPrimaryKey("id")
  ///   t.column("name", .text).notNull()
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - name: The table's name.
  ///   - options: The options for creating it.
  ///   - body: Defines the table.
  /// - Throws: ``DatabaseError`` with SQLite's code, with `SQLITE_ERROR` when a table that it
  ///   refers to does not exist or has no primary key; whatever `body` throws. No table is created
  ///   then.
  /// - SeeAlso: <https://www.sqlite.org/lang_createtable.html>
  public func create(
    table name: String, options: TableOptions = [], body: (TableDefinition) throws -> Void
  ) throws {
    let definition = TableDefinition(name, options)
    try body(definition)
    let statements = try definition.statements(self)
    // A single one is atomic by itself.
    guard statements.count > 1 else { return try execute(sql: statements[0]) }
    try inSavepoint {
      for sql in statements { try execute(sql: sql) }
      return .commit
    }
  }

  /// Creates a table, with its indexes; see ``create(table:options:body:)``.
  public func create(
    table name: String, temporary: Bool = false, ifNotExists: Bool, withoutRowID: Bool = false,
    body: (TableDefinition) throws -> Void
  ) throws {
    var options: TableOptions = []
    if temporary { options.insert(.temporary) }
    if ifNotExists { options.insert(.ifNotExists) }
    if withoutRowID { options.insert(.withoutRowID) }
    try create(table: name, options: options, body: body)
  }

  /// Renames a table, also in indexes, triggers, views and foreign keys.
  ///
  /// - Parameters:
  ///   - name: The table's name.
  ///   - newName: Its new name.
  /// - Throws: ``DatabaseError`` with SQLite's code.
  public func rename(table name: String, to newName: String) throws {
    try execute(
      sql: "ALTER TABLE \(name.quotedDatabaseIdentifier) RENAME TO "
        + newName.quotedDatabaseIdentifier)
  }

  /// Changes the columns of a table.
  ///
  /// ```swift
  /// try db.alter(table: "player") { t in
  ///   t.add(column: "url", .text)
  ///   t.rename(column: "score", to: "points")
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - name: The table's name.
  ///   - body: Defines the changes.
  /// - Throws: ``DatabaseError`` with SQLite's code; whatever `body` throws. Nothing is changed
  ///   then.
  public func alter(table name: String, body: (TableAlteration) throws -> Void) throws {
    let alteration = TableAlteration(name)
    try body(alteration)
    guard !alteration.isOneStatement else { return try alteration.execute(self) }
    try inSavepoint {
      try alteration.execute(self)
      return .commit
    }
  }

  /// Removes a table with its rows, indexes and triggers.
  ///
  /// - Parameter name: The table's name.
  /// - Throws: ``DatabaseError`` with SQLite's code.
  public func drop(table name: String) throws {
    try execute(sql: "DROP TABLE \(name.quotedDatabaseIdentifier)")
  }

  // MARK: - Views

  /// Creates a view of a request's rows.
  ///
  /// ```swift
  /// try db.create(view: "hero", as: Player.filter(Column("isHero") == true))
  /// ```
  ///
  /// - Parameters:
  ///   - name: The view's name.
  ///   - options: The options for creating it.
  ///   - columns: The names of its columns; the request's columns if `nil`.
  ///   - subquery: The request; its values become literals.
  /// - Throws: ``DatabaseError`` with SQLite's code.
  /// - SeeAlso: <https://www.sqlite.org/lang_createview.html>
  public func create(
    view name: String, options: ViewOptions = [], columns: [String]? = nil,
    as subquery: some SQLSubqueryable
  ) throws {
    var schema = SchemaBuilder(self, table: name)
    schema.sql.append(options.contains(.temporary) ? "CREATE TEMPORARY VIEW " : "CREATE VIEW ")
    if options.contains(.ifNotExists) { schema.sql.append("IF NOT EXISTS ") }
    schema.sql.append(name: name)
    if let columns {
      schema.sql.append(" ")
      schema.append(names: columns)
    }
    schema.sql.append(" AS ")
    try subquery.sqlSubquery.append(&schema.sql)
    try execute(sql: schema.sql.sql)
  }

  /// Creates a view of the rows of a SELECT statement, whose values become literals; see
  /// ``create(view:options:columns:as:)``.
  public func create(
    view name: String, options: ViewOptions = [], columns: [String]? = nil,
    asLiteral sqlLiteral: SQL
  ) throws {
    try create(
      view: name, options: options, columns: columns, as: SQLSubquery(literal: sqlLiteral))
  }

  /// Removes a view.
  ///
  /// - Parameter name: The view's name.
  /// - Throws: ``DatabaseError`` with SQLite's code.
  public func drop(view name: String) throws {
    try execute(sql: "DROP VIEW \(name.quotedDatabaseIdentifier)")
  }
}
