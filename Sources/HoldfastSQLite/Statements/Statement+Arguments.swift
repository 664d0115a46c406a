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
