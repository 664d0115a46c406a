/// A cursor of the statements of a SQL text, each prepared when it is reached.
///
/// A later statement may refer to a table that an earlier one creates, if that one runs in between.
public final class SQLStatementCursor: Cursor {
  private let database: Database
  private let sql: String
  private let arguments: StatementArguments?
  private var source: StatementIterator
  private var taken = 0

  init(_ database: Database, _ sql: String, _ arguments: StatementArguments?) {
    self.database = database
    self.sql = sql
    self.arguments = arguments
    source = StatementIterator(sql)
  }

  /// Returns the next statement with its values bound, if there are any, or `nil` at the end.
  ///
  /// - Throws: ``DatabaseError`` with SQLite's code, or with `SQLITE_MISUSE` when there are too few or
  ///   too many values.
  public func next() throws -> Statement? {
    let statement = try source.next(on: database)
    guard let arguments else { return statement }
    let (values, named) = (arguments.values, arguments.namedValues)
    let count = statement?.positionalCount(besides: named) ?? 0
    let end = Swift.min(taken + count, values.count)
    let own = StatementArguments(Array(values[taken..<end]), named: named)
    taken = end
    // Known before the last statement runs, so that a mistake changes as little as possible.
    guard taken == values.count || statement != nil && !source.isAtEnd else {
      throw DatabaseError.wrongArgumentCount(
        expected: taken, found: values.count, sql: sql, path: database.path)
    }
    try statement?.setArguments(own)
    return statement
  }
}

extension Database {
  /// Returns a cursor of the statements of a text.
  ///
  /// - Parameters:
  ///   - sql: Any number of statements; values belong in `arguments`.
  ///   - arguments: Values for the parameters; none are set if `nil`. Each of several statements takes as many
  ///     positional values as it has parameters without a value by name.
  /// - Returns: A cursor that prepares each statement when its turn comes.
  /// - Throws: Nothing yet; ``SQLStatementCursor/next()`` throws what is wrong with a statement.
  public func allStatements(
    sql: String, arguments: StatementArguments? = nil
  ) throws -> SQLStatementCursor {
    checkAccess()
    return SQLStatementCursor(self, sql, arguments)
  }

  /// Returns a cursor of the statements of a text with interpolated values.
  ///
  /// - Parameter sqlLiteral: Any number of statements, with a value for each of their parameters or with none.
  /// - Returns: A cursor that prepares each statement when its turn comes.
  /// - Throws: ``DatabaseError`` when the schema that an interpolation needs cannot be read.
  public func allStatements(literal sqlLiteral: SQL) throws -> SQLStatementCursor {
    let (sql, arguments) = try sqlLiteral.build(self)
    return try allStatements(sql: sql, arguments: arguments.isEmpty ? nil : arguments)
  }
}
