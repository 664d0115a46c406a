#if SQLCipher
  internal import CSQLCipher
#else
  internal import CSQLite
#endif

extension Statement {
  // MARK: - Setting

  /// The values that are set; empty when none are.
  ///
  /// To set values that ``setArguments(_:)`` refuses is a programmer error: it ends the process with
  /// the sentence of the error. Call that function for values that are not known to fit.
  public var arguments: StatementArguments {
    get {
      owner.checkAccess()
      return unsafe areArgumentsSet ? boundArguments : StatementArguments()
    }
    set {
      do {
        try setArguments(newValue)
      } catch {
        Misuse.trap(Misuse.unfitArguments(error))
      }
    }
  }

  /// Binds values to the parameters.
  ///
  /// - Parameter arguments: A value for each parameter, by position or by name. A parameter without a
  ///   value by its name takes the next one by position. Names that no parameter has are ignored, so
  ///   that one dictionary can be used for several statements.
  /// - Throws: ``DatabaseError`` with `SQLITE_MISUSE` when there are too few or too many values,
  ///   with `SQLITE_TOOBIG` when a value is longer than SQLite allows. The values that were set stay set.
  public func setArguments(_ arguments: consuming StatementArguments) throws(DatabaseError) {
    owner.checkAccess()
    guard !isStepping else { Misuse.trap(Misuse.statementInUse) }
    guard parameterCount > 0 || !arguments.isEmpty else { return }
    try owner.enter()
    defer { owner.leave() }
    // First what is nearly always true, without room for an error.
    let isBound =
      arguments.named == nil && arguments.packed.count == parameterCount
      && bind(arguments.packed) == SQLITE_OK
    if !isBound, let error = bind(arguments) {
      restoreArguments()
      throw error
    }
    unsafe boundArguments = consume arguments
    unsafe areArgumentsSet = true
    if unsafe refusal != nil { unsafe refusal = nil }
  }

  /// Binds the values that are set once more, after others were refused.
  private func restoreArguments() {
    if unsafe !areArgumentsSet || bindUnchecked(boundArguments) != SQLITE_OK { forgetArguments() }
  }

  /// Sets values without checking that there is one for each parameter.
  ///
  /// Parameters without a value are NULL; values without a parameter are ignored. When SQLite refuses
  /// a value, as one that is longer than it allows, no values are set, and a run without other values throws
  /// its error.
  ///
  /// - Parameter arguments: The values, by position or by name.
  public func setUncheckedArguments(_ arguments: StatementArguments) {
    owner.checkAccess()
    guard !isStepping else { Misuse.trap(Misuse.statementInUse) }
    forgetArguments()
    var refusal: DatabaseError?
    let isBound = owner.ifPresent {
      let code = bindUnchecked(arguments)
      if code != SQLITE_OK { refusal = failure(code, binding: arguments) }
      return code == SQLITE_OK
    }
    guard isBound == true else {
      forgetArguments()
      return unsafe self.refusal = refusal.map(ArgumentsRefusal.init)
    }
    unsafe boundArguments = arguments
    unsafe areArgumentsSet = true
  }

  @inline(never)
  private func bind(_ arguments: borrowing StatementArguments) -> DatabaseError? {
    guard arguments.named == nil else {
      do throws(DatabaseError) {
        for (index, value) in try values(of: copy arguments).enumerated() {
          let code = bind(value, at: CInt(index + 1))
          guard code == SQLITE_OK else { return failure(code, binding: copy arguments) }
        }
        return nil
      } catch {
        return error
      }
    }
    let count = arguments.packed.count
    guard count == parameterCount else { return wrongCount(of: count) }
    let code = bind(arguments.packed)
    return code == SQLITE_OK ? nil : failure(code, binding: copy arguments)
  }

  /// Returns the value of each parameter: the one with its name, or else the next one by position.
  ///
  /// - Throws: ``DatabaseError`` with `SQLITE_MISUSE` when a parameter has no value, or a value by
  ///   position no parameter.
  func values(of arguments: StatementArguments) throws(DatabaseError) -> [DatabaseValue] {
    try arguments.requiredValues(
      ofParameters: parameterCount, in: sql, path: unsafe database.path, name: parameterName)
  }

  /// The number of parameters that take a value by position where others have names.
  func positionalCount(besides named: [ExactText: DatabaseValue]) -> Int {
    guard !named.isEmpty else { return parameterCount }
    return (0..<parameterCount).count { index in
      parameterName(at: index).flatMap { named[ExactText($0)] } == nil
    }
  }

  func wrongCount(of found: Int) -> DatabaseError {
    .wrongArgumentCount(
      expected: parameterCount, found: found, sql: sql, path: unsafe database.path)
  }

  /// Unsets the values, and releases large ones, so that a cached statement does not keep them.
  ///
  /// Small values stay bound until they are replaced; a run without arguments throws until then.
  func clearArguments() {
    unsafe areArgumentsSet = false
    if unsafe boundArguments.areLarge || refusal != nil { forgetArguments() }
  }

  /// Counts the values that were set as unset, because others are bound.
  func forgetSetArguments() {
    unsafe areArgumentsSet = false
  }

  func forgetArguments() {
    unsafe areArgumentsSet = false
    // First, because they may be bound without a copy.
    owner.ifPresent { unsafe sqlite3_clear_bindings(handle) }
    unsafe boundArguments = StatementArguments()
    unsafe refusal = nil
  }

  // MARK: - Reading

  /// Checks that values can be set, without setting them.
  ///
  /// - Parameter arguments: A value for each parameter, by position or by name.
  /// - Throws: ``DatabaseError`` with `SQLITE_MISUSE` when there are too few or too many values.
  public func validateArguments(_ arguments: StatementArguments) throws {
    owner.checkAccess()
    guard arguments.named == nil else { return _ = try values(of: arguments) }
    let count = arguments.packed.count
    guard count == parameterCount else { throw wrongCount(of: count) }
  }

  /// Returns a cursor of the statement's rows.
  ///
  /// - Parameter arguments: Values for the parameters; if `nil`, the ones that are set.
  /// - Returns: A cursor positioned before the first row.
  /// - Throws: ``DatabaseError`` with SQLite's code.
  public func makeCursor(arguments: StatementArguments? = nil) throws -> RowCursor {
    try Row.fetchCursor(self, arguments: arguments)
  }

  /// Returns the name of a parameter without its prefix; `nil` for one without a name.
  func parameterName(at index: Int) -> String? {
    let number = CInt(truncatingIfNeeded: index + 1)
    guard let text = unsafe sqlite3_bind_parameter_name(handle, number) else { return nil }
    return unsafe String(Substring(String(cString: text).utf8.dropFirst()))
  }
}
