/// A text that a label may show, with the fonts in which it is written.
struct LabelText: Hashable, Sendable {
  var text: String

  /// The fonts, the first one first; `nil` for the fonts of the layer.
  var fonts: [String]?
}

extension StyleExpression {
  /// Returns all texts of which a label may consist, whatever the zoom level is: parts of one text, or one or the other.
  ///
  /// - SeeAlso: <https://maplibre.org/maplibre-style-spec/layers/#text-field>
  func labelTexts(_ field: StyleJSON) -> [LabelText] {
    switch field {
    case .text(let text): return [LabelText(text: replacingTokens(text))]
    case .object(let function): return functionOutputs(function).flatMap(labelTexts)
    // An error empties the whole label.
    default: return isError(field) ? [] : texts(field)
    }
  }

  private func texts(_ expression: StyleJSON) -> [LabelText] {
    if let value = value(expression) {
      return [Self.text(value), Self.otherText(value) ?? ""].filter { !$0.isEmpty }
        .map { LabelText(text: $0) }
    }
    guard let (name, arguments) = expression.operation else { return [] }
    switch name {
    case "get":
      // The name of the attribute depends on what is not known, or it is one of another object.
      return feature.attributes.values.compactMap(\.text).map { LabelText(text: $0) }
    case "format": return sections(Array(arguments))
    case "image": return []
    case "number-format":
      return StyleOperator.unknownTexts(in: expression).isEmpty ? [Self.digits] : []
    case "upcase": return arguments.flatMap(texts).map { $0.changed { $0.uppercased() } }
    case "downcase": return arguments.flatMap(texts).map { $0.changed { $0.lowercased() } }
    case "slice": return arguments.prefix(1).flatMap(texts)
    default:
      if StyleOperator.plain.contains(name) {
        // The zoom level is allowed at the top only; elsewhere MapLibre Native ignores the whole field.
        return StyleOperator.usesZoom(expression) ? [] : [Self.digits]
      }
      let texts = outputs(expression).flatMap { $1.texts($0) }
      // A plain text has no fonts of its own.
      let isPlain = ExpressionSignature.all[name]?.result == .text
      return isPlain ? texts.map { LabelText(text: $0.text) } : texts
    }
  }

  /// What stands for a number, and for any other text of ASCII.
  private static let digits = LabelText(text: "0123456789.,-")

  private func sections(_ arguments: [StyleJSON]) -> [LabelText] {
    var sections: [LabelText] = []
    for (index, argument) in arguments.enumerated() {
      if case .object = argument { continue }
      var fonts: [[String]?] = [nil]
      if index + 1 < arguments.count, case .object(let options) = arguments[index + 1],
        let override = options["text-font"]
      {
        fonts = fontStacks(override)
      }
      for text in texts(argument) {
        sections += fonts.map { LabelText(text: text.text, fonts: $0 ?? text.fonts) }
      }
    }
    return sections
  }

  /// Returns the stacks of fonts that may be used for the feature.
  ///
  /// - SeeAlso: <https://maplibre.org/maplibre-style-spec/layers/#text-font>
  func fontStacks(_ value: StyleJSON) -> [[String]] {
    switch value {
    case .object(let function): return functionOutputs(function).flatMap(fontStacks)
    case .array(let elements):
      if let (name, arguments) = value.operation, StyleOperator.exists(name) {
        if name == "literal" { return arguments.flatMap(fontStacks) }
        return outputs(value).flatMap { $1.fontStacks($0) }
      }
      let fonts = elements.compactMap(\.text)
      return fonts.isEmpty || fonts.count < elements.count ? [] : [fonts]
    default: return []
    }
  }

