/// A prepared statement of SQLite's C interface: `sqlite3_stmt *`.
public typealias SQLiteStatement = OpaquePointer

/// A type that reads its values with SQLite's C interface.
///
/// Where a type is ``DatabaseValueConvertible`` too, values are fetched this way, which saves a
/// ``DatabaseValue``. ``DatabaseValueConvertible/fromColumn(_:)`` does the same without pointers.
///
/// - SeeAlso: <https://www.sqlite.org/c3ref/column_blob.html>
public protocol StatementColumnConvertible {
  /// Returns the value in a column of the current row.
  ///
  /// The default implementation returns `nil` for NULL, and calls the initializer otherwise.
  ///
  /// - Parameters:
  ///   - sqliteStatement: A statement with a current row.
  ///   - index: The column's position, from 0, which is valid.
  /// - Returns: The value; `nil` when the column does not convert.
  static func fromStatement(
    _ sqliteStatement: SQLiteStatement, atUncheckedIndex index: CInt
  ) -> Self?

  /// Creates the value in a column that is not NULL.
  ///
  /// - Parameters:
  ///   - sqliteStatement: A statement with a current row.
  ///   - index: The column's position, from 0, which is valid.
  init?(sqliteStatement: SQLiteStatement, index: CInt)
}

extension StatementColumnConvertible {
  /// Returns `nil` for NULL, and otherwise what the initializer creates.
  public static func fromStatement(
    _ sqliteStatement: SQLiteStatement, atUncheckedIndex index: CInt
  ) -> Self? {
    guard unsafe !StatementColumn(statement: sqliteStatement, index: index).isNull else {
      return nil
    }
    return unsafe Self(sqliteStatement: sqliteStatement, index: index)
  }
}

extension DatabaseValueConvertible where Self: StatementColumnConvertible {
  /// Returns the value that ``StatementColumnConvertible`` reads.
  @inlinable
  public static func fromColumn(_ column: StatementColumn) -> Self? {
    unsafe fromStatement(column.statement, atUncheckedIndex: column.index)
  }
}
