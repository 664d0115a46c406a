/// A cursor of the values of the first column.
public final class DatabaseValueCursor<Value: DatabaseValueConvertible>: StatementCursor,
  DatabaseCursor
{
  /// Returns the next row's value, or `nil` at the end.
  @inlinable
  public func next() throws -> Value? {
    guard try advance() else { return nil }
    defer { if isSuspendable { pause() } }
    guard isUnadapted else { return try adaptedRow().decode(Value.self, atIndex: 0) }
    // Without the row: a statement that has rows has a first column.
    let column = unsafe StatementColumn(statement: handle, index: 0)
    guard let value = Value.fromColumn(column) else {
      throw unsafe rows.row.error(Value.self, at: 0)
    }
    return value
  }
}

/// A cursor of the values of the first column, as fast as ``DatabaseValueCursor``.
public typealias FastDatabaseValueCursor<Value: DatabaseValueConvertible> = DatabaseValueCursor<
  Value
>
