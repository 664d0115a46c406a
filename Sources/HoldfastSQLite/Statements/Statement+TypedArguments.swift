#if SQLCipher
  internal import CSQLCipher
#else
  internal import CSQLite
#endif

extension Statement {
  /// Runs the statement to its end with values whose types are known, and ignores its rows.
  ///
  /// ```swift
  /// let statement = try db.makeStatement(sql: "INSERT INTO stop VALUES (?, ?, ?)")
  /// for stop in stops { try statement.execute(stop.id, stop.name, stop.latitude) }
  /// ```
  ///
  /// It is `execute(arguments:)` without memory for the values, for short statements that run often.
  /// The values are bound for this run only: afterwards no arguments are set.
  ///
  /// - Parameters:
  ///   - first: The value of the first parameter.
  ///   - others: The values of the other parameters, in order.
  /// - Throws: ``DatabaseError`` with SQLite's code, with `SQLITE_MISUSE` when there are too few or too
  ///   many values.
  @_alwaysEmitIntoClient
  public func execute<First: DatabaseValueConvertible, each Other: DatabaseValueConvertible>(
    _ first: First, _ others: repeat each Other
  ) throws {
    try beginBinding()
    bindNext(first.databaseValue)
    repeat bindNext((each others).databaseValue)
    do {
      try executeBound()
    } catch {
      var values = [first.databaseValue]
      repeat values.append((each others).databaseValue)
      throw failure(error, of: values)
    }
  }

  /// Returns the error of a run, with the values that were bound one by one.
  ///
  /// The caller makes the values here and in no closure, which would retain each text for each run.
  @usableFromInline
  @inline(never)
  func failure(_ error: any Error, of values: [DatabaseValue]) -> any Error {
    guard var error = error as? DatabaseError, error.sql == sql else { return error }
    error.arguments = StatementArguments(values)
    return error
  }

  /// Enters SQLite for a run whose values are bound one by one.
  @usableFromInline
  func beginBinding() throws(DatabaseError) {
    try enter()
    do throws(DatabaseError) {
      try checkStart()
    } catch {
      leave()
      throw error
    }
    unsafe boundValues.begin()
  }

  /// Binds a value to the parameter after the last one.
  ///
  /// Inlined always, so that nothing is left of the value where its type is known.
  @inlinable
  @inline(__always)
  func bindNext(_ value: DatabaseValue) {
    guard case .stored(let storage) = value.content else { return bindNext(unusual: value) }
    switch storage {
    case .null: bindNextNull()
    case .int64(let value): bindNext(value)
    case .double(let value): bindNext(value)
    case .string(let text): bindNext(text)
    case .blob: bindNext(unusual: value)
    }
  }

  @usableFromInline
  func bindNextNull() {
    bindNext { unsafe sqlite3_bind_null(handle, $0) }
  }

  @usableFromInline
  func bindNext(_ value: Int64) {
    bindNext { unsafe sqlite3_bind_int64(handle, $0, value) }
  }

  @usableFromInline
  func bindNext(_ value: Double) {
    bindNext { unsafe sqlite3_bind_double(handle, $0, value) }
  }

  @usableFromInline
  func bindNext(_ text: String) {
    bindNext { unsafe bind(text, at: $0, in: &boundValues) }
  }

  @usableFromInline
  func bindNext(unusual value: DatabaseValue) {
    bindNext { bind(value, at: $0) }
  }

  @inline(__always)
  private func bindNext(_ bind: (CInt) -> CInt) {
    let index = unsafe boundValues.nextIndex()
    // What is bound after a refusal would replace its message.
    guard index <= parameterCount, unsafe boundValues.code == SQLITE_OK else { return }
    let code = bind(index)
    if code != SQLITE_OK { unsafe boundValues.code = code }
  }

  @inline(__always)
  private func bind(_ text: String, at index: CInt, in values: inout BoundValues) -> CInt {
    let code: CInt?? = unsafe text.utf8.withContiguousStorageIfAvailable { utf8 in
      let bytes = UnsafeRawBufferPointer(utf8)
      guard let start = unsafe values.keep(bytes) else { return nil }
      return unsafe holdfast_bind_text_static(handle, index, start, CInt(bytes.count))
    }
    return (code ?? nil) ?? bind(DatabaseValue(storage: .string(text)), at: index)
  }

  /// Runs the statement to its end with the values that were bound one by one, and leaves SQLite.
  @usableFromInline
  func executeBound() throws {
    defer { leave() }
    let count = unsafe Int(boundValues.count)
    guard count == parameterCount else {
      forgetArguments()
      throw wrongCount(of: count)
    }
    guard unsafe boundValues.code == SQLITE_OK else {
      let error = failure(unsafe boundValues.code)
      forgetArguments()
      throw error
    }
    forgetSetArguments()
    begin()
    while try advance() {}
  }
}
