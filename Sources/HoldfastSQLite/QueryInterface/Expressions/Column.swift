/// A type whose values are columns, by name.
///
/// An enum with string raw values can conform, and so can a record's coding keys:
///
/// ```swift
/// enum Columns: String, ColumnExpression { case id, name }
/// enum CodingKeys: String, CodingKey, ColumnExpression { case id, name }
/// ```
///
/// Swift compares the cases of an enum itself, where both a `Bool` and an expression are possible,
/// as in a CHECK constraint. ``Column`` has no equality but SQL's.
public protocol ColumnExpression: SQLSpecificExpressible {
  /// The column's name, unquoted.
  var name: String { get }
}

extension ColumnExpression {
  /// The quoted name.
  public var sqlExpression: SQLExpression { SQLExpression(.column(name)) }
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

extension ColumnExpression where Self == Column {
  /// The column `rowid` of a table that is not declared WITHOUT ROWID and declares no column of
  /// this name.
  public static var rowID: Column { Column("rowid") }
}

/// A column with a given name.
///
/// ```swift
/// let name = Column("name")
/// let stops = try Stop.filter(name != nil).order(name).fetchAll(db)
/// let first = try Row.fetchOne(db, literal: "SELECT * FROM stop ORDER BY \(name)")?[name] as String?
/// ```
public struct Column: ColumnExpression, Sendable {
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
