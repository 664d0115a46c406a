/// The definition of a column of a table that is being created or altered.
///
/// ```swift
/// t.column("name", .text).notNull().collate(.nocase).unique()
/// ```
///
/// - SeeAlso: <https://www.sqlite.org/lang_createtable.html>
public final class ColumnDefinition {
  /// The place of a generated column's values.
  ///
  /// - SeeAlso: <https://www.sqlite.org/gencol.html>
  public enum GeneratedColumnQualification: Sendable {
    /// Computed when they are read.
    case virtual
    /// Computed when the row is written, and stored.
    case stored
  }

  let name: String
  private let type: Database.ColumnType?
  private var primaryKey: (resolution: Database.ConflictResolution?, isAutoincremented: Bool)?
  private var notNullResolution: Database.ConflictResolution??
  private var uniqueResolution: Database.ConflictResolution??
  private var checks: [SQLExpression] = []
  private var foreignKeys: [ForeignKeyClause] = []
  private var defaultValue: SQLExpression?
  private var collation: String?
  private var generation: (SQLExpression, GeneratedColumnQualification)?

  /// Whether the column gets an index of its own.
  private(set) var isIndexed = false

  init(_ name: String, _ type: Database.ColumnType?) {
    self.name = name
    self.type = type
  }

  /// The type as written; `nil` when there is none.
  var declaredType: Database.ColumnType? { type }

  /// Whether the column is a primary key of its own.
  var isPrimaryKey: Bool { primaryKey != nil }

  // MARK: - Keys

  /// Makes the column the primary key.
  ///
  /// - Parameters:
  ///   - conflictResolution: The action when two rows would have equal keys.
  ///   - autoincrement: Whether an INTEGER key is never used again after its row was deleted.
  /// - Returns: This column, for further calls.
  @discardableResult
  public func primaryKey(
    onConflict conflictResolution: Database.ConflictResolution? = nil, autoincrement: Bool = false
  ) -> Self {
    primaryKey = (conflictResolution, autoincrement)
    return self
  }

  /// Forbids two rows with equal values; NULL is equal to no other NULL.
  ///
  /// - Parameter conflictResolution: The action when two rows would have equal values.
  /// - Returns: This column, for further calls.
  @discardableResult
  public func unique(onConflict conflictResolution: Database.ConflictResolution? = nil) -> Self {
    uniqueResolution = .some(conflictResolution)
    return self
  }

  /// Creates an index on the column, named after the table and the column: `player_on_name`.
  ///
  /// - Returns: This column, for further calls.
  @discardableResult
  public func indexed() -> Self {
    isIndexed = true
    return self
  }

  /// Makes the column refer to a row of a table.
  ///
  /// - Parameters:
  ///   - table: The other table, or the one that is being created.
  ///   - column: Its column; its primary key if `nil`, which is read when the table is created.
  ///   - deleteAction: The action when the other row is deleted; if `nil`, the deletion fails.
  ///   - updateAction: The action when the other row's key changes; if `nil`, the change fails.
  ///   - isDeferred: Whether the constraint is checked at the end of the transaction.
  /// - Returns: This column, for further calls.
  @discardableResult
  public func references(
    _ table: String, column: String? = nil, onDelete deleteAction: Database.ForeignKeyAction? = nil,
    onUpdate updateAction: Database.ForeignKeyAction? = nil, deferred isDeferred: Bool = false
  ) -> Self {
    references(
      ForeignKeyClause(
        table: table, columns: column.map { [$0] }, deleteAction: deleteAction,
        updateAction: updateAction, isDeferred: isDeferred))
    return self
  }

  func references(_ foreignKey: ForeignKeyClause) {
    foreignKeys.append(foreignKey)
  }

  // MARK: - Values

  /// Forbids NULL.
  ///
  /// - Parameter conflictResolution: The action when a row would have NULL.
  /// - Returns: This column, for further calls.
  @discardableResult
  public func notNull(onConflict conflictResolution: Database.ConflictResolution? = nil) -> Self {
    notNullResolution = .some(conflictResolution)
    return self
  }

  /// Allows only rows that satisfy a condition.
  ///
  /// - Parameter condition: Returns the condition from the column.
  /// - Returns: This column, for further calls.
  @discardableResult
  public func check(_ condition: (Column) -> any SQLExpressible) -> Self {
    checks.append(condition(Column(name)).sqlExpression)
    return self
  }

