public import Foundation

/// A type that is made from a row.
///
/// A `Decodable` type needs nothing but the conformance; any other writes `init(row:)`:
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
  /// - Parameter row: Valid during the call; a copy is made if it is kept.
  /// - Throws: ``RowDecodingError``, or whatever the type likes.
  init(row: Row) throws

  // MARK: - How a Decodable record is decoded

  /// What `init(from:)` finds in its decoder; empty by default.
  static var databaseDecodingUserInfo: [CodingUserInfoKey: any Sendable] { get }

  /// Returns the decoder of a column that holds JSON.
  ///
  /// By default data is in Base64, dates are milliseconds since 1970, and what is not a number is
  /// an error.
  ///
  /// - Parameter column: The column's name.
  /// - Returns: The decoder.
  static func databaseJSONDecoder(for column: String) -> JSONDecoder

  /// Returns how a column becomes a `Data`; as `Data` itself is read by default.
  ///
  /// - Parameter column: The column's name.
  /// - Returns: The strategy.
  static func databaseDataDecodingStrategy(for column: String) -> DatabaseDataDecodingStrategy

  /// Returns how a column becomes a `Date`; as `Date` itself is read by default.
  ///
  /// - Parameter column: The column's name.
  /// - Returns: The strategy.
  static func databaseDateDecodingStrategy(for column: String) -> DatabaseDateDecodingStrategy

  /// How columns become keys; they are the keys' names by default.
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
  /// - Throws: ``DatabaseError`` with SQLite's code; ``RowDecodingError`` when a row does
  ///   not convert.
  @inlinable
  public static func fetchAll(
    _ db: Database, sql: String, arguments: StatementArguments = StatementArguments()
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
  /// - Throws: ``DatabaseError`` with SQLite's code; ``RowDecodingError`` when a row does
  ///   not convert.
  @inlinable
  public static func fetchAll(
    _ statement: Statement, arguments: StatementArguments? = nil
  ) throws -> [Self] {
    var rows = try RunningRows(statement, arguments: arguments)
    defer { rows.end() }
    var elements: [Self] = []
    elements.reserveCapacity(statement.lastRowCount)
    while try rows.next() {
      elements.append(try Self(row: rows.row))
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
  /// - Returns: `nil` when there is no row.
  /// - Throws: ``DatabaseError`` with SQLite's code; ``RowDecodingError`` when the row does
  ///   not convert.
  @inlinable
  public static func fetchOne(
    _ db: Database, sql: String, arguments: StatementArguments = StatementArguments()
  ) throws -> Self? {
    let statement = try db.takeStatement(sql: sql)
    defer { db.putBack(statement, sql: sql) }
    return try fetchOne(statement, arguments: arguments)
  }

  /// Returns a record for the first row of a prepared statement.
  ///
  /// - Parameters:
  ///   - statement: A statement of the current access.
  ///   - arguments: Values for its parameters; if `nil`, the ones that are set.
  /// - Returns: `nil` when there is no row.
  /// - Throws: ``DatabaseError`` with SQLite's code; ``RowDecodingError`` when the row does
  ///   not convert.
  @inlinable
  public static func fetchOne(
    _ statement: Statement, arguments: StatementArguments? = nil
  ) throws -> Self? {
    var rows = try RunningRows(statement, arguments: arguments)
    defer { rows.end() }
    guard try rows.next() else { return nil }
    let record = try Self(row: rows.row)
    try rows.finish()
    return record
  }

  /// Returns the records of all rows one by one.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - sql: One statement.
  ///   - arguments: Values for its parameters.
  /// - Returns: A cursor positioned before the first row.
  /// - Throws: ``DatabaseError`` with SQLite's code.
  @inlinable
  public static func fetchCursor(
    _ db: Database, sql: String, arguments: StatementArguments = StatementArguments()
  ) throws -> RowCursor<Self> {
    try RowCursor(db.makeStatement(sql: sql), arguments: arguments) { try Self(row: $0) }
  }

  /// Returns the records of a prepared statement one by one.
  ///
  /// - Parameters:
  ///   - statement: A statement of the current access, which runs until the cursor ends.
  ///   - arguments: Values for its parameters; if `nil`, the ones that are set.
  /// - Returns: A cursor positioned before the first row.
  /// - Throws: ``DatabaseError`` with SQLite's code.
  @inlinable
  public static func fetchCursor(
    _ statement: Statement, arguments: StatementArguments? = nil
  ) throws -> RowCursor<Self> {
    try RowCursor(statement, arguments: arguments) { try Self(row: $0) }
  }
}

extension FetchableRecord where Self: Hashable {
  /// Returns the records of all rows without duplicates.
  ///
  /// - Parameters:
  ///   - db: The connection of the current access.
  ///   - sql: One statement.
  ///   - arguments: Values for its parameters.
  /// - Returns: The elements, each once.
  /// - Throws: ``DatabaseError`` with SQLite's code; ``RowDecodingError`` when a row does
  ///   not convert.
  @inlinable
  public static func fetchSet(
    _ db: Database, sql: String, arguments: StatementArguments = StatementArguments()
  ) throws -> Set<Self> {
    Set(try fetchAll(db, sql: sql, arguments: arguments))
  }

  /// Returns the records of a prepared statement without duplicates.
  ///
  /// - Parameters:
  ///   - statement: A statement of the current access.
  ///   - arguments: Values for its parameters; if `nil`, the ones that are set.
  /// - Returns: The elements, each once.
  /// - Throws: ``DatabaseError`` with SQLite's code; ``RowDecodingError`` when a row does
  ///   not convert.
  @inlinable
  public static func fetchSet(
    _ statement: Statement, arguments: StatementArguments? = nil
  ) throws -> Set<Self> {
    Set(try fetchAll(statement, arguments: arguments))
  }
}

extension Row: FetchableRecord {
  /// Creates a copy of a row, with values of its own.
  ///
  /// - Parameter row: The row to copy.
  public convenience init(row: Row) {
    self.init(copying: row)
  }
}
