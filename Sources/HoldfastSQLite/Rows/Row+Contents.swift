public import Foundation

extension Row {
  /// Returns whether the value at a position is NULL.
  ///
  /// - Parameter index: The column's position, from 0.
  /// - Returns: Whether it is NULL.
  /// - Precondition: There is such a column.
  public func hasNull(atIndex index: Int) -> Bool {
    guard let statement = unsafe statement, hasColumn(at: index) else {
      return (self[index] as DatabaseValue).isNull
    }
    return unsafe StatementColumn(statement: statement, index: CInt(index)).isNull
  }

  /// Whether any value of the row or of its scopes is not NULL.
  public var containsNonNullValue: Bool {
    (0..<count).contains { !hasNull(atIndex: $0) }
      || scopes.contains { $0.row.containsNonNullValue }
  }

  /// Returns a row with its own values, which is not changed when the statement moves on.
  ///
  /// It need not be called: a row that is kept copies its values by itself.
  public func copy() -> Row {
    isDetached ? self : Row(copying: self)
  }

  /// Returns the first value that is not NULL.
  ///
  /// - Parameter columns: The names of the columns, in order; a column that does not exist is NULL.
  /// - Returns: The converted value; `nil` when all of them are NULL.
  /// - Precondition: The value converts.
  public func coalesce<Value: DatabaseValueConvertible>(
    _ columns: some Collection<String>
  ) -> Value? {
    for column in columns {
      if let value = self[column] as Value? { return value }
    }
    return nil
  }

  /// Returns the first value that is not NULL, as the function that takes names does.
  public func coalesce<Value: DatabaseValueConvertible>(
    _ columns: some Collection<any ColumnExpression>
  ) -> Value? {
    coalesce(columns.map(\.name))
  }

  // MARK: - Bytes

  /// Calls the closure with the bytes at a position, which are not copied if possible.
  ///
  /// - Parameters:
  ///   - index: The column's position, from 0.
  ///   - body: Receives the bytes of a blob or of a text, valid only during the closure, or `nil` for
  ///     any other value.
  /// - Returns: The return value of `body`.
  /// - Throws: Whatever `body` throws.
  /// - Precondition: There is such a column.
  public func withUnsafeData<Result>(
    atIndex index: Int, _ body: (Data?) throws -> Result
  ) throws -> Result {
    guard let statement = unsafe statement, hasColumn(at: index) else {
      return try body(Data.fromDatabaseValue(self[index]))
    }
    return try unsafe StatementColumn(statement: statement, index: CInt(index))
      .withBorrowedData(body)
  }

  /// Calls the closure with the bytes in a column, or with `nil` if there is no such column; see
  /// ``withUnsafeData(atIndex:_:)``.
  public func withUnsafeData<Result>(
    named name: String, _ body: (Data?) throws -> Result
  ) throws -> Result {
    guard let index = index(of: name) else { return try body(nil) }
    return try withUnsafeData(atIndex: index, body)
  }

  /// Calls the closure with the bytes in a column, or with `nil` if there is no such column; see
  /// ``withUnsafeData(atIndex:_:)``.
  public func withUnsafeData<Result>(
    at column: some ColumnExpression, _ body: (Data?) throws -> Result
  ) throws -> Result {
    try withUnsafeData(named: column.name, body)
  }

  /// Appends the bytes of a blob to others, without a copy in between if possible.
  ///
  /// - Parameters:
  ///   - index: The column's position, from 0.
  ///   - bytes: The bytes to which those of the blob are appended.
  /// - Returns: False for a value that is no blob, of which nothing is appended.
  /// - Precondition: There is such a column.
  package func appendBlob(atIndex index: Int, to bytes: inout [UInt8]) -> Bool {
    guard let statement = unsafe statement, hasColumn(at: index) else {
      guard case .blob(let data) = (self[index] as DatabaseValue).storage else { return false }
      bytes += data
      return true
    }
    return unsafe StatementColumn(statement: statement, index: CInt(index)).withBlob { blob in
      guard let blob = unsafe blob else { return false }
      unsafe bytes.append(contentsOf: blob)
      return true
    }
  }

  /// Calls a closure with the bytes of a blob, without a copy if possible.
  ///
  /// - Parameters:
  ///   - index: The column's position, from 0.
  ///   - body: Receives the bytes of a blob or of a text, valid only during the closure; `nil` for NULL.
  /// - Returns: The return value of `body`.
  /// - Throws: ``RowDecodingError`` for a number; whatever `body` throws.
  /// - Precondition: There is such a column.
  package func withBytes<Result>(
    atIndex index: Int, _ body: (Span<UInt8>?) throws -> Result
  ) throws -> Result {
    if let statement = unsafe statement, hasColumn(at: index) {
      let result = unsafe StatementColumn(statement: statement, index: CInt(index)).withBlob {
        blob -> Swift.Result<Result, any Error>? in
        guard let blob = unsafe blob else { return nil }
        return unsafe blob.withMemoryRebound(to: UInt8.self) { bytes in
          Swift.Result { try body(unsafe bytes.span) }
        }
      }
      if let result { return try result.get() }
    }
    guard let data = try decode(Data?.self, atIndex: index) else { return try body(nil) }
    return try body([UInt8](data).span)
  }
}
