/// The evaluation of a layer's filter, in either of its two forms.
///
/// - SeeAlso: <https://maplibre.org/maplibre-style-spec/deprecations/>, "Filter"
struct StyleFilter {
  let expression: StyleExpression

  /// Returns whether the filter may let the feature through; true when that is not known.
  func mayPass(_ filter: StyleJSON?) -> Bool { filter.flatMap(result) ?? true }

  private func result(_ filter: StyleJSON) -> Bool? {
    if case .bool(let value) = filter { return value }
    guard let (name, list) = filter.operation else { return nil }
    let arguments = Array(list)
    switch name {
    case "all", "any":
      let isAll = name == "all"
      let results = arguments.map(result)
      if results.contains(!isAll) { return !isAll }
      return results.contains(nil) ? nil : isAll
    case "none":
      let results = arguments.map(result)
      return results.contains(true) ? false : results.contains(nil) ? nil : true
    case "!in": return isIn(arguments).map { !$0 }
    case "!has": return has(arguments.first).map { !$0 }
    case "has" where arguments.first?.text?.utf8.first == UInt8(ascii: "$"):
      return has(arguments.first)
    case "in" where !Self.isExpression(in: arguments): return isIn(arguments)
    case "==", "!=", "<", "<=", ">", ">=":
      guard arguments.count == 2, let key = arguments[0].text, arguments[1].operation == nil else {
        break
      }
      guard let known = attribute(key) else { return nil }
      // An attribute that is absent equals nothing.
      guard let value = known else { return name == "!=" }
      return StyleExpression.compare(name, value, arguments[1]) ?? false
    default: break
    }
    if expression.isError(filter) { return false }
    guard case .bool(let value)? = expression.value(filter) else { return nil }
    return value
  }

  private static func isExpression(in arguments: [StyleJSON]) -> Bool {
    guard arguments.count >= 2 else { return false }
    if arguments[0].text == nil { return true }
    if case .array = arguments[1] { return true }
    return false
  }

  /// Returns the value of an attribute, an inner `nil` when the feature has none; `nil` when it is not known.
  private func attribute(_ key: String) -> StyleJSON?? {
    switch key {
    case "$type": expression.feature.geometryType.map { .text($0) }
    case "$id": nil
    default: .some(expression.feature.attributes[key])
    }
  }

  private func has(_ key: StyleJSON?) -> Bool? {
    key?.text.flatMap(attribute).map { $0 != nil }
  }

  private func isIn(_ arguments: [StyleJSON]) -> Bool? {
    guard let key = arguments.first?.text, let known = attribute(key) else { return nil }
    guard let value = known else { return false }
    return arguments.dropFirst().contains(value)
  }
}
