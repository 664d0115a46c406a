/// A cursor of the first columns of a statement's rows, each row a tuple of values whose types are known.
///
/// ```swift
/// let stops = try Row.fetchCursor(
///   db, sql: "SELECT id, name, latitude FROM stop", as: (Int64.self, String.self, Double?.self))
/// while let (id, name, latitude) = try stops.next() { … }
/// ```
///
/// No row is made, and no memory is allocated but for texts that do not fit into a `String` itself.
public final class ColumnsCursor<Columns>: StatementCursor, DatabaseCursor {
  @usableFromInline let columns: (StatementCursor) throws -> Columns
  @usableFromInline let count: Int

  @usableFromInline
  init(
    _ statement: Statement, arguments: StatementArguments?, count: Int,
    columns: @escaping (StatementCursor) throws -> Columns
  ) throws {
    self.columns = columns
    self.count = count
    guard count <= statement.columnCount else { throw Self.noColumn(of: statement) }
    try super.init(statement, arguments: arguments)
  }

  @usableFromInline
  static func noColumn(of statement: Statement) -> DatabaseError {
    var error = DatabaseError.noColumn(at: statement.columnCount, count: statement.columnCount)
    error.sql = statement.sql
    return error
  }

  /// Returns the next row's values, or `nil` at the end.
  @inlinable
  public func next() throws -> Columns? {
    guard try advance() else { return nil }
    defer { if isSuspendable { pause() } }
    // The first step may have prepared the statement again, after a change of the schema.
    guard unsafe count <= rows.row.count else { throw unsafe Self.noColumn(of: rows.statement) }
    return try columns(self)
  }
}

extension StatementCursor {
  /// Returns the value at a position of the current row, which is valid.
  @inlinable
  @inline(__always)
  final func value<Value: DatabaseValueConvertible>(at index: CInt) throws -> Value {
    let column = unsafe StatementColumn(statement: handle, index: index)
    guard let value = Value.fromColumn(column) else {
      throw unsafe rows.row.error(Value.self, at: Int(index))
    }
    return value
  }

  @inlinable
  final func nextValue<Value: DatabaseValueConvertible>(
    _ type: Value.Type, after index: inout CInt
  ) throws -> Value {
    index += 1
    return try value(at: index)
  }
}

extension Row {
  /// Returns a cursor of the first columns of all rows, as tuples of values.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - sql: One statement.
  ///   - arguments: Values for its parameters.
  ///   - types: The types of the first columns, in order.
  /// - Returns: A cursor positioned before the first row.
  /// - Throws: ``DatabaseError`` with SQLite's code, with `SQLITE_MISUSE` when the rows have fewer columns.
  @_alwaysEmitIntoClient
  public static func fetchCursor<each Value: DatabaseValueConvertible>(
    _ db: Database, sql: String, arguments: StatementArguments = StatementArguments(),
    as types: (repeat (each Value).Type)
  ) throws -> ColumnsCursor<(repeat each Value)> {
    try fetchCursor(db.makeStatement(sql: sql), arguments: arguments, as: (repeat each types))
  }

  /// Returns a cursor of the first columns of a prepared statement's rows, as tuples of values.
  ///
  /// - Parameters:
  ///   - statement: A statement of the current access, which runs until the cursor ends.
  ///   - arguments: Values for its parameters; if `nil`, the ones that are set.
  ///   - types: The types of the first columns, in order.
  /// - Returns: A cursor positioned before the first row.
  /// - Throws: ``DatabaseError`` with SQLite's code, with `SQLITE_MISUSE` when the rows have fewer columns.
  @_alwaysEmitIntoClient
  public static func fetchCursor<each Value: DatabaseValueConvertible>(
    _ statement: Statement, arguments: StatementArguments? = nil,
    as types: (repeat (each Value).Type)
  ) throws -> ColumnsCursor<(repeat each Value)> {
    var count = 0
    for _ in repeat (each Value).self { count += 1 }
    return try ColumnsCursor(statement, arguments: arguments, count: count) { cursor in
      var index: CInt = -1
      return try (repeat cursor.nextValue((each Value).self, after: &index))
    }
  }
}
