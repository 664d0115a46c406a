/// The values that parameters take from arguments.
extension StatementArguments {
  /// Returns the value of each parameter: the one with its name, or else the next one by position.
  ///
  /// - Parameters:
  ///   - count: The number of parameters.
  ///   - name: Returns the name of the parameter at an index, without its prefix; `nil` if it has none.
  ///   - missing: Returns the value of a parameter that has none, whose name it receives.
  /// - Returns: The values, and the number of those by position that no parameter took.
  /// - Throws: The error of `missing`.
  func values<Failure>(
    ofParameters count: Int, name: (Int) -> String?,
    missing: (String?) throws(Failure) -> DatabaseValue
  ) throws(Failure) -> (values: [DatabaseValue], unusedCount: Int) {
    let named = namedValues
    var positional = values[...]
    var result: [DatabaseValue] = []
    result.reserveCapacity(count)
    for index in 0..<count {
      let name = name(index)
      if let value = name.flatMap({ named[ExactText($0)] }) ?? positional.popFirst() {
        result.append(value)
      } else {
        result.append(try missing(name))
      }
    }
    return (result, positional.count)
  }

  /// Returns the value of each parameter, if each has one and all values by position are taken.
  ///
  /// - Parameters:
  ///   - count: The number of parameters.
  ///   - sql: The SQL that has the parameters, for the error.
  ///   - path: The path of the database, for the error.
  ///   - name: Returns the name of the parameter at an index, without its prefix; `nil` if it has none.
  /// - Returns: The values in the order of the parameters.
  /// - Throws: ``DatabaseError`` with `SQLITE_MISUSE` when a parameter has no value, or a value by
  ///   position no parameter.
  func requiredValues(
    ofParameters count: Int, in sql: String, path: String?, name: (Int) -> String?
  ) throws(DatabaseError) -> [DatabaseValue] {
    let found = values.count
    let wrongCount = { () -> DatabaseError in
      .wrongArgumentCount(expected: count, found: found, sql: sql, path: path)
    }
    let (values, unusedCount) = try values(ofParameters: count, name: name) {
      name throws(DatabaseError) in
      throw name.map { .missingArgument($0, sql: sql, path: path) } ?? wrongCount()
    }
    guard unusedCount == 0 else { throw wrongCount() }
    return values
  }
}
