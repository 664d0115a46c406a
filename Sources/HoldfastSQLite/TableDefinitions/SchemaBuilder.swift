/// The SQL of a table while it is put together; values are literals in it.
struct SchemaBuilder {
  var sql: SQLBuilder

  /// The table that is created or altered.
  let table: String

  /// The primary key of the table that is created; `nil` if the schema has it.
  let newPrimaryKey: [String]?

  init(_ db: Database, table: String, newPrimaryKey: [String]? = nil) {
    sql = SQLBuilder(db, bindsValues: false)
    self.table = table
    self.newPrimaryKey = newPrimaryKey
  }

  mutating func append(onConflict resolution: Database.ConflictResolution?) {
    if let resolution { sql.append(" ON CONFLICT \(resolution.rawValue)") }
  }

  /// Appends names in parentheses.
  mutating func append(names: [String]) {
    sql.append("(")
    sql.append(names) { $0.append(name: $1) }
    sql.append(")")
  }

  mutating func append(check: SQLExpression) throws {
    sql.append(" CHECK (")
    try sql.append(check)
    sql.append(")")
  }

  mutating func append(defaultValue: SQLExpression) throws {
    guard case .value(let value) = defaultValue.node else { return try sql.append(defaultValue) }
    let literal = value.sqlLiteral
    // Only a literal needs no parentheses.
    sql.append(literal.hasPrefix("CAST") ? "(\(literal))" : literal)
  }

  mutating func append(_ foreignKey: ForeignKeyClause) throws {
    sql.append("REFERENCES ")
    sql.append(name: foreignKey.table)
    append(names: try foreignKey.columns ?? primaryKey(of: foreignKey.table))
    if let action = foreignKey.deleteAction { sql.append(" ON DELETE \(action.rawValue)") }
    if let action = foreignKey.updateAction { sql.append(" ON UPDATE \(action.rawValue)") }
    if foreignKey.isDeferred { sql.append(" DEFERRABLE INITIALLY DEFERRED") }
  }

  /// Returns the primary key of a table, which may be the one that is created.
  private func primaryKey(of other: String) throws -> [String] {
    if let newPrimaryKey, other.foldedDatabaseIdentifier == table.foldedDatabaseIdentifier {
      guard !newPrimaryKey.isEmpty else {
        throw DatabaseError.noPrimaryKey(other, path: sql.db.path)
      }
      return newPrimaryKey
    }
    let key = try sql.db.primaryKey(other)
    guard key.columnInfos != nil else {
      throw DatabaseError.noPrimaryKey(other, path: sql.db.path)
    }
    return key.columns
  }
}

/// The part of a foreign key that names the other table.
struct ForeignKeyClause {
  var table: String

  /// The other table's columns; its primary key if `nil`.
  var columns: [String]?
  var deleteAction: Database.ForeignKeyAction?
  var updateAction: Database.ForeignKeyAction?
  var isDeferred: Bool
}
