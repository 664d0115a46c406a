/// A column whose content does not stand for a value of the expected type.
public struct RowDecodingError: Error, Hashable, Sendable {
  /// The column's name, or its position when it has none.
  public var column: String

  /// The stored value's class, such as `null` or `text`; `nil` when the row has no such column.
  public var storedType: String?

  /// The type that was expected.
  public var expectedType: String

  /// The SQL whose row it was, if it is known.
  public var sql: String?

  /// The row's columns with the classes of their values, such as `[id: integer, name: null]`.
  public var row: String?

  /// The table of the record that was decoded, if it has one.
  public var table: String?

  /// What went wrong, in one sentence; the stored value itself is left out.
  public var message: String {
    Self.sentence(column: column, stored: storedType, expected: expectedType, table: table)
  }
}

extension RowDecodingError: CustomStringConvertible {
  /// The message, the row without its values, and the SQL.
  public var description: String {
    message + (row.map { " - in the row \($0)" } ?? "")
      + (sql.map { " - while reading the rows of `\($0)`" } ?? "")
  }
}
