/// A new value of a column, for `updateAll`.
///
/// ```swift
/// try Player.updateAll(db, Column("score") += 10, Column("isReady").set(to: false))
/// ```
public struct ColumnAssignment: Sendable {
  let column: String
  let value: SQLExpression

  /// Whether the column is set to its own value.
  var keepsValue: Bool {
    guard case .column(let name) = value.node else { return false }
    return name.foldedDatabaseIdentifier == column.foldedDatabaseIdentifier
  }

  fileprivate init(_ column: some ColumnExpression, _ value: SQLExpression) {
    self.column = column.name
    self.value = value
  }
}

extension ColumnExpression {
  /// Returns the assignment of a value.
  ///
  /// - Parameter value: The value, which may be computed from other columns; `nil` is NULL.
  /// - Returns: An assignment for an UPDATE, which alone changes nothing.
  public func set(to value: (any SQLExpressible)?) -> ColumnAssignment {
    ColumnAssignment(self, value?.sqlExpression ?? SQLExpression(.value(.null)))
  }

  /// The assignment that keeps the stored value, in the `doUpdate` closure of an upsert.
  public var noOverwrite: ColumnAssignment { ColumnAssignment(self, sqlExpression) }

  /// Adds a value.
  public static func += (column: Self, value: some SQLExpressible) -> ColumnAssignment {
    ColumnAssignment(column, column + value)
  }

  /// Subtracts a value.
  public static func -= (column: Self, value: some SQLExpressible) -> ColumnAssignment {
    ColumnAssignment(column, column - value)
  }

  /// Multiplies by a value.
  public static func *= (column: Self, value: some SQLExpressible) -> ColumnAssignment {
    ColumnAssignment(column, column * value)
  }

  /// Divides by a value.
  public static func /= (column: Self, value: some SQLExpressible) -> ColumnAssignment {
    ColumnAssignment(column, column / value)
  }

  /// Keeps the bits that a value has.
  public static func &= (column: Self, value: some SQLExpressible) -> ColumnAssignment {
    ColumnAssignment(column, column & value)
  }

  /// Adds the bits that a value has.
  public static func |= (column: Self, value: some SQLExpressible) -> ColumnAssignment {
    ColumnAssignment(column, column | value)
  }

  /// Moves the bits to the left.
  public static func <<= (column: Self, value: some SQLExpressible) -> ColumnAssignment {
    ColumnAssignment(column, column << value)
  }

  /// Moves the bits to the right.
  public static func >>= (column: Self, value: some SQLExpressible) -> ColumnAssignment {
    ColumnAssignment(column, column >> value)
  }
}
