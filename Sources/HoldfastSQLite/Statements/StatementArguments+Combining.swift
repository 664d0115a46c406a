extension StatementArguments {
  /// Appends the values of other arguments, and returns the named values that they replace.
  ///
  /// - Parameter arguments: The arguments; their positional values follow the existing ones.
  /// - Returns: The replaced values, by name.
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

  /// Returns the values of both arguments; if a name occurs on both sides, the right value is used.
  public static func &+ (
    lhs: StatementArguments, rhs: StatementArguments
  ) -> StatementArguments {
    var sum = lhs
    _ = sum.append(contentsOf: rhs)
    return sum
  }
}
