public import Foundation

/// A type that can be created from a row.
///
/// A `Decodable` type need only declare the conformance; any other type implements `init(row:)`:
///
/// ```swift
/// struct Stop: FetchableRecord {
///   var id: Int
///   var name: String
///
///   init(row: Row) throws {
///     id = try row.decode(forColumn: "sid")
///     name = try row.decode(forColumn: "stop_name")
///   }
/// }
/// let stops = try queue.read { db in try Stop.fetchAll(db, sql: "SELECT * FROM stops") }
/// ```
public protocol FetchableRecord {
  /// Creates a value from a row.
  ///
  /// - Parameter row: The row, which copies its values if it is kept after the call.
  /// - Throws: ``RowDecodingError``, or any other error.
  init(row: Row) throws

  // MARK: - Decoding of Decodable records

  /// The decoder's `userInfo` in `init(from:)`; empty by default.
  static var databaseDecodingUserInfo: [CodingUserInfoKey: Any] { get }

  /// Returns the decoder of a column that holds JSON.
  ///
  /// By default data is in Base64, dates are milliseconds since 1970, and NaN and infinity are
  /// errors.
  ///
  /// - Parameter column: The column's name.
  /// - Returns: A decoder that is used for one value.
  static func databaseJSONDecoder(for column: String) -> JSONDecoder

  /// Returns the decoding strategy of a `Data` column; by default `Data` decodes itself.
  ///
  /// - Parameter column: The column's name.
  /// - Returns: The strategy for values of that column.
  static func databaseDataDecodingStrategy(for column: String) -> DatabaseDataDecodingStrategy

  /// Returns the decoding strategy of a `Date` column; by default `Date` decodes itself.
  ///
  /// - Parameter column: The column's name.
  /// - Returns: The strategy for values of that column.
  static func databaseDateDecodingStrategy(for column: String) -> DatabaseDateDecodingStrategy

  /// The strategy for converting column names to keys; by default they are the same.
  static var databaseColumnDecodingStrategy: DatabaseColumnDecodingStrategy { get }
}

extension FetchableRecord {
  /// Returns a record for each row.
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

  /// Returns a record for each row of a prepared statement.
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
      elements.append(try record(of: rows.row))
    }
    statement.lastRowCount = elements.count
    return elements
  }

  /// Returns a record for the first row.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - sql: One statement.
  ///   - arguments: Values for its parameters.
  /// - Returns: The record; `nil` when there is no row.
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

  /// Returns a record for the first row of a prepared statement; see
  /// ``fetchOne(_:sql:arguments:)``.
  @inlinable
  public static func fetchOne(
    _ statement: Statement, arguments: consuming StatementArguments? = nil
  ) throws -> Self? {
    var rows = try RunningRows(statement, arguments: arguments)
    defer { rows.end() }
    guard try rows.next() else { return nil }
    let record = try record(of: rows.row)
    try rows.finish()
    return record
  }

  /// Returns a cursor of the records of all rows.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - sql: One statement.
  ///   - arguments: Values for its parameters.
  /// - Returns: A cursor positioned before the first row.
  /// - Throws: ``DatabaseError`` with SQLite's code.
  public static func fetchCursor(
    _ db: Database, sql: String, arguments: StatementArguments = StatementArguments()
  ) throws -> RecordCursor<Self> {
    try RecordCursor(db.makeStatement(sql: sql), arguments: arguments)
  }

  /// Returns a cursor of the records of a prepared statement, which runs until the cursor ends; see
  /// ``fetchCursor(_:sql:arguments:)``.
  public static func fetchCursor(
    _ statement: Statement, arguments: StatementArguments? = nil
  ) throws -> RecordCursor<Self> {
    try RecordCursor(statement, arguments: arguments)
  }
}

extension FetchableRecord where Self: Hashable {
  /// Returns the distinct records of all rows; see ``fetchAll(_:sql:arguments:)``.
  @inlinable
  public static func fetchSet(
    _ db: Database, sql: String, arguments: StatementArguments = StatementArguments()
  ) throws -> Set<Self> {
    Set(try fetchAll(db, sql: sql, arguments: arguments))
  }

  /// Returns the distinct records of a prepared statement; see ``fetchAll(_:arguments:)``.
  @inlinable
  public static func fetchSet(
    _ statement: Statement, arguments: StatementArguments? = nil
  ) throws -> Set<Self> {
    Set(try fetchAll(statement, arguments: arguments))
  }
}

extension Row: FetchableRecord {
  /// Creates a copy of a row, with its own values.
  ///
  /// - Parameter row: The row to copy.
  public convenience init(row: Row) {
    self.init(copying: row)
  }
}
