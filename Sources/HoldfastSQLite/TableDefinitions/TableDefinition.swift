/// The definition of a table that is being created.
///
/// ```swift
/// try db.create(table: "player") { t in
///   t.autoIncrementedPrimaryKey("id")
///   t.column("name", .text).notNull()
///   t.belongsTo("team", onDelete: .cascade).notNull()
///   t.column("score", .integer).notNull().defaults(to: 0).check { $0 >= 0 }
/// }
/// ```
///
/// - SeeAlso: <https://www.sqlite.org/lang_createtable.html>
public final class TableDefinition {
  private enum Part {
    case column(ColumnDefinition)
    case foreignKey(ForeignKeyDefinition)
    case literal(SQL)
  }

  private enum Constraint {
    case unique([String], Database.ConflictResolution?)
    case foreignKey([String], ForeignKeyClause)
    case check(SQLExpression)
    case literal(SQL)
  }

  private struct PrimaryKey {
    var parts: Range<Int>?
    var names: [String]
    var resolution: Database.ConflictResolution?
  }

  private let name: String
  private let options: TableOptions
  private var parts: [Part] = []
  private var constraints: [Constraint] = []
  private var primaryKey: PrimaryKey?

  init(_ name: String, _ options: TableOptions) {
    self.name = name
    self.options = options
  }

  // MARK: - Columns

  /// Adds a column.
  ///
  /// - Parameters:
  ///   - name: The column's name.
  ///   - type: Its type; if `nil`, values are stored as they are.
  /// - Returns: The column, for its constraints.
  @discardableResult
  public func column(_ name: String, _ type: Database.ColumnType? = nil) -> ColumnDefinition {
    let column = ColumnDefinition(name, type)
    parts.append(.column(column))
    return column
  }

  /// Adds a column.
  ///
  /// - Parameter sql: The definition of the column.
  public func column(sql: String) { column(literal: SQL(sql: sql)) }

  /// Adds a column.
  ///
  /// - Parameter literal: The definition of the column; its values become literals.
  public func column(literal: SQL) { parts.append(.literal(literal)) }

  /// Adds columns that refer to a row of another table, one for each column of its primary key.
  ///
  /// The columns are named after the foreign key and the other columns: a `team` with the primary
  /// key `id` is referred to by `teamId`.
  ///
  /// - Parameters:
  ///   - name: The name of the foreign key.
  ///   - table: The other table; if `nil`, the one with the foreign key's name or its plural.
  ///   - deleteAction: The action when the other row is deleted; if `nil`, the deletion fails.
  ///   - updateAction: The action when the other row's key changes; if `nil`, the change fails.
  ///   - isDeferred: Whether the constraint is checked at the end of the transaction.
  ///   - indexed: Whether an index on the columns is created, named after the table and the
  ///     columns. Without one, deleting a row of the other table reads this whole table. None is created in
  ///     ``primaryKey(onConflict:body:)``.
  /// - Returns: The foreign key, for its constraints.
  @discardableResult
  public func belongsTo(
    _ name: String, inTable table: String? = nil,
    onDelete deleteAction: Database.ForeignKeyAction? = nil,
    onUpdate updateAction: Database.ForeignKeyAction? = nil, deferred isDeferred: Bool = false,
    indexed: Bool = true
  ) -> ForeignKeyDefinition {
    let foreignKey = ForeignKeyDefinition(
      name, table: table, deleteAction: deleteAction, updateAction: updateAction,
      isDeferred: isDeferred, isIndexed: indexed)
    parts.append(.foreignKey(foreignKey))
    return foreignKey
  }

  // MARK: - Primary key

  /// Adds an INTEGER primary key whose values are never used again.
  ///
  /// - Parameters:
  ///   - name: The column's name.
  ///   - conflictResolution: The action when two rows would have equal keys.
  /// - Returns: The column, to which constraints can be added.
  /// - SeeAlso: <https://www.sqlite.org/autoinc.html>
  @discardableResult
  public func autoIncrementedPrimaryKey(
    _ name: String, onConflict conflictResolution: Database.ConflictResolution? = nil
  ) -> ColumnDefinition {
    column(name, .integer).primaryKey(onConflict: conflictResolution, autoincrement: true)
  }

  /// Adds a column that is the primary key and never NULL.
  ///
  /// - Parameters:
  ///   - name: The column's name.
  ///   - type: Its type.
  ///   - conflictResolution: The action when two rows would have equal keys.
  /// - Returns: The column, to which constraints can be added.
  @discardableResult
  public func primaryKey(
    _ name: String, _ type: Database.ColumnType,
    onConflict conflictResolution: Database.ConflictResolution? = nil
  ) -> ColumnDefinition {
    let key = column(name, type).primaryKey(onConflict: conflictResolution)
    // An INTEGER PRIMARY KEY is the rowid, which is never NULL; SQLite allows NULL in others.
    return type == .integer ? key : key.notNull()
  }

