/// A type whose values are result columns of a SELECT or RETURNING.
public protocol SQLSelectable: Sendable {
  /// The SQL of the column or columns.
  var sqlSelection: SQL { get }
}

/// All columns of a table.
public struct AllColumns: SQLSelectable, Sendable {
  /// Creates a selection of all columns.
  public init() {}

  /// The SQL `*`.
  public var sqlSelection: SQL { "*" }
}

extension SQL: SQLSelectable {
  /// The SQL itself.
  public var sqlSelection: SQL { self }
}

/// A type whose values are columns, by name.
///
/// An enum with string raw values can conform, and so can a record's coding keys:
///
/// ```swift
/// enum Columns: String, ColumnExpression { case id, name }
/// enum CodingKeys: String, CodingKey, ColumnExpression { case id, name }
/// ```
public protocol ColumnExpression: SQLSelectable {
  /// The column's name, unquoted.
  var name: String { get }
}

extension ColumnExpression {
  /// The quoted name.
  public var sqlSelection: SQL { SQL(sql: name.quotedDatabaseIdentifier) }
}

extension ColumnExpression where Self: CodingKey {
  /// The key's text.
  public var name: String { stringValue }
}

extension ColumnExpression where Self: RawRepresentable<String> {
  /// The raw value.
  public var name: String { rawValue }
}

extension ColumnExpression where Self: CodingKey & RawRepresentable<String> {
  /// The key's text.
  public var name: String { stringValue }
}

/// A column with a given name.
///
/// ```swift
/// let name = Column("name")
/// let stops = try Row.fetchAll(db, literal: "SELECT * FROM stop ORDER BY \(name)")
/// let first = stops[0][name] as String
/// ```
public struct Column: ColumnExpression, Hashable, Sendable {
  /// The column's name, unquoted.
  public let name: String

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

extension [any SQLSelectable] {
  var sql: SQL { map(\.sqlSelection).joined(separator: ", ") }
}
