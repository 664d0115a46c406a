/// The evaluation of expressions for a feature, where the zoom level and all else that changes with the map is not known.
///
/// An unknown value is `nil`. It is better to know less than to be wrong: known values get a file refused.
///
/// - SeeAlso: <https://maplibre.org/maplibre-style-spec/expressions/>
struct StyleExpression {
  let feature: StyleFeature

  /// The expressions that `let` names.
  private var scope: [String: StyleJSON] = [:]
  private var depth = 0

  init(_ feature: StyleFeature) { self.feature = feature }

  /// Returns an evaluation in which `let` has named expressions.
  func naming(_ arguments: ArraySlice<StyleJSON>) -> StyleExpression {
    var inner = self
    let pairs = Array(arguments)
    for index in stride(from: 0, to: pairs.count - 1, by: 2) {
      if let name = pairs[index].text { inner.scope[name] = pairs[index + 1] }
    }
    return inner
  }

  /// Returns what a name of `let` stands for, and the evaluation for it; `nil` when it stands for too much.
  func named(_ arguments: ArraySlice<StyleJSON>) -> (StyleJSON, StyleExpression)? {
    // Two names may stand for each other.
    guard depth < 8, let expression = arguments.first?.text.flatMap({ scope[$0] }) else {
      return nil
    }
    var inner = self
    inner.depth += 1
    return (expression, inner)
  }

  /// Returns the value of an expression; `nil` when it is not known.
  func value(_ expression: StyleJSON) -> StyleJSON? {
    switch expression {
    case .null, .bool, .number, .text: return expression
    case .object: return nil
    case .array: break
    }
    guard let (name, arguments) = expression.operation else { return nil }
    let first = arguments.first
    switch name {
    case "literal": return first
    case "get": return attribute(arguments)
    case "has":
      guard arguments.count == 1, let key = first.flatMap(value)?.text else { return nil }
      return .bool(feature.attributes[key] != nil)
    case "properties": return .object(feature.attributes)
    case "array", "object":
      // What is asserted; a type and a length may come before.
      return arguments.last.flatMap(value)
    case "geometry-type": return feature.geometryType.map(StyleJSON.text)
    case "let": return arguments.last.flatMap { naming(arguments.dropLast()).value($0) }
    case "var": return named(arguments).flatMap { $1.value($0) }
    case "case": return choice(ofCase: arguments).flatMap(value)
    case "match": return choice(ofMatch: arguments).flatMap(value)
    case "step": return choice(ofStep: arguments).flatMap(value)
    case "coalesce":
      for argument in arguments {
        guard let found = value(argument) else { return nil }
        if found != .null { return found }
      }
      return .null
    case "!", "all", "any", "==", "!=", "<", "<=", ">", ">=", "in":
      return condition(name, arguments).map(StyleJSON.bool)
    default: return text(name, arguments) ?? number(name, arguments)
    }
  }

  private func attribute(_ arguments: ArraySlice<StyleJSON>) -> StyleJSON? {
    guard let key = arguments.first.flatMap(value)?.text else { return nil }
    // A second argument is another object than the attributes.
    guard arguments.count > 1 else { return feature.attributes[key] ?? .null }
    guard case .object(let members)? = arguments.last.flatMap(value) else { return nil }
    return members[key] ?? .null
  }

  // MARK: - Choices

  /// Returns the output of `case` that is chosen; `nil` when it is not known.
  func choice(ofCase arguments: ArraySlice<StyleJSON>) -> StyleJSON? {
    let branches = Array(arguments)
    for index in stride(from: 0, to: branches.count - 1, by: 2) {
      guard case .bool(let isChosen)? = value(branches[index]) else { return nil }
      if isChosen { return branches[index + 1] }
    }
    return branches.count.isMultiple(of: 2) ? nil : branches.last
  }

  /// Returns the output of `match` that is chosen; `nil` when it is not known.
  func choice(ofMatch arguments: ArraySlice<StyleJSON>) -> StyleJSON? {
    guard let input = arguments.first.flatMap(value) else { return nil }
    let branches = Array(arguments.dropFirst())
    for index in stride(from: 0, to: branches.count - 1, by: 2) {
      let labels = branches[index].elements
      if branches[index] == input || labels.contains(input) { return branches[index + 1] }
    }
    return branches.count.isMultiple(of: 2) ? nil : branches.last
  }

  /// Returns the output of `step` that is chosen; `nil` when it is not known.
  func choice(ofStep arguments: ArraySlice<StyleJSON>) -> StyleJSON? {
    guard case .number(let input)? = arguments.first.flatMap(value) else { return nil }
    let branches = Array(arguments.dropFirst())
    // MapLibre Native's input has 32 bits, so that 0.7 is below a stop at 0.7, and that of MapLibre GL JS has 64.
    var chosen = (branches.first, branches.first)
    for index in stride(from: 1, to: branches.count - 1, by: 2) {
      guard case .number(let stop) = branches[index] else { return nil }
      if stop <= input { chosen.0 = branches[index + 1] }
      if stop <= Double(Float(input)) { chosen.1 = branches[index + 1] }
    }
    return chosen.0 == chosen.1 ? chosen.0 : nil
  }

