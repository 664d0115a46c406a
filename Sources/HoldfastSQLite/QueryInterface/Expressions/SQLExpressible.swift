/// A type whose values can be used as SQL expressions: values, columns, requests, other expressions.
public protocol SQLExpressible {
  /// The expression.
  var sqlExpression: SQLExpression { get }
}

extension DatabaseValueConvertible {
  /// The value, which is bound and never becomes part of the text.
  public var sqlExpression: SQLExpression { SQLExpression(.value(databaseValue)) }
}

extension SQLExpressible where Self == Column {
  /// The column `rowid`.
  public static var rowID: Column { Column.rowID }
}

extension Optional: SQLExpressible where Wrapped: SQLExpressible {
  /// The wrapped value's expression; NULL for `nil`.
  public var sqlExpression: SQLExpression {
    self?.sqlExpression ?? SQLExpression(.value(.null))
  }
}