  /// Makes columns the primary key.
  ///
  /// - Parameters:
  ///   - columns: The names of columns of the table.
  ///   - conflictResolution: The action when two rows would have equal keys.
  public func primaryKey(
    _ columns: [String], onConflict conflictResolution: Database.ConflictResolution? = nil
  ) {
    guard primaryKey == nil else { Misuse.trap(Misuse.twoPrimaryKeys(name)) }
    primaryKey = PrimaryKey(names: columns, resolution: conflictResolution)
  }

  /// Makes the columns that a closure adds the primary key; none of them is ever NULL.
  ///
  /// ```swift
  /// t.primaryKey {
  ///   t.belongsTo("player")
  ///   t.column("year", .integer)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - conflictResolution: The action when two rows would have equal keys.
  ///   - body: Adds columns and foreign keys.
  /// - Throws: Whatever `body` throws.
  public func primaryKey(
    onConflict conflictResolution: Database.ConflictResolution? = nil, body: () throws -> Void
  ) rethrows {
    guard primaryKey == nil else { Misuse.trap(Misuse.twoPrimaryKeys(name)) }
    let start = parts.count
    try body()
    primaryKey = PrimaryKey(
      parts: start..<parts.count, names: [], resolution: conflictResolution)
    for part in parts[start...] {
      switch part {
      case .column(let column): column.notNull()
      case .foreignKey(let foreignKey): foreignKey.notNull()
      case .literal: break
      }
    }
  }

  // MARK: - Constraints

  /// Forbids two rows with equal values in some columns.
  ///
  /// - Parameters:
  ///   - columns: The names of the columns.
  ///   - conflictResolution: The action when two rows would have equal values.
  public func uniqueKey(
    _ columns: [String], onConflict conflictResolution: Database.ConflictResolution? = nil
  ) {
    constraints.append(.unique(columns, conflictResolution))
  }

  /// Makes columns refer to a row of a table.
  ///
  /// - Parameters:
  ///   - columns: The names of columns of this table.
  ///   - table: The other table, or this one.
  ///   - destinationColumns: Its columns; its primary key if `nil`, which is read when the table is
  ///     created.
  ///   - deleteAction: The action when the other row is deleted; if `nil`, the deletion fails.
  ///   - updateAction: The action when the other row's key changes; if `nil`, the change fails.
  ///   - isDeferred: Whether the constraint is checked at the end of the transaction.
  public func foreignKey(
    _ columns: [String], references table: String, columns destinationColumns: [String]? = nil,
    onDelete deleteAction: Database.ForeignKeyAction? = nil,
    onUpdate updateAction: Database.ForeignKeyAction? = nil, deferred isDeferred: Bool = false
  ) {
    constraints.append(
      .foreignKey(
        columns,
        ForeignKeyClause(
          table: table, columns: destinationColumns, deleteAction: deleteAction,
          updateAction: updateAction, isDeferred: isDeferred)))
  }

  /// Allows only rows that satisfy a condition.
  ///
  /// - Parameter condition: A condition on the columns; its values become literals.
  public func check(_ condition: some SQLExpressible) {
    constraints.append(.check(condition.sqlExpression))
  }

  /// Allows only rows that satisfy a condition.
  ///
  /// - Parameter sql: A condition on the columns.
  public func check(sql: String) { check(SQL(sql: sql)) }

  /// Adds a constraint.
  ///
  /// - Parameter sql: The constraint of the table.
  public func constraint(sql: String) { constraint(literal: SQL(sql: sql)) }

  /// Adds a constraint.
  ///
  /// - Parameter literal: The constraint of the table; its values become literals.
  public func constraint(literal: SQL) { constraints.append(.literal(literal)) }

  // MARK: - SQL

