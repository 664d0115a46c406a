#if SQLCipher
  internal import CSQLCipher
#else
  internal import CSQLite
#endif

extension Statement {
  /// Runs the closure with the values of a record bound, the first to the first parameter;
  /// afterwards no arguments are set.
  ///
  /// - Parameters:
  ///   - record: The values, which are not copied and remain valid during the closure.
  ///   - body: Steps through any number of rows.
  /// - Returns: The result of the closure.
  /// - Throws: ``DatabaseError`` with SQLite's code and the record's values; whatever `body`
  ///   throws.
  func run<Value>(
    with record: borrowing PersistenceContainer, _ body: (Statement) throws -> Value
  ) throws -> Value {
    try enter()
    defer { leave() }
    let cells = record.cells
    do {
      return try unsafe record.withBytes { bytes in
        try start { () throws(DatabaseError) in
          guard cells.count >= parameterCount else {
            throw .wrongArgumentCount(
              expected: parameterCount, found: cells.count, sql: sql,
              path: unsafe database.path)
          }
          // A statement may need the first values only, such as those of the key.
          let code = unsafe cells.withUnsafeBufferPointer { cells in
            unsafe bind(cells, in: bytes, kept: { _ in .null })
          }
          guard code == SQLITE_OK else { throw failure(code) }
        }
        // The bytes are valid only during this call; each later run binds its own before it reads
        // any.
        defer { reset() }
        return try body(self)
      }
    } catch var error as DatabaseError where error.sql == sql && error.arguments?.isEmpty != false {
      error.arguments = StatementArguments(record.values.prefix(parameterCount))
      throw error
    }
  }
}
