/// The operators of expressions, by what is known of the texts that they make.
enum StyleOperator {
  /// Those whose result becomes letters, digits and signs of ASCII, and is never empty.
  static let plain: Set<String> = [
    // Numbers.
    "+", "-", "*", "/", "%", "^", "abs", "acos", "asin", "atan", "ceil", "cos", "e", "floor", "ln",
    "ln2", "log10", "log2", "max", "min", "pi", "round", "sin", "sqrt", "tan", "length", "index-of",
    "zoom", "distance", "to-number", "number", "interpolate",
    // Truth.
    "!", "==", "!=", "<", "<=", ">", ">=", "all", "any", "has", "in", "within", "to-boolean",
    "boolean", "is-supported-script",
    // Names and colors.
    "typeof", "geometry-type", "to-color", "rgb", "rgba", "to-rgba",
  ]

  /// Those whose result is one of their arguments, or made of them.
  private static let passing: Set<String> = [
    "case", "match", "step", "coalesce", "concat", "to-string", "string", "array", "object", "join",
    "split", "let", "format", "upcase", "downcase", "slice", "at",
  ]

  /// Those that are evaluated by themselves.
  private static let known: Set<String> = [
    "literal", "get", "var", "image", "properties", "number-format",
  ]

  /// Whether an array that begins with a text is an expression, and no list of fonts.
  static func exists(_ name: String) -> Bool { ExpressionSignature.all[name] != nil }

  /// Whether the result of an operator is never null.
  static func isNeverNull(_ name: String) -> Bool {
    switch ExpressionSignature.all[name]?.result {
    case .text, .number, .flag, .color, .label, .vector: true
    default: false
    }
  }

  /// Whether an expression depends on the zoom level.
  static func usesZoom(_ expression: StyleJSON) -> Bool {
    guard let (name, arguments) = expression.operation, name != "literal" else { return false }
    return name == "zoom" || arguments.contains(where: usesZoom)
  }

  /// Returns the parts of an expression that become texts and are not evaluated.
  static func unknownTexts(in expression: StyleJSON) -> [StyleJSON] {
    guard let (name, arguments) = expression.operation else { return [] }
    // The words and signs of a language, and of its numbers.
    if name == "number-format" {
      guard case .object(let options)? = arguments.last else { return [] }
      let isLocal = ["locale", "currency", "unit"].contains { options[$0] != nil }
      return isLocal ? [expression] : []
    }
    if plain.contains(name) || known.contains(name) { return [] }
    guard passing.contains(name) else { return [expression] }
    return results(of: name, Array(arguments)).flatMap { argument -> [StyleJSON] in
      // The options of a section of "format".
      if case .object(let options) = argument {
        return options["text-font"].map(unknownFonts) ?? []
      }
      return unknownTexts(in: argument)
    }
  }

  /// Returns the parts of an expression that become fonts and are not evaluated.
  static func unknownFonts(in expression: StyleJSON) -> [StyleJSON] {
    guard let (name, arguments) = expression.operation, exists(name), name != "literal" else {
      return []
    }
    let isEvaluated = [
      "case", "match", "step", "coalesce", "array", "let", "var", "at",
    ].contains(name)
    guard isEvaluated else { return [expression] }
    return results(of: name, Array(arguments)).flatMap(unknownFonts)
  }

  /// Returns the texts that stand in a style and of which an expression may choose one, whatever the feature is.
  static func constants(in value: StyleJSON) -> [String] {
    switch value {
    case .text(let text): return [text]
    case .object(let function):
      let outputs = (function["stops"]?.elements ?? []).compactMap { $0.elements.last }
      return (outputs + [function["default"] ?? .null]).flatMap(constants)
    default:
      guard let (name, arguments) = value.operation,
        ["case", "match", "step", "let", "image"].contains(name)
      else { return [] }
      return results(of: name, Array(arguments)).flatMap(constants)
    }
  }

  /// Returns the arguments that may be the result, or a part of it.
  private static func results(of name: String, _ arguments: [StyleJSON]) -> [StyleJSON] {
    switch name {
    case "case":
      stride(from: 1, to: arguments.count - 1, by: 2).map { arguments[$0] } + arguments.suffix(1)
    case "match":
      stride(from: 2, to: arguments.count - 1, by: 2).map { arguments[$0] } + arguments.suffix(1)
    case "step", "let":
      stride(from: 1, to: arguments.count, by: 2).map { arguments[$0] }
        + (name == "let" ? Array(arguments.suffix(1)) : [])
    case "array", "object", "at": Array(arguments.suffix(1))
    case "slice": Array(arguments.prefix(1))
    default: arguments
    }
  }
}
