internal import CSQLite

extension Statement {
  /// Runs the closure with the values of a record bound, the first to the first parameter.
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
      return try unsafe record.bytes.withUnsafeBufferPointer { bytes in
        try start { () throws(DatabaseError) in
          guard cells.count >= parameterCount else {
            throw .wrongArgumentCount(
              expected: parameterCount, found: cells.count, sql: sql, path: unsafe database.path)
          }
          // A statement may need the first values only, such as those of the key.
          for index in 0..<parameterCount {
            let code = unsafe bind(cells[index], in: bytes, at: CInt(index + 1))
            guard code == SQLITE_OK else { throw failure(code) }
          }
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

  private func bind(
    _ cell: PersistenceContainer.Cell, in bytes: UnsafeBufferPointer<UInt8>, at index: CInt
  ) -> CInt {
    switch cell {
    case .null:
      return unsafe sqlite3_bind_null(handle, index)
    case .int64(let value):
      return unsafe sqlite3_bind_int64(handle, index, value)
    case .double(let value):
      return unsafe sqlite3_bind_double(handle, index, value)
    // An address of 0 would bind NULL, and an empty buffer may have it.
    case .text(let range) where range.isEmpty:
      return unsafe sqlite3_bind_text(handle, index, "", 0, nil)
    case .text(let range):
      let text = unsafe UnsafeRawPointer(bytes.baseAddress)?
        .advanced(by: range.lowerBound).assumingMemoryBound(to: CChar.self)
      return unsafe sqlite3_bind_text(handle, index, text, CInt(clamping: range.count), nil)
    case .blob(let range) where range.isEmpty:
      return unsafe sqlite3_bind_zeroblob(handle, index, 0)
    case .blob(let range):
      let blob = unsafe bytes.baseAddress?.advanced(by: range.lowerBound)
      return unsafe sqlite3_bind_blob(handle, index, blob, CInt(clamping: range.count), nil)
    }
  }

  /// The number of times that SQLite prepared the statement again after a schema change.
  var preparationCount: CInt {
    prepareCount
  }
}
