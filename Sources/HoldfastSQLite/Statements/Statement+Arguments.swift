#if SQLCipher
  internal import CSQLCipher
#else
  internal import CSQLite
#endif

extension Statement {
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

  /// Sets values without checking that there is one for each parameter.
  ///
  /// Parameters without a value are NULL; values without a parameter are ignored. When SQLite refuses
  /// a value, no values are set.
  ///
  /// - Parameter arguments: The values, by position or by name.
  public func setUncheckedArguments(_ arguments: StatementArguments) {
    owner.checkAccess()
    guard !isStepping else { Misuse.trap(Misuse.statementInUse) }
    let names = arguments.namedValues
    var values = arguments.values[...]
    let all = (0..<parameterCount).map { index in
      parameterName(at: CInt(index + 1)).flatMap { names[ExactText($0)] } ?? values.popFirst()
        ?? .null
    }
    do {
      try setArguments(StatementArguments(all))
    } catch _ {
      // A run without values throws the error of the missing values.
    }
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
  func parameterName(at index: CInt) -> String? {
    guard let text = unsafe sqlite3_bind_parameter_name(handle, index) else { return nil }
    return unsafe String(Substring(String(cString: text).utf8.dropFirst()))
  }
}
