/// The error for a column whose content does not convert to the expected type.
public struct RowDecodingError: Error, Hashable, Sendable {
  /// The column's name, or its position when it has none.
  public var column: String

  /// The stored value's class, such as `null` or `text`; `nil` when there is no such column.
  public var storedType: String?

  /// The type that was expected.
  public var expectedType: String

  /// The SQL of the row's statement, if it is known.
  public var sql: String?

  /// The row's columns with the classes of their values, such as `[id: integer, name: null]`.
  public var row: String?

  /// The table of the record that was decoded, if it has one.
  public var table: String?

  /// The message, in one sentence, without the stored value.
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
