extension StatementArguments {
  /// Appends the values of other arguments, and returns those by name that they replaced.
  ///
  /// - Parameter arguments: Their values by position follow the ones that are there.
  /// - Returns: The values that another one of the same name replaced.
  public mutating func append(
    contentsOf arguments: StatementArguments
  ) -> [String: DatabaseValue] {
    packed.append(contentsOf: arguments.values)
    guard let others = arguments.named else { return [:] }
    var replaced: [String: DatabaseValue] = [:]
    for (name, value) in others {
      if let before = named?.updateValue(value, forKey: name) { replaced[name.text] = before }
    }
    named = named ?? others
    return replaced
  }

  /// Returns the values of both arguments.
  ///
  /// - Precondition: No name occurs on both sides.
  public static func + (
    lhs: StatementArguments, rhs: StatementArguments
  ) -> StatementArguments {
    var sum = lhs
    sum += rhs
    return sum
  }

  /// Appends the values of other arguments.
  ///
  /// - Precondition: No name occurs on both sides.
  public static func += (lhs: inout StatementArguments, rhs: StatementArguments) {
    if let name = lhs.append(contentsOf: rhs).keys.min() {
      Misuse.trap(Misuse.argumentDefinedTwice(name))
    }
  }

  /// Returns the values of both arguments; of two with one name the right one counts.
  public static func &+ (
    lhs: StatementArguments, rhs: StatementArguments
  ) -> StatementArguments {
    var sum = lhs
    _ = sum.append(contentsOf: rhs)
    return sum
  }
}