  /// Returns the outputs of an expression of which one is chosen or all are joined, each with its evaluation; none for
  /// another expression.
  private func outputs(_ expression: StyleJSON) -> [(StyleJSON, StyleExpression)] {
    guard let (name, list) = expression.operation else { return [] }
    let arguments = Array(list)
    let chosen: [StyleJSON]
    switch name {
    case "case":
      var branches: [StyleJSON] = []
      var isDecided = false
      for index in stride(from: 0, to: arguments.count - 1, by: 2) where !isDecided {
        let condition = value(arguments[index])
        if condition != .bool(false) { branches.append(arguments[index + 1]) }
        isDecided = condition == .bool(true)
      }
      chosen = branches + (isDecided ? [] : arguments.suffix(1))
    case "match":
      chosen =
        choice(ofMatch: list).map { [$0] }
        ?? stride(from: 2, to: arguments.count, by: 2).map { arguments[$0] } + arguments.suffix(1)
    case "step":
      chosen =
        choice(ofStep: list).map { [$0] }
        ?? stride(from: 1, to: arguments.count, by: 2).map { arguments[$0] }
    case "coalesce":
      var parts: [StyleJSON] = []
      for argument in arguments {
        let known = value(argument)
        if known == .null { continue }
        parts.append(argument)
        if known != nil || argument.operation.map({ StyleOperator.isNeverNull($0.name) }) == true {
          break
        }
      }
      chosen = parts
    case "concat", "to-string", "string", "join", "split": chosen = arguments
    case "at":
      let items = arguments.last.flatMap(value)?.elements ?? []
      var index: Int?
      if case .number(let number)? = arguments.first.flatMap(value) {
        index = Int(exactly: number)
      }
      // Any of them, where the index is not known.
      let chosenItems = index.map { items.indices.contains($0) ? [items[$0]] : [] } ?? items
      chosen = chosenItems.map { .array([.text("literal"), $0]) }
    case "array", "object": chosen = arguments.suffix(1)
    case "let":
      let inner = naming(list.dropLast())
      return arguments.suffix(1).map { ($0, inner) }
    case "var": return named(list).map { [$0] } ?? []
    default: chosen = []
    }
    return chosen.map { ($0, self) }
  }

  /// Returns the outputs of a function, the older form of an expression.
  ///
  /// - SeeAlso: <https://maplibre.org/maplibre-style-spec/deprecations/>, "Function"
  private func functionOutputs(_ function: [String: StyleJSON]) -> [StyleJSON] {
    if let stops = function["stops"] {
      let keys = stops.elements.compactMap { $0.elements.first }
      // Of a function of an attribute and the zoom level, a key is an object.
      if let name = function["property"]?.text, function["type"]?.text == "categorical",
        let value = feature.attributes[name], let index = keys.firstIndex(of: value)
      {
        return Array(stops.elements[index].elements.suffix(1))
      }
      return stops.elements.compactMap { $0.elements.last }
        + (function["default"].map { [$0] } ?? [])
    }
    guard let key = function["property"]?.text, let value = feature.attributes[key] else {
      return function["default"].map { [$0] } ?? []
    }
    return [value]
  }

  /// Returns a text in which `{name}` is replaced by the feature's attribute.
  private func replacingTokens(_ text: String) -> String {
    var result = ""
    var rest = text[...]
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      result += rest[..<open]
      let key = String(rest[rest.index(after: open)..<close])
      result += feature.attributes[key].map(Self.text) ?? ""
      rest = rest[rest.index(after: close)...]
    }
    return result + rest
  }
}

extension StyleExpression {
  /// Returns the names of images of which one is drawn for the feature, as far as they are known.
  func imageNames(_ value: StyleJSON) -> [String] {
    switch value {
    case .text(let text): return [replacingTokens(text)]
    case .object(let function): return functionOutputs(function).flatMap(imageNames)
    default:
      if let name = self.value(value) { return Self.knownText(name).map { [$0] } ?? [] }
      switch value.operation?.name {
      case "image":
        return value.operation?.arguments.compactMap(self.value).compactMap(Self.knownText) ?? []
      // The first one that exists.
      case "coalesce": return []
      default: return outputs(value).flatMap { $1.imageNames($0) }
      }
    }
  }
}

extension LabelText {
  fileprivate func changed(_ change: (String) -> String) -> LabelText {
    LabelText(text: change(text), fonts: fonts)
  }
}