  // MARK: - Conditions

  private func condition(_ name: String, _ arguments: ArraySlice<StyleJSON>) -> Bool? {
    switch name {
    case "!":
      guard case .bool(let value)? = arguments.first.flatMap(value) else { return nil }
      return !value
    case "all", "any":
      let isAll = name == "all"
      var isKnown = true
      for argument in arguments {
        guard case .bool(let value)? = value(argument) else {
          isKnown = false
          continue
        }
        if value != isAll { return !isAll }
      }
      return isKnown ? isAll : nil
    case "in":
      guard let item = arguments.first.flatMap(value),
        let list = arguments.dropFirst().first.flatMap(value)
      else { return nil }
      if let text = list.text { return item.text.map { text.contains($0) } }
      return list.elements.contains(item)
    default:
      // A third argument is a collator.
      guard arguments.count == 2, let left = arguments.first.flatMap(value),
        let right = arguments.last.flatMap(value)
      else { return nil }
      return Self.compare(name, left, right)
    }
  }

  /// Returns the result of a comparison; `nil` for values that have no order.
  static func compare(_ name: String, _ left: StyleJSON, _ right: StyleJSON) -> Bool? {
    switch (name, left, right) {
    case ("==", _, _): left == right
    case ("!=", _, _): left != right
    case ("<", .number(let left), .number(let right)): left < right
    case ("<=", .number(let left), .number(let right)): left <= right
    case (">", .number(let left), .number(let right)): left > right
    case (">=", .number(let left), .number(let right)): left >= right
    case ("<", .text(let left), .text(let right)): left < right
    case ("<=", .text(let left), .text(let right)): left <= right
    case (">", .text(let left), .text(let right)): left > right
    case (">=", .text(let left), .text(let right)): left >= right
    default: nil
    }
  }

  // MARK: - Texts and numbers

  private func text(_ name: String, _ arguments: ArraySlice<StyleJSON>) -> StyleJSON? {
    switch name {
    case "concat":
      var text = ""
      for argument in arguments {
        guard let part = value(argument).flatMap(Self.knownText) else { return nil }
        text += part
      }
      return .text(text)
    case "upcase":
      return arguments.first.flatMap(value).flatMap(Self.knownText).map { .text($0.uppercased()) }
    case "downcase":
      return arguments.first.flatMap(value).flatMap(Self.knownText).map { .text($0.lowercased()) }
    case "to-string":
      return arguments.first.flatMap(value).flatMap(Self.knownText).map(StyleJSON.text)
    case "string":
      // The first argument that is a text.
      for argument in arguments {
        guard let found = value(argument) else { return nil }
        if found.text != nil { return found }
      }
      return nil
    default: return nil
    }
  }

  /// Returns the text that a value becomes in a label, as the specification has it.
  static func text(_ value: StyleJSON) -> String {
    switch value {
    case .null: ""
    case .text(let text): text
    case .bool, .number, .array, .object: value.json
    }
  }

  /// Returns the text that a value becomes; `nil` when it depends on the engine.
  static func knownText(_ value: StyleJSON) -> String? {
    otherText(value) == nil ? text(value) : nil
  }

  /// Returns the other text that MapLibre Native may write for a value: whole numbers that need more than 32 bits are
  /// the least of these, on some processors the greatest.
  static func otherText(_ value: StyleJSON) -> String? {
    guard case .number(let number) = value, number == number.rounded(),
      Int32(exactly: number) == nil
    else { return nil }
    return "\(Int32.min)"
  }

  private func number(_ name: String, _ arguments: ArraySlice<StyleJSON>) -> StyleJSON? {
    let values = arguments.map(value)
    switch (name, values.first ?? nil) {
    case ("to-number", .number(let number)), ("number", .number(let number)):
      return .number(number)
    case ("to-number", .text(let text)):
      // Each engine also takes other forms, or the beginning of a text.
      guard text.utf8.allSatisfy({ "+-.0123456789eE".utf8.contains($0) }) else { return nil }
      return Double(text).map(StyleJSON.number)
    case ("to-boolean", .some(let value)):
      return .bool(![.null, .bool(false), .number(0), .text("")].contains(value))
    case ("boolean", .bool(let value)): return .bool(value)
    case ("length", .text(let text)): return .number(Double(text.unicodeScalars.count))
    case ("length", .array(let elements)): return .number(Double(elements.count))
    default: return nil
    }
  }
}