  /// Returns the statements that create the table and its indexes.
  func statements(_ db: Database) throws -> [String] {
    let content = try content(db)
    var schema = SchemaBuilder(db, table: name, newPrimaryKey: content.primaryKey)
    schema.sql.append(options.contains(.temporary) ? "CREATE TEMPORARY TABLE " : "CREATE TABLE ")
    if options.contains(.ifNotExists) { schema.sql.append("IF NOT EXISTS ") }
    schema.sql.append(name: name)
    schema.sql.append(" (")
    let table = schema
    try schema.sql.append(content.columns) { builder, column in
      switch column {
      case .column(let column): builder.append(try column.sql(table))
      case .literal(let literal): try builder.append(literal)
      }
    }
    if !content.constrainedKey.isEmpty {
      schema.sql.append(", PRIMARY KEY ")
      schema.append(names: content.constrainedKey)
      schema.append(onConflict: primaryKey?.resolution)
    }
    for constraint in constraints + content.constraints {
      schema.sql.append(", ")
      try append(constraint, to: &schema)
    }
    schema.sql.append(")")
    let suffixes = [
      options.contains(.strict) ? "STRICT" : nil,
      options.contains(.withoutRowID) ? "WITHOUT ROWID" : nil,
    ].compactMap(\.self)
    if !suffixes.isEmpty { schema.sql.append(" " + suffixes.joined(separator: ", ")) }
    let indexes = try content.indexes.map { index in
      try index.sql(db, ifNotExists: options.contains(.ifNotExists))
    }
    return [schema.sql.sql] + indexes
  }

  private enum Column {
    case column(ColumnDefinition)
    case literal(SQL)
  }

  /// The columns and constraints, once the tables to which they refer are known.
  private struct Content {
    var columns: [Column] = []

    /// The constraints of foreign keys of several columns.
    var constraints: [Constraint] = []
    var indexes: [TableIndex] = []

    /// The columns of a primary key that is a constraint of the table.
    var constrainedKey: [String]

    /// The columns of the primary key, however it is declared.
    var primaryKey: [String] {
      guard constrainedKey.isEmpty else { return constrainedKey }
      return columns.compactMap { column in
        if case .column(let column) = column, column.isPrimaryKey { column.name } else { nil }
      }
    }
  }

  private func content(_ db: Database) throws -> Content {
    var content = Content(constrainedKey: primaryKey?.names ?? [])
    for (index, part) in parts.enumerated() {
      var names: [String] = []
      switch part {
      case .column(let column):
        content.columns.append(.column(column))
        names = [column.name]
        if column.isIndexed { content.indexes.append(TableIndex(on: name, names)) }
      case .foreignKey(let definition):
        let expansion = try definition.expansion(db, newTable: (name, { try self.ownKey(db) }))
        content.columns += expansion.columns.map { .column($0) }
        names = expansion.names
        if names.count > 1 { content.constraints.append(.foreignKey(names, expansion.clause)) }
        switch (expansion.isUnique, names.count) {
        case (true, 1): expansion.columns[0].unique()
        case (true, _): content.indexes.append(TableIndex(on: name, names, isUnique: true))
        // In a primary key they have its index.
        case (false, _) where expansion.isIndexed && primaryKey?.parts?.contains(index) != true:
          content.indexes.append(TableIndex(on: name, names))
        case (false, _): break
        }
      case .literal(let literal): content.columns.append(.literal(literal))
      }
      if primaryKey?.parts?.contains(index) == true { content.constrainedKey += names }
    }
    return content
  }

  /// Returns the columns of the primary key, for foreign keys to the table itself.
  private func ownKey(_ db: Database) throws -> [ColumnDefinition] {
    let keyParts = primaryKey?.parts.map { parts[$0] } ?? parts[...]
    let columns = try keyParts.flatMap { part -> [ColumnDefinition] in
      switch part {
      case .column(let column): return [column]
      // A key that contains a reference to itself has no end.
      case .foreignKey(let foreignKey) where try foreignKey.refers(to: name, db): return []
      case .foreignKey(let foreignKey): return try foreignKey.expansion(db, newTable: nil).columns
      case .literal: return []
      }
    }
    guard let primaryKey else { return columns.filter(\.isPrimaryKey) }
    guard primaryKey.parts == nil else { return columns }
    return primaryKey.names.compactMap { name in
      columns.first { $0.name.foldedDatabaseIdentifier == name.foldedDatabaseIdentifier }
    }
  }

  private func append(_ constraint: Constraint, to schema: inout SchemaBuilder) throws {
    switch constraint {
    case .unique(let columns, let resolution):
      schema.sql.append("UNIQUE ")
      schema.append(names: columns)
      schema.append(onConflict: resolution)
    case .foreignKey(let columns, let clause):
      schema.sql.append("FOREIGN KEY ")
      schema.append(names: columns)
      schema.sql.append(" ")
      try schema.append(clause)
    case .check(let condition):
      schema.sql.append("CHECK (")
      try schema.sql.append(condition)
      schema.sql.append(")")
    case .literal(let literal): try schema.sql.append(literal)
    }
  }
}
