extension StyleExpression {
  /// The operators that evaluate all of their arguments.
  private static let strict: Set<String> = [
    "+", "-", "*", "/", "%", "^", "abs", "ceil", "floor", "round", "min", "max", "sqrt", "ln",
    "log10", "log2", "length", "concat", "upcase", "downcase", "to-string", "to-boolean", "==",
    "!=",
  ]

  /// Returns whether an expression certainly ends in an error, which makes a filter false and a label empty.
  ///
  /// - SeeAlso: <https://maplibre.org/maplibre-style-spec/expressions/>, "Type system"
  func isError(_ expression: StyleJSON) -> Bool {
    guard let (name, list) = expression.operation else { return false }
    let arguments = Array(list)
    switch name {
    case "<", "<=", ">", ">=":
      if arguments.contains(where: isError) { return true }
      guard arguments.count == 2, let left = value(arguments[0]), let right = value(arguments[1])
      else { return false }
      return Self.compare(name, left, right) == nil
    case "number", "string", "boolean", "to-number":
      for argument in arguments {
        if isError(argument) { return true }
        guard let found = value(argument), !Self.mayBecome(name, found) else { return false }
      }
      return !arguments.isEmpty
    case "coalesce":
      // The first one that is not null.
      for argument in arguments {
        if isError(argument) { return true }
        guard value(argument) == .null else { return false }
      }
      return false
    case "all", "any":
      for argument in arguments {
        if isError(argument) { return true }
        guard value(argument) == .bool(name == "all") else { return false }
      }
      return false
    case "step":
      guard let input = arguments.first else { return false }
      if isError(input) { return true }
      return value(input).map { !$0.isNumber } ?? false
    case "case", "!": return arguments.first.map(isError) ?? false
    case "let": return arguments.last.map(naming(list.dropLast()).isError) ?? false
    case "var": return named(list).map { $1.isError($0) } ?? false
    default: return Self.strict.contains(name) && arguments.contains(where: isError)
    }
  }

  /// Returns whether a value has the type that an operator demands, or may become it in some engine.
  private static func mayBecome(_ name: String, _ value: StyleJSON) -> Bool {
    switch (name, value) {
    case ("number", .number), ("string", .text), ("boolean", .bool): true
    case ("to-number", .number), ("to-number", .bool), ("to-number", .null): true
    // MapLibre GL JS takes a blank text for 0, and MapLibre Native what a text begins with.
    case ("to-number", .text(let text)):
      text.allSatisfy(\.isWhitespace) || beginsWithNumber(text.drop(while: \.isWhitespace))
    default: false
    }
  }

  /// Returns whether C's `strtod` may read a number at the beginning of a text.
  private static func beginsWithNumber(_ text: Substring) -> Bool {
    let unsigned = text.drop { "+-.".contains($0) }
    return unsigned.first.map { ("0"..."9").contains($0) } ?? false
      || ["inf", "nan"].contains(unsigned.prefix(3).lowercased())
  }
}
