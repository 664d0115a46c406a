/// A column that contains JSON.
///
/// ```swift
/// let address = JSONColumn("address")
/// let players = try Player.filter(address["city"] == "Sydney").fetchAll(db)
/// ```
public struct JSONColumn: ColumnExpression, SQLJSONExpressible, Sendable {
  /// The column's name, unquoted.
  public var name: String

  /// Creates a column.
  ///
  /// - Parameter name: The name, unquoted.
  public init(_ name: String) {
    self.name = name
  }

  /// Creates the column of a coding key.
  ///
  /// - Parameter codingKey: The key, whose string value is the name.
  public init(_ codingKey: some CodingKey) {
    name = codingKey.stringValue
  }
}

extension ColumnExpression where Self: SQLJSONExpressible {
  /// The quoted name, whose value is JSON.
  public var sqlExpression: SQLExpression { SQLExpression(.column(name)).json }
}