  /// Allows only rows that satisfy a condition.
  ///
  /// - Parameter sql: The condition.
  /// - Returns: This column, for further calls.
  @discardableResult
  public func check(sql: String) -> Self {
    checks.append(SQL(sql: sql).sqlExpression)
    return self
  }

  /// Sets the value of rows that are inserted without one.
  ///
  /// - Parameter value: The value, which becomes a literal.
  /// - Returns: This column, for further calls.
  @discardableResult
  public func defaults(to value: some DatabaseValueConvertible) -> Self {
    defaultValue = value.sqlExpression
    return self
  }

  /// Sets the value of rows that are inserted without one.
  ///
  /// - Parameter sql: A literal such as `CURRENT_TIMESTAMP`, or an expression in parentheses.
  /// - Returns: This column, for further calls.
  @discardableResult
  public func defaults(sql: String) -> Self {
    defaultValue = SQL(sql: sql).sqlExpression
    return self
  }

  /// Sets the collation with which values are compared unless a statement names another one.
  ///
  /// - Parameter collation: A collation of SQLite.
  /// - Returns: This column, for further calls.
  @discardableResult
  public func collate(_ collation: Database.CollationName) -> Self {
    self.collation = collation.rawValue
    return self
  }

  /// Sets the collation with which values are compared unless a statement names another one.
  ///
  /// - Parameter collation: A collation written in Swift, which every connection must have.
  /// - Returns: This column, for further calls.
  @discardableResult
  public func collate(_ collation: DatabaseCollation) -> Self {
    self.collation = collation.name
    return self
  }

  /// Makes the column computed from other ones.
  ///
  /// - Parameters:
  ///   - sql: The value.
  ///   - qualification: The place of the values.
  /// - Returns: This column, for further calls.
  @discardableResult
  public func generatedAs(
    sql: String, _ qualification: GeneratedColumnQualification = .virtual
  ) -> Self {
    generatedAs(SQL(sql: sql), qualification)
  }

  /// Makes the column computed from other ones.
  ///
  /// - Parameters:
  ///   - expression: The value.
  ///   - qualification: The place of the values.
  /// - Returns: This column, for further calls.
  @discardableResult
  public func generatedAs(
    _ expression: some SQLExpressible, _ qualification: GeneratedColumnQualification = .virtual
  ) -> Self {
    generation = (expression.sqlExpression, qualification)
    return self
  }

  // MARK: - SQL

  /// Returns the SQL of the column.
  ///
  /// - Parameter table: The table that the column belongs to.
  /// - Returns: The definition of the column.
  /// - Throws: ``DatabaseError`` when a table that it refers to does not exist.
  func sql(_ table: SchemaBuilder) throws -> String {
    var schema = table
    schema.sql.clear()
    schema.sql.append(name: name)
    if let type { schema.sql.append(" " + type.rawValue) }
    if let primaryKey {
      schema.sql.append(" PRIMARY KEY")
      schema.append(onConflict: primaryKey.resolution)
      if primaryKey.isAutoincremented { schema.sql.append(" AUTOINCREMENT") }
    }
    if let notNullResolution {
      schema.sql.append(" NOT NULL")
      schema.append(onConflict: notNullResolution == .abort ? nil : notNullResolution)
    }
    if let uniqueResolution {
      schema.sql.append(" UNIQUE")
      schema.append(onConflict: uniqueResolution == .abort ? nil : uniqueResolution)
    }
    for check in checks { try schema.append(check: check) }
    if let defaultValue {
      schema.sql.append(" DEFAULT ")
      try schema.append(defaultValue: defaultValue)
    }
    if let collation {
      schema.sql.append(" COLLATE ")
      schema.sql.append(name: collation)
    }
    for foreignKey in foreignKeys {
      schema.sql.append(" ")
      try schema.append(foreignKey)
    }
    if let (value, qualification) = generation {
      schema.sql.append(" GENERATED ALWAYS AS (")
      try schema.sql.append(value)
      schema.sql.append(qualification == .stored ? ") STORED" : ") VIRTUAL")
    }
    return schema.sql.sql
  }
}
