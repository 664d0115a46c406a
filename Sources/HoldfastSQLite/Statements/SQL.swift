/// SQL text with its values, which are bound and never become part of the text.
///
/// ```swift
/// let name = "O'Brien"
/// try db.execute(literal: "UPDATE stop SET name = \(name) WHERE id = \(1)")
///
/// var query: SQL = "SELECT * FROM stop"
/// query += " WHERE name = \(name)"
/// ```
///
/// ``SQLInterpolation`` lists what can be interpolated.
public struct SQL: Hashable, Sendable {
  /// The text, with a `?` or a name for each value.
  package private(set) var sql: String

  /// The values.
  package private(set) var arguments: StatementArguments

  /// Creates SQL from a text and its values.
  ///
  /// - Parameters:
  ///   - sql: The text; values belong in `arguments`.
  ///   - arguments: Values for its parameters.
  public init(sql: String, arguments: StatementArguments = StatementArguments()) {
    self.sql = sql
    self.arguments = arguments
  }

  /// Whether the text is empty.
  public var isEmpty: Bool { sql.isEmpty }

  /// Returns the text and its values.
  ///
  /// - Parameter db: The connection of the current access.
  /// - Returns: The parameters of `execute(sql:arguments:)`.
  /// - Throws: No error currently; a later version may read the schema.
  public func build(_ db: Database) throws -> (sql: String, arguments: StatementArguments) {
    (sql, arguments)
  }

  // MARK: - Joining

  /// Appends a text and its values.
  ///
  /// - Parameters:
  ///   - sql: The text; values belong in `arguments`.
  ///   - arguments: Values for its parameters.
  public mutating func append(
    sql: String, arguments: StatementArguments = StatementArguments()
  ) {
    self.sql += sql
    self.arguments += arguments
  }

  /// Appends other SQL with its values.
  ///
  /// - Parameter sqlLiteral: The SQL; no separator is inserted.
  public mutating func append(literal sqlLiteral: SQL) {
    append(sql: sqlLiteral.sql, arguments: sqlLiteral.arguments)
  }

  /// Returns the concatenation of both, without a separator.
  public static func + (lhs: SQL, rhs: SQL) -> SQL {
    var sum = lhs
    sum.append(literal: rhs)
    return sum
  }

  /// Appends other SQL with its values.
  public static func += (lhs: inout SQL, rhs: SQL) {
    lhs.append(literal: rhs)
  }
}

extension Sequence where Element == SQL {
  /// Returns the concatenation of all elements, with a separator between them.
  ///
  /// - Parameter separator: SQL such as `" AND "`, with spaces where they are needed.
  /// - Returns: The texts and the values in their order.
  public func joined(separator: String = "") -> SQL {
    var isFirst = true
    return reduce(into: SQL(sql: "")) { joined, element in
      if !isFirst { joined.append(sql: separator) }
      isFirst = false
      joined.append(literal: element)
    }
  }
}

extension SQL: ExpressibleByStringInterpolation {
  /// Creates SQL without values.
  public init(stringLiteral sql: String) {
    self.init(sql: sql)
  }

  /// Creates SQL with the interpolated values bound.
  public init(stringInterpolation: SQLInterpolation) {
    self = stringInterpolation.literal
  }
}

extension Database {
  /// Runs all statements of a text with interpolated values, in order.
  ///
  /// ```swift
  /// try db.execute(literal: "DELETE FROM stop WHERE name = \(name)")
  /// ```
  ///
  /// - Parameter sqlLiteral: One or several statements.
  /// - Throws: ``DatabaseError`` with SQLite's code; statements before the failing one have run.
  public func execute(literal sqlLiteral: SQL) throws {
    try execute(sql: sqlLiteral.sql, arguments: sqlLiteral.arguments)
  }

  /// Prepares a statement with its values bound, valid only during the access.
  ///
  /// - Parameter sqlLiteral: One statement.
  /// - Returns: The statement, ready to run.
  /// - Throws: ``DatabaseError`` with SQLite's code, or `SQLITE_MISUSE` when there are several
  ///   statements.
  public func makeStatement(literal sqlLiteral: SQL) throws -> Statement {
    let statement = try makeStatement(sql: sqlLiteral.sql)
    try statement.setArguments(sqlLiteral.arguments)
    return statement
  }
}
