/// The rules for the values of a property: constants, expressions, and functions, their older form.
struct StyleValueRules {
  let property: StyleProperty
  let version: RendererVersion

  /// Throws if MapLibre Native cannot read a value.
  func check(_ value: StyleJSON) throws(StyleFault) {
    switch value {
    // As if it were absent.
    case .null: break
    case .object(let function): try check(function)
    case .array where isExpression(value): try check(expression: value)
    default: try checkConstant(value)
    }
  }

  /// Returns whether a list is an expression, and not a list of names or numbers.
  private func isExpression(_ value: StyleJSON) -> Bool {
    guard let name = value.operation?.name else { return false }
    return switch property.kind {
    case .fonts, .words, .anchorOffsets, .oneOrMoreColors: ExpressionSignature.all[name] != nil
    default: true
    }
  }

  // MARK: - Constants

  private func checkConstant(_ value: StyleJSON) throws(StyleFault) {
    if let text = value.text, TemplateString.opens(text) { return }
    guard isRight(value) else {
      throw StyleFault(reason: "\(value.clipped) is no \(Self.name(of: property.kind))")
    }
  }

  private func isRight(_ value: StyleJSON) -> Bool {
    func isColor(_ value: StyleJSON) -> Bool {
      value.text.map { StyleColor.isColor($0, in: version) } ?? false
    }
    switch (property.kind, value) {
    case (.number, .number), (.flag, .bool), (.label, .text), (.image, .text),
      (.oneOrMoreNumbers, .number):
      return true
    case (.color, _): return isColor(value)
    case (.word(let words), .text(let text)): return words.contains(text)
    case (.words(let words), .array(let elements)):
      return elements.allSatisfy { $0.text.map(words.contains) ?? false }
    case (.numbers(let count), .array(let elements)):
      return elements.allSatisfy(\.isNumber) && elements.count == (count ?? elements.count)
    case (.fonts, .array(let elements)): return elements.allSatisfy { $0.text != nil }
    case (.oneOrMoreNumbers, .array(let elements)):
      return version == .newer && elements.allSatisfy(\.isNumber)
    case (.oneOrMoreColors, .array(let elements)):
      return version == .newer && elements.allSatisfy(isColor)
    case (.oneOrMoreColors, _): return isColor(value)
    case (.anchorOffsets, .array): return true
    default: return false
    }
  }

  private static func name(of kind: StyleProperty.Kind) -> String {
    switch kind {
    case .number, .oneOrMoreNumbers: "number"
    case .flag: "true or false"
    case .color, .oneOrMoreColors: "color that it reads"
    case .label: "text"
    case .image: "name of an image"
    case .word(let words): "one of \(words.joined(separator: ", "))"
    case .words(let words): "list of \(words.joined(separator: ", "))"
    case .numbers(let count): count.map { "list of \($0) numbers" } ?? "list of numbers"
    case .fonts: "list of fonts"
    case .ramp: "expression"
    case .anchorOffsets: "list of places and offsets"
    }
  }

  // MARK: - Expressions

  private var expectedType: ExpressionSignature.ValueType {
    switch property.kind {
    case .number: .number
    case .flag: .flag
    case .color, .ramp: .color
    case .label: .label
    case .image: .image
    case .word: .text
    case .words, .fonts, .numbers(nil): .list
    case .numbers: .vector
    case .oneOrMoreNumbers, .oneOrMoreColors, .anchorOffsets: .any
    }
  }

  private func check(expression value: StyleJSON) throws(StyleFault) {
    if let (name, arguments) = value.operation, name == "literal", arguments.count == 1 {
      return try checkConstant(arguments.first ?? .null)
    }
    let type = try ExpressionTyping(in: version).valueType(of: value, expected: expectedType)
    if case .numbers(nil) = property.kind, value.operation?.name == "interpolate", type == .list {
      throw StyleFault(reason: "\(value.clipped) interpolates lists of any length")
    }
    if case .ramp = property.kind {
      guard !value.dependsOnFeatures, !StyleOperator.usesZoom(value) else {
        throw StyleFault(reason: "\(value.clipped) depends on features or the zoom level")
      }
      return
    }
    guard property.isFeatured(in: version) || !value.dependsOnFeatures else {
      throw StyleFault(reason: "\(value.clipped) depends on features, which is not possible there")
    }
    guard value.hasPlainZoom else {
      throw StyleFault(
        reason: "\(value.clipped) uses the zoom level elsewhere than as the input of an outermost "
          + "'step' or 'interpolate'")
    }
  }

  // MARK: - Functions

