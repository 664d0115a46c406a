/// A result column, or several, of a SELECT or RETURNING.
public struct SQLSelection: SQLSelectable, Sendable {
  enum Content: Sendable {
    case allColumns
    case allColumnsExcluding(Set<DatabaseIdentifier>)
    case expression(SQLExpression)
    case named(SQLExpression, String)
    /// A selection whose columns without an alias belong to the table that has the alias.
    indirect case inTable(TableAliasIdentity, SQLSelection)
  }

  let content: Content

  init(_ content: Content) {
    self.content = content
  }

  /// The selection itself.
  public var sqlSelection: SQLSelection { self }

  /// Whether rows are selected one by one, so that the selection does not change their number.
  var keepsRowCount: Bool {
    switch content {
    case .allColumns, .allColumnsExcluding: true
    case .inTable(_, let selection): selection.keepsRowCount
    case .expression(let expression), .named(let expression, _):
      if case .column = expression.node { true } else { false }
    }
  }
}

extension Optional: SQLSelectable where Wrapped: SQLSelectable {
  /// The wrapped result columns; a column with NULL for `nil`.
  public var sqlSelection: SQLSelection {
    self?.sqlSelection ?? SQLSelection(.expression(SQLExpression(.literal("NULL"))))
  }
}

/// A type whose values are result columns of a SELECT or RETURNING.
public protocol SQLSelectable: Sendable {
  /// The result columns.
  var sqlSelection: SQLSelection { get }
}

extension [any SQLSelectable] {
  /// Returns the SQL of the columns with its values.
  func built(
    _ db: Database, from source: QuerySource, bindsValues: Bool = true
  ) throws -> SQLBuilder {
    var builder = SQLBuilder(db, bindsValues: bindsValues)
    try builder.append(self) { try $0.append($1.sqlSelection, from: source) }
    return builder
  }
}
