/// The rules for a layer's filter, in either of its two forms, which cannot be mixed.
///
/// - SeeAlso: <https://maplibre.org/maplibre-style-spec/deprecations/>, "Filter"
struct FilterRules {
  let version: RendererVersion

  /// Throws if MapLibre Native cannot read a filter.
  func check(_ filter: StyleJSON) throws(StyleFault) {
    if filter == .null { return }
    if isExpression(filter) {
      try ExpressionTyping(in: version).valueType(of: filter, expected: .flag)
    } else {
      try checkOldForm(filter)
    }
  }

  /// Returns whether a filter is an expression, and not in the older form.
  private func isExpression(_ filter: StyleJSON) -> Bool {
    guard let (name, list) = filter.operation else { return false }
    let arguments = Array(list)
    switch name {
    case "has":
      return arguments.first?.text.map { $0 != "$id" && $0 != "$type" } ?? false
    case "!in", "!has", "none": return false
    case "in":
      return arguments.count >= 2 && (arguments[0].text == nil || arguments[1].isList)
    case "==", "!=", "<", "<=", ">", ">=":
      return arguments.count != 2 || arguments[0].isList || arguments[1].isList
    case "any", "all": return arguments.allSatisfy { isExpression($0) || $0 == .bool(true) }
    default: return true
    }
  }

  private func checkOldForm(_ filter: StyleJSON) throws(StyleFault) {
    guard let (name, list) = filter.operation else {
      throw StyleFault(reason: "\(filter.clipped) is no condition")
    }
    let arguments = Array(list)
    guard !arguments.isEmpty else { return }
    switch name {
    case "any", "all", "none":
      for argument in arguments { try checkOldForm(argument) }
    case "==", "!=", "<", "<=", ">", ">=":
      let isValue = arguments.count == 2 && arguments[0].text != nil && arguments[1].isScalar
      let hasOrder = ["==", "!="].contains(name) || arguments.last?.isOrdered ?? false
      guard isValue, hasOrder else {
        throw StyleFault(
          reason:
            "\(filter.clipped) does not compare the name of an attribute with a value, as the "
            + "older form of filters does")
      }
    case "in", "!in":
      guard arguments[0].text != nil, arguments.dropFirst().allSatisfy(\.isScalar) else {
        throw StyleFault(
          reason:
            "\(filter.clipped) does not look for an attribute among values, which an expression "
            + "writes as [\"in\", …, [\"literal\", […]]]")
      }
    case "has", "!has":
      guard arguments[0].text != nil else {
        throw StyleFault(reason: "\(filter.clipped) does not name an attribute")
      }
    // Anything else is always true.
    default: break
    }
  }
}

extension StyleJSON {
  fileprivate var isList: Bool { if case .array = self { true } else { false } }

  fileprivate var isScalar: Bool {
    switch self {
    case .null, .bool, .number, .text: true
    case .array, .object: false
    }
  }

  fileprivate var isOrdered: Bool { isNumber || text != nil }
}
