package import Foundation

// Single values are fetched from the first column of each row.

extension DatabaseValueConvertible {
  /// Returns the first column of all rows.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - sql: One statement.
  ///   - arguments: Values for its parameters.
  /// - Returns: The elements, in the order of the rows.
  /// - Throws: ``DatabaseError`` with SQLite's code; ``RowDecodingError`` when a row does not
  ///   convert.
  @inlinable
  public static func fetchAll(
    _ db: Database, sql: String, arguments: consuming StatementArguments = StatementArguments()
  ) throws -> [Self] {
    let statement = try db.takeStatement(sql: sql)
    defer { db.putBack(statement, sql: sql) }
    return try fetchAll(statement, arguments: arguments)
  }

  /// Returns the first column of all rows of a prepared statement.
  ///
  /// - Parameters:
  ///   - statement: A statement of the current access.
  ///   - arguments: Values for its parameters; if `nil`, the ones that are set.
  /// - Returns: The elements, in the order of the rows.
  /// - Throws: ``DatabaseError`` with SQLite's code; ``RowDecodingError`` when a row does not
  ///   convert.
  @inlinable
  public static func fetchAll(
    _ statement: Statement, arguments: consuming StatementArguments? = nil
  ) throws -> [Self] {
    var rows = try RunningRows(statement, arguments: arguments)
    defer { rows.end() }
    var elements: [Self] = []
    elements.reserveCapacity(statement.lastRowCount)
    while try rows.next() {
      elements.append(try rows.row.decode(Self.self, atIndex: 0))
    }
    statement.lastRowCount = elements.count
    return elements
  }

  /// Returns the first column of the first row.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - sql: One statement.
  ///   - arguments: Values for its parameters.
  /// - Returns: The value; `nil` when there is no row, or when the first row's column is NULL.
  /// - Throws: ``DatabaseError`` with SQLite's code; ``RowDecodingError`` when the row does
  ///   not convert.
  @inlinable
  public static func fetchOne(
    _ db: Database, sql: String, arguments: consuming StatementArguments = StatementArguments()
  ) throws -> Self? {
    let statement = try db.takeStatement(sql: sql)
    defer { db.putBack(statement, sql: sql) }
    return try fetchOne(statement, arguments: arguments)
  }

  /// Returns the first column of the first row of a prepared statement; see
  /// ``fetchOne(_:sql:arguments:)``.
  @inlinable
  public static func fetchOne(
    _ statement: Statement, arguments: consuming StatementArguments? = nil
  ) throws -> Self? {
    var rows = try RunningRows(statement, arguments: arguments)
    return try fetchOne(&rows)
  }

  /// Returns the first column of the first row, and ends the run.
  @inlinable
  @inline(__always)
  static func fetchOne(_ rows: inout RunningRows) throws -> Self? {
    defer { rows.end() }
    guard try rows.next() else { return nil }
    let value = try rows.row.decode(Self?.self, atIndex: 0)
    try rows.finish()
    return value
  }

  /// Returns a cursor of the first column of all rows.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - sql: One statement.
  ///   - arguments: Values for its parameters.
  /// - Returns: A cursor positioned before the first row.
  /// - Throws: ``DatabaseError`` with SQLite's code.
  public static func fetchCursor(
    _ db: Database, sql: String, arguments: StatementArguments = StatementArguments()
  ) throws -> DatabaseValueCursor<Self> {
    try DatabaseValueCursor(db.makeStatement(sql: sql), arguments: arguments)
  }

  /// Returns a cursor of the first column of a prepared statement, which runs until the cursor
  /// ends; see ``fetchCursor(_:sql:arguments:)``.
  public static func fetchCursor(
    _ statement: Statement, arguments: StatementArguments? = nil
  ) throws -> DatabaseValueCursor<Self> {
    try DatabaseValueCursor(statement, arguments: arguments)
  }
}

extension Data {
  /// Returns the first column of the first row of a prepared statement with three parameters, all
  /// integers, such as the place of a tile.
  ///
  /// It is `fetchOne(_:arguments:)` without memory for the values, for short statements that run
  /// often. The values are bound for this run only: afterwards no arguments are set.
  ///
  /// - Parameters:
  ///   - statement: A statement of the current access.
  ///   - first: The value of the first parameter.
  ///   - second: The value of the second parameter.
  ///   - third: The value of the third parameter.
  /// - Returns: The bytes; `nil` when there is no row, or when the first row's column is NULL.
  /// - Throws: ``DatabaseError`` with SQLite's code; ``RowDecodingError`` when the column
  ///   does not convert.
  package static func fetchOne(
    _ statement: Statement, _ first: Int64, _ second: Int64, _ third: Int64
  ) throws -> Data? {
    do {
      var rows = try RunningRows(statement, first, second, third)
      return try fetchOne(&rows)
    } catch var error as DatabaseError where error.sql == statement.sql {
      error.arguments = [first, second, third]
      throw error
    }
  }

  /// Calls a closure with the first column of the first row, without a copy; see ``fetchOne(_:_:_:_:)``.
  ///
  /// - Parameters:
  ///   - statement: A statement of the current access.
  ///   - first: The value of the first parameter.
  ///   - second: The value of the second parameter.
  ///   - third: The value of the third parameter.
  ///   - body: Receives the bytes, valid only during the closure; `nil` when there is no row, or a NULL.
  /// - Returns: The return value of `body`.
  /// - Throws: ``DatabaseError`` with SQLite's code; ``RowDecodingError`` when the column does not convert; whatever
  ///   `body` throws.
  package static func withOne<Result>(
    _ statement: Statement, _ first: Int64, _ second: Int64, _ third: Int64,
    _ body: (Span<UInt8>?) throws -> Result
  ) throws -> Result {
    do {
      var rows = try RunningRows(statement, first, second, third)
      return try withOne(&rows, body)
    } catch var error as DatabaseError where error.sql == statement.sql {
      error.arguments = [first, second, third]
      throw error
    }
  }

  private static func withOne<Result>(
    _ rows: inout RunningRows, _ body: (Span<UInt8>?) throws -> Result
  ) throws -> Result {
    defer { rows.end() }
    guard try rows.next() else { return try body(nil) }
    let result = try rows.row.withBytes(atIndex: 0, body)
    try rows.finish()
    return result
  }
}

extension DatabaseValueConvertible where Self: Hashable {
  /// Returns the distinct values of the first column of all rows; see
  /// ``fetchAll(_:sql:arguments:)``.
  @inlinable
  public static func fetchSet(
    _ db: Database, sql: String, arguments: StatementArguments = StatementArguments()
  ) throws -> Set<Self> {
    Set(try fetchAll(db, sql: sql, arguments: arguments))
  }

  /// Returns the distinct values of the first column of a prepared statement's rows; see
  /// ``fetchAll(_:arguments:)``.
  @inlinable
  public static func fetchSet(
    _ statement: Statement, arguments: StatementArguments? = nil
  ) throws -> Set<Self> {
    Set(try fetchAll(statement, arguments: arguments))
  }
}
