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
public struct SQL: Sendable {
  /// The text, with a `?` or a name for each value.
  package private(set) var sql: String

  /// The values.
  package private(set) var arguments: StatementArguments

  /// The parts, in order, that become SQL only when the connection is known, such as requests.
  private var deferred: [DeferredSQL] = []

  /// The offsets at which the names of interpolated columns begin, in bytes of the text.
  private var columns: [Int] = []

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
  public var isEmpty: Bool { sql.isEmpty && !hasDeferredParts }

  /// Returns the text and its values.
  ///
  /// - Parameter db: The connection of the current access.
  /// - Returns: The parameters of `execute(sql:arguments:)`.
  /// - Throws: ``DatabaseError`` when the schema that an interpolated request needs cannot be read.
  public func build(_ db: Database) throws -> (sql: String, arguments: StatementArguments) {
    guard hasDeferredParts else { return (sql, arguments) }
    var builder = SQLBuilder(db)
    try builder.append(self)
    let literal = builder.literal
    return (literal.sql, literal.arguments)
  }

  /// Whether some of the SQL is not part of ``sql`` yet.
  var hasDeferredParts: Bool { !deferred.isEmpty }

  /// Calls the closure with all parts, in order; none of them has deferred parts.
  func forEachPart(
    _ db: Database, _ aliases: AliasNames, _ columnTable: TableAliasIdentity?,
    _ body: (SQL) throws -> Void
  ) throws {
    let utf8 = sql.utf8
    let values = arguments.values
    var start = utf8.startIndex
    var startOfValues = 0
    func part(_ end: String.Index, _ endOfValues: Int) -> SQL {
      let own = StatementArguments(
        Array(values[startOfValues..<endOfValues]), named: arguments.namedValues)
      return SQL(sql: String(sql[start..<end]), arguments: own)
    }
    for element in deferred {
      let end = utf8.index(utf8.startIndex, offsetBy: element.offset)
      try body(part(end, element.valueCount))
      start = end
      startOfValues = element.valueCount
      var builder = SQLBuilder(db, aliases: aliases)
      builder.columnTable = columnTable
      try element.append(&builder)
      try body(builder.literal)
    }
    try body(part(utf8.endIndex, values.count))
  }

  /// Appends the quoted name of a column, to which a table may be added.
  mutating func append(column: String) {
    columns.append(sql.utf8.count)
    append(sql: column.quotedDatabaseIdentifier)
  }

  /// Whether it has columns that can be given a table.
  var hasColumns: Bool { !columns.isEmpty }

  /// Returns the SQL with the quoted name of a table, and a point, before each column.
  func withColumns(after prefix: String) -> SQL {
    let utf8 = sql.utf8
    var result = SQL(sql: "", arguments: arguments)
    var start = utf8.startIndex
    for column in columns {
      let end = utf8.index(utf8.startIndex, offsetBy: column)
      result.sql += sql[start..<end] + prefix
      start = end
    }
    result.sql += sql[start...]
    result.deferred = deferred.map { element in
      var element = element
      element.offset += columns.count(where: { $0 < element.offset }) * prefix.utf8.count
      return element
    }
    return result
  }

  /// Appends what becomes SQL only when the connection is known.
  mutating func append(_ make: @escaping @Sendable (inout SQLBuilder) throws -> Void) {
    deferred.append(
      DeferredSQL(
        offset: sql.utf8.count, valueCount: arguments.packed.count, append: make))
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
    if sqlLiteral.hasDeferredParts {
      let (offset, valueCount) = (sql.utf8.count, arguments.packed.count)
      deferred += sqlLiteral.deferred.map { element in
        DeferredSQL(
          offset: offset + element.offset, valueCount: valueCount + element.valueCount,
          append: element.append)
      }
    }
    if sqlLiteral.hasColumns {
      let offset = sql.utf8.count
      columns += sqlLiteral.columns.map { offset + $0 }
    }
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
    let (sql, arguments) = try sqlLiteral.build(self)
    try execute(sql: sql, arguments: arguments)
  }

  /// Prepares a statement with its values bound, valid only during the access.
  ///
  /// ```swift
  /// let statement = try db.makeStatement(literal: "SELECT * FROM stop WHERE id = ?")
  /// let stops = try Row.fetchAll(statement, arguments: [1])
  /// ```
  ///
  /// - Parameter sqlLiteral: One statement, with a value for each parameter or with none, which are then set
  ///   later.
  /// - Returns: A statement that no cache keeps.
  /// - Throws: ``DatabaseError`` with SQLite's code, or `SQLITE_MISUSE` when there are several
  ///   statements.
  public func makeStatement(literal sqlLiteral: SQL) throws -> Statement {
    let (sql, arguments) = try sqlLiteral.build(self)
    let statement = try makeStatement(sql: sql)
    if !arguments.isEmpty { try statement.setArguments(arguments) }
    return statement
  }
}

extension SQL {
  /// Creates the SQL of an expression, with its values.
  ///
  /// - Parameter expression: The expression; a request becomes a subquery.
  public init(_ expression: some SQLSpecificExpressible) {
    self = "\(expression)"
  }

  /// Creates the SQL of a value, which is bound.
  ///
  /// - Parameter value: The value.
  public init(_ value: DatabaseValue) {
    self = "\(value)"
  }
}

extension SQL: SQLSpecificExpressible {
  /// The text as an expression, in parentheses where it is an operand.
  public var sqlExpression: SQLExpression { SQLExpression(.literal(self)) }
}

/// A part of SQL that depends on the connection, and the place in the text where it belongs.
private struct DeferredSQL: Sendable {
  /// The number of bytes of the text before it.
  var offset: Int

  /// The number of values by position before it.
  var valueCount: Int

  /// Appends the SQL.
  var append: @Sendable (inout SQLBuilder) throws -> Void
}
