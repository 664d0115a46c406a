/// The changes of a table that is being altered, in the order in which they are made.
///
/// - SeeAlso: <https://www.sqlite.org/lang_altertable.html>
public final class TableAlteration {
  private enum Change {
    case add(ColumnDefinition)
    case addLiteral(SQL)
    case rename(String, String)
    case drop(String)
  }

  private let name: String
  private var changes: [Change] = []

  init(_ name: String) {
    self.name = name
  }

  /// Adds a column after the existing ones.
  ///
  /// - Parameters:
  ///   - name: The column's name.
  ///   - type: Its type; if `nil`, values are stored as they are.
  /// - Returns: The column, for its constraints. SQLite refuses some of them here, such as a
  ///   primary key, or NOT NULL without a default value.
  @discardableResult
  public func add(
    column name: String, _ type: Database.ColumnType? = nil
  ) -> ColumnDefinition {
    let column = ColumnDefinition(name, type)
    changes.append(.add(column))
    return column
  }

  /// Adds a column after the existing ones.
  ///
  /// - Parameter sql: The definition of the column.
  public func addColumn(sql: String) { addColumn(literal: SQL(sql: sql)) }

  /// Adds a column after the existing ones.
  ///
  /// - Parameter literal: The definition of the column; its values become literals.
  public func addColumn(literal: SQL) { changes.append(.addLiteral(literal)) }

  /// Renames a column, also in indexes, triggers and views.
  ///
  /// - Parameters:
  ///   - name: The column's name.
  ///   - newName: Its new name.
  public func rename(column name: String, to newName: String) {
    changes.append(.rename(name, newName))
  }

  /// Removes a column with its values.
  ///
  /// - Parameter name: The column's name. SQLite refuses columns that keys, indexes, constraints,
  ///   triggers or views use.
  public func drop(column name: String) { changes.append(.drop(name)) }

  /// Whether one statement makes all changes, which is atomic by itself.
  var isOneStatement: Bool {
    guard changes.count == 1 else { return false }
    if case .add(let column) = changes[0] { return !column.isIndexed }
    return true
  }

  /// Makes the changes.
  func execute(_ db: Database) throws {
    for change in changes {
      var schema = SchemaBuilder(db, table: name)
      schema.sql.append("ALTER TABLE ")
      schema.sql.append(name: name)
      var index: TableIndex?
      switch change {
      case .add(let column):
        schema.sql.append(" ADD COLUMN " + (try column.sql(schema)))
        if column.isIndexed { index = TableIndex(on: name, [column.name]) }
      case .addLiteral(let literal):
        schema.sql.append(" ADD COLUMN ")
        try schema.sql.append(literal)
      case .rename(let old, let new):
        schema.sql.append(" RENAME COLUMN ")
        schema.sql.append(name: old)
        schema.sql.append(" TO ")
        schema.sql.append(name: new)
      case .drop(let column):
        schema.sql.append(" DROP COLUMN ")
        schema.sql.append(name: column)
      }
      try db.execute(sql: schema.sql.sql)
      if let index { try db.execute(sql: index.sql(db, ifNotExists: false)) }
    }
  }
}