  private func check(_ function: [String: StyleJSON]) throws(StyleFault) {
    let name = function["property"]?.text
    if case .ramp = property.kind { throw StyleFault(reason: "it is an object") }
    if let attribute = function["property"], name == nil {
      throw StyleFault(reason: "\(attribute.clipped) is no name of an attribute")
    }
    guard property.isFeatured(in: version) || name == nil else {
      throw StyleFault(
        reason: "it depends on the attribute '\(name ?? "")', which is not possible there")
    }
    if let type = function["type"] {
      guard ["identity", "exponential", "interval", "categorical"].contains(type.text) else {
        throw StyleFault(reason: "\(type.clipped) is no type of a function")
      }
      guard name != nil || type.text == "exponential" || type.text == "interval" else {
        throw StyleFault(reason: "a function of the type \(type.clipped) needs a 'property'")
      }
      guard isInterpolated || type.text != "exponential" else {
        throw StyleFault(reason: "there is nothing between two values, as \(type.clipped) needs")
      }
      if type.text == "identity" { return }
    }
    if let base = function["base"], !base.isNumber {
      throw StyleFault(reason: "its 'base' is no number")
    }
    guard let stops = function["stops"]?.elements, !stops.isEmpty else {
      throw StyleFault(reason: "it is an object without 'stops'")
    }
    for stop in stops {
      guard stop.elements.count == 2 else {
        throw StyleFault(reason: "\(stop.clipped) is no stop of a function")
      }
      try check(output: stop.elements[1])
    }
    try check(
      inputs: stops.map { $0.elements[0] }, isCategorical: function["type"]?.text == "categorical",
      isOfAttribute: name != nil)
    if let value = function["default"] { try check(output: value) }
  }

  /// Whether MapLibre Native computes values between two of the property.
  private var isInterpolated: Bool {
    switch property.kind {
    case .flag, .label, .image, .word, .words, .numbers(nil), .fonts: false
    case .number, .color, .numbers, .oneOrMoreNumbers, .oneOrMoreColors, .ramp, .anchorOffsets:
      true
    }
  }

  /// Throws unless a function can compare its input with those of its stops: all are numbers, or those of
  /// categories of the kind that the first one has.
  private func check(
    inputs: [StyleJSON], isCategorical: Bool, isOfAttribute: Bool
  ) throws(StyleFault) {
    var values = inputs
    // Each stop names a zoom level, too.
    if isOfAttribute, case .object? = inputs.first {
      values = []
      for input in inputs {
        guard case .object(let members) = input, let value = members["value"],
          members["zoom"]?.isNumber == true
        else { throw StyleFault(reason: "\(input.clipped) is no zoom level with a value") }
        values.append(value)
      }
    }
    for value in values {
      switch (value, isCategorical ? values[0] : .number(0)) {
      case (.number, .number), (.text, .text), (.bool, .bool): continue
      case (_, .number) where !isCategorical:
        throw StyleFault(reason: "the stop at \(value.clipped) is at no number")
      case (_, .number), (_, .text), (_, .bool):
        throw StyleFault(
          reason: "the stops at \(values[0].clipped) and \(value.clipped) are of two types")
      default:
        throw StyleFault(
          reason: "the stop at \(value.clipped) is at no number, text or truth value")
      }
    }
  }

  private func check(output: StyleJSON) throws(StyleFault) {
    // Another word is known only when the map is drawn, and is ignored.
    if case .word = property.kind, output.text != nil { return }
    try checkConstant(output)
  }
}

extension StyleJSON {
  /// Whether an expression depends on a feature.
  var dependsOnFeatures: Bool {
    guard let (name, arguments) = operation, name != "literal" else { return false }
    switch name {
    case "properties", "geometry-type", "id", "feature-state", "within", "distance", "accumulated":
      return true
    // A second argument is another object than the attributes.
    case "get", "has": if arguments.count == 1 { return true }
    default: break
    }
    return arguments.contains(where: \.dependsOnFeatures)
  }

  /// Whether an expression does not use the zoom level, or once, where it is allowed.
  var hasPlainZoom: Bool {
    let count = zoomCount
    return count == 0 || count == 1 && isZoomCurve
  }

  private var zoomCount: Int {
    guard let (name, arguments) = operation, name != "literal" else { return 0 }
    return name == "zoom" ? 1 : arguments.reduce(0) { $0 + $1.zoomCount }
  }

  /// Whether an expression is a `step` or `interpolate` over the zoom level, or has that as its result.
  private var isZoomCurve: Bool {
    guard let (name, arguments) = operation else { return false }
    switch name {
    case "step": return arguments.first?.operation?.name == "zoom"
    case "interpolate": return arguments.dropFirst().first?.operation?.name == "zoom"
    case "let": return arguments.last?.isZoomCurve ?? false
    case "coalesce": return arguments.contains(where: \.isZoomCurve)
    default: return false
    }
  }
}
