/// What an operator of expressions takes and gives, as MapLibre Native declares it.
///
/// - SeeAlso: <https://maplibre.org/maplibre-style-spec/expressions/>
struct ExpressionSignature: Sendable {
  /// The type of a value in an expression.
  enum ValueType: String, Sendable {
    /// A value whose type is known only when the map is drawn, such as an attribute.
    case any
    case null, number, text, object, collator, image
    case flag = "truth value"
    case color
    case list
    /// Numbers, always as many, between which one can interpolate.
    case vector = "list of numbers"
    case label = "formatted text"
  }

  /// The type of the result; `nil` for the type of some arguments.
  var result: ValueType?

  /// The type of each argument; `nil` where that depends on the operator.
  var argument: ValueType?

  /// How many arguments there may be.
  var count: ClosedRange<Int>

  /// The operators that only newer versions know.
  static let newer: Set = ["elevation", "join", "split"]

  /// The signatures of all operators, by their names.
  static let all: [String: ExpressionSignature] = {
    var all: [String: ExpressionSignature] = [:]
    func add(
      _ names: String, _ result: ValueType?, _ argument: ValueType?, _ count: ClosedRange<Int>
    ) {
      for name in names.split(separator: " ") {
        all[String(name)] = ExpressionSignature(result: result, argument: argument, count: count)
      }
    }
    let many = 1_000_000
    // Numbers.
    add("e pi ln2 zoom heatmap-density line-progress elevation", .number, nil, 0...0)
    add(
      "abs acos asin atan ceil cos floor ln log10 log2 round sin sqrt tan", .number, .number, 1...1)
    add("+ * max min", .number, .number, 0...many)
    add("-", .number, .number, 1...2)
    add("/ % ^", .number, .number, 2...2)
    add("to-number number", .number, .any, 1...many)
    add("length", .number, nil, 1...1)
    add("index-of", .number, .any, 2...3)
    add("distance", .number, nil, 1...1)
    // Truth values.
    add("!", .flag, .flag, 1...1)
    add("all any", .flag, .flag, 0...many)
    add("== != < <= > >=", .flag, nil, 2...3)
    add("has", .flag, nil, 1...2)
    add("in", .flag, .any, 2...2)
    add("within", .flag, nil, 1...1)
    add("is-supported-script", .flag, .text, 1...1)
    add("to-boolean", .flag, .any, 1...1)
    add("boolean", .flag, .any, 1...many)
    // Texts.
    add("concat", .text, .any, 0...many)
    add("upcase downcase", .text, .text, 1...1)
    add("to-string typeof", .text, .any, 1...1)
    add("string", .text, .any, 1...many)
    add("join", .text, nil, 2...2)
    add("geometry-type", .text, nil, 0...0)
    add("number-format", .text, nil, 2...2)
    add("resolved-locale", .text, .collator, 1...1)
    // Other values.
    add("rgb", .color, .number, 3...3)
    add("rgba", .color, .number, 4...4)
    add("to-color", .color, .any, 1...many)
    add("to-rgba", .list, .color, 1...1)
    add("split", .list, .text, 2...2)
    add("array", .list, nil, 1...many)
    add("object", .object, .any, 1...many)
    add("properties", .object, nil, 0...0)
    add("collator", .collator, nil, 1...1)
    add("image", .image, .text, 1...many)
    add("format", .label, nil, 1...many)
    add("id accumulated", .any, nil, 0...0)
    add("get", .any, nil, 1...2)
    add("feature-state", .any, .text, 1...1)
    add("at", .any, nil, 2...2)
    add("slice", .any, .any, 2...3)
    // Those whose result is one of their arguments.
    add("literal var", nil, nil, 1...1)
    add("let", nil, nil, 1...many)
    add("coalesce", nil, nil, 1...many)
    add("case", nil, nil, 3...many)
    add("match step interpolate", nil, nil, 4...many)
    return all
  }()
}
