/// Why MapLibre Native cannot read a part of a layer, for which it leaves out the layer.
struct StyleFault: Error {
  /// The end of a sentence.
  var reason: String
}

/// The versions of MapLibre Native that apps use, by what they read of styles.
enum RendererVersion: Sendable {
  case older, newer
}

/// The types of expressions, which MapLibre Native compares before it draws anything.
///
/// What is known only for a feature, such as the type of an attribute, is accepted.
///
/// - SeeAlso: <https://maplibre.org/maplibre-style-spec/expressions/>, "Type system"
struct ExpressionTyping {
  typealias ValueType = ExpressionSignature.ValueType

  let version: RendererVersion

  /// The types of the expressions that `let` names.
  private var scope: [String: ValueType] = [:]

  init(in version: RendererVersion) { self.version = version }

  /// Returns the type of an expression.
  ///
  /// - Parameters:
  ///   - expression: The expression, or a value.
  ///   - expected: The type that it must have, or become.
  /// - Returns: The type, which is `any` when it is not known.
  /// - Throws: ``StyleFault``.
  @discardableResult func valueType(
    of expression: StyleJSON, expected: ValueType = .any
  ) throws(StyleFault) -> ValueType {
    let type: ValueType
    switch expression {
    case .null: type = .null
    case .bool: type = .flag
    case .number: type = .number
    case .text(let text):
      // A placeholder, whose value is not known.
      if TemplateString.opens(text) { return .any }
      if expected == .color, !StyleColor.isColor(text, in: version) {
        throw StyleFault(reason: "'\(text)' is no color")
      }
      type = .text
    case .object: throw StyleFault(reason: "an object stands where an expression must be")
    case .array: type = try self.type(ofOperation: expression, expected)
    }
    guard Self.accepts(type, as: expected) else {
      throw StyleFault(
        reason: "\(expression.clipped) is a \(type.rawValue) where a \(expected.rawValue) must be")
    }
    return type
  }

  private static func accepts(_ type: ValueType, as expected: ValueType) -> Bool {
    switch (type, expected) {
    case (_, .any), (.any, _): true
    case (.text, .color), (.text, .label), (.text, .image): true
    case (.list, .vector), (.vector, .list): true
    default: type == expected
    }
  }

  private func type(
    ofOperation expression: StyleJSON, _ expected: ValueType
  ) throws(StyleFault) -> ValueType {
    guard let (name, list) = expression.operation else {
      throw StyleFault(reason: "\(expression.clipped) does not begin with an operator")
    }
    guard let signature = ExpressionSignature.all[name],
      version == .newer || !ExpressionSignature.newer.contains(name)
    else {
      throw StyleFault(reason: "the operator '\(name)' does not exist")
    }
    let arguments = Array(list)
    guard signature.count.contains(arguments.count) else {
      throw StyleFault(reason: "\(expression.clipped) has \(arguments.count) arguments")
    }
    if let type = signature.argument {
      for argument in arguments { try valueType(of: argument, expected: type) }
    }
    try examine(name, arguments, expression)
    if let type = signature.result { return type }
    return try self.type(ofChoice: name, arguments, expected, expression)
  }

  private static let comparisons: Set = ["==", "!=", "<", "<=", ">", ">="]
}

// MARK: - Operators with rules of their own

extension ExpressionTyping {
  /// Examines the arguments of an operator that the signature does not.
  private func examine(
    _ name: String, _ arguments: [StyleJSON], _ expression: StyleJSON
  ) throws(StyleFault) {
    switch name {
    case "get", "has":
      try valueType(of: arguments[0], expected: .text)
      if arguments.count == 2 { try valueType(of: arguments[1], expected: .object) }
    case "at":
      try valueType(of: arguments[0], expected: .number)
      try valueType(of: arguments[1], expected: .list)
    case "join":
      try valueType(of: arguments[0], expected: .list)
      try valueType(of: arguments[1], expected: .text)
    case "length":
      guard [.any, .text, .list, .vector].contains(try valueType(of: arguments[0])) else {
        throw StyleFault(reason: "\(expression.clipped) has no length")
      }
    case _ where Self.comparisons.contains(name): try examineComparison(name, arguments, expression)
    case "number-format":
      try valueType(of: arguments[0], expected: .number)
      try examineOptions(arguments[1], expression)
    case "collator", "within", "distance": try examineOptions(arguments[0], expression)
    case "array": try valueType(of: arguments[arguments.count - 1])
    case "format": try examineSections(arguments, expression)
    default: break
    }
  }

  private func examineOptions(_ value: StyleJSON, _ expression: StyleJSON) throws(StyleFault) {
    guard case .object = value else {
      throw StyleFault(reason: "\(expression.clipped) has no object where one must be")
    }
  }

  private func examineComparison(
    _ name: String, _ arguments: [StyleJSON], _ expression: StyleJSON
  ) throws(StyleFault) {
    var types: [ValueType] = []
    for argument in arguments.prefix(2) { types.append(try valueType(of: argument)) }
    if arguments.count == 3 { try valueType(of: arguments[2], expected: .collator) }
    let comparable: [ValueType] =
      ["==", "!="].contains(name)
      ? [.any, .null, .number, .text, .flag] : [.any, .number, .text]
    let known = types.filter { $0 != .any }
    guard types.allSatisfy(comparable.contains), Set(known).count < 2,
      arguments.count < 3 || known.allSatisfy({ $0 == .text })
    else {
      throw StyleFault(reason: "\(expression.clipped) compares what cannot be compared")
    }
  }

  /// Examines the sections of "format": each a content, with options after it.
  private func examineSections(
    _ arguments: [StyleJSON], _ expression: StyleJSON
  ) throws(StyleFault) {
    var hasContent = false
    for argument in arguments {
      if case .object(let options) = argument {
        guard hasContent else {
          throw StyleFault(reason: "\(expression.clipped) has options without a text before them")
        }
        hasContent = false
        if let scale = options["font-scale"] { try valueType(of: scale, expected: .number) }
        if let font = options["text-font"] { try valueType(of: font, expected: .list) }
        if let color = options["text-color"] { try valueType(of: color, expected: .color) }
        continue
      }
      hasContent = true
      try valueType(of: argument)
    }
  }

  /// Returns the type of the result that is one of the arguments.
  private func type(
    ofChoice name: String, _ arguments: [StyleJSON], _ expected: ValueType, _ expression: StyleJSON
  ) throws(StyleFault) -> ValueType {
    switch name {
    case "literal":
      switch arguments[0] {
      case .array(let elements):
        let areNumbers = elements.allSatisfy { if case .number = $0 { true } else { false } }
        return areNumbers ? .vector : .list
      case .object: return .object
      default: return try valueType(of: arguments[0], expected: expected)
      }
    case "let": return try self.type(ofLet: arguments, expected, expression)
    case "var":
      guard let type = arguments[0].text.flatMap({ scope[$0] }) else {
        throw StyleFault(reason: "\(expression.clipped) is a name that no 'let' gives")
      }
      return type
    case "coalesce": return try self.type(ofOutputs: arguments, expected)
    case "case":
      guard !arguments.count.isMultiple(of: 2) else { throw Self.noFallback(expression) }
      for index in stride(from: 0, to: arguments.count - 1, by: 2) {
        try valueType(of: arguments[index], expected: .flag)
      }
      let outputs = stride(from: 1, to: arguments.count, by: 2).map { arguments[$0] }
      return try self.type(ofOutputs: outputs + [arguments[arguments.count - 1]], expected)
    case "match": return try self.type(ofMatch: arguments, expected, expression)
    case "step": return try self.type(ofStep: arguments, expected, expression)
    case "interpolate": return try self.type(ofInterpolation: arguments, expected, expression)
    default: return .any
    }
  }

  private static func noFallback(_ expression: StyleJSON) -> StyleFault {
    StyleFault(reason: "\(expression.clipped) has no output for all other cases")
  }

  /// Returns the type that all outputs have: the expected one, or that of the first.
  private func type(
    ofOutputs outputs: [StyleJSON], _ expected: ValueType
  ) throws(StyleFault) -> ValueType {
    var common: ValueType? = expected == .any ? nil : expected
    for output in outputs {
      let type = try valueType(of: output, expected: common ?? .any)
      common = common ?? type
    }
    return common ?? .any
  }

  private func type(
    ofLet arguments: [StyleJSON], _ expected: ValueType, _ expression: StyleJSON
  ) throws(StyleFault) -> ValueType {
    guard !arguments.count.isMultiple(of: 2) else {
      throw StyleFault(reason: "\(expression.clipped) has a name without a value")
    }
    var inner = self
    for index in stride(from: 0, to: arguments.count - 1, by: 2) {
      guard let name = arguments[index].text else {
        throw StyleFault(reason: "\(expression.clipped) has a name that is no text")
      }
      inner.scope[name] = try valueType(of: arguments[index + 1])
    }
    return try inner.valueType(of: arguments[arguments.count - 1], expected: expected)
  }

  private func type(
    ofMatch arguments: [StyleJSON], _ expected: ValueType, _ expression: StyleJSON
  ) throws(StyleFault) -> ValueType {
    guard arguments.count.isMultiple(of: 2) else { throw Self.noFallback(expression) }
    var labels: Set<StyleJSON> = []
    var labelType: ValueType?
    for index in stride(from: 1, to: arguments.count - 1, by: 2) {
      let branch: [StyleJSON]
      if case .array(let elements) = arguments[index] {
        branch = elements
      } else {
        branch = [arguments[index]]
      }
      guard !branch.isEmpty else {
        throw StyleFault(reason: "\(expression.clipped) has an empty list of values")
      }
      for label in branch {
        let type: ValueType
        switch label {
        case .text: type = .text
        case .number(let number) where Int(exactly: number) != nil: type = .number
        default:
          throw StyleFault(
            reason: "\(expression.clipped) compares with \(label.clipped), which is no text and no "
              + "whole number")
        }
        guard labelType == nil || labelType == type else {
          throw StyleFault(reason: "\(expression.clipped) compares with texts and with numbers")
        }
        labelType = type
        guard labels.insert(label).inserted else {
          throw StyleFault(reason: "\(expression.clipped) has \(label.clipped) twice")
        }
      }
    }
    try valueType(of: arguments[0], expected: labelType ?? .any)
    let outputs = stride(from: 2, to: arguments.count - 1, by: 2).map { arguments[$0] }
    return try self.type(ofOutputs: outputs + [arguments[arguments.count - 1]], expected)
  }

  private func type(
    ofStep arguments: [StyleJSON], _ expected: ValueType, _ expression: StyleJSON
  ) throws(StyleFault) -> ValueType {
    try valueType(of: arguments[0], expected: .number)
    try examineStops(stride(from: 2, to: arguments.count, by: 2).map { arguments[$0] }, expression)
    guard arguments.count.isMultiple(of: 2) else {
      throw StyleFault(reason: "\(expression.clipped) has a stop without an output")
    }
    return try type(
      ofOutputs: stride(from: 1, to: arguments.count, by: 2).map { arguments[$0] }, expected)
  }

  private func type(
    ofInterpolation arguments: [StyleJSON], _ expected: ValueType, _ expression: StyleJSON
  ) throws(StyleFault) -> ValueType {
    let kind = arguments[0].operation
    let isKnown =
      switch kind?.name {
      case "linear": true
      case "exponential": kind?.arguments.count == 1
      case "cubic-bezier": kind?.arguments.count == 4
      default: false
      }
    guard isKnown else {
      throw StyleFault(reason: "\(expression.clipped) has no kind of interpolation that exists")
    }
    try valueType(of: arguments[1], expected: .number)
    try examineStops(stride(from: 2, to: arguments.count, by: 2).map { arguments[$0] }, expression)
    guard arguments.count.isMultiple(of: 2) else {
      throw StyleFault(reason: "\(expression.clipped) has a stop without an output")
    }
    let type = try type(
      ofOutputs: stride(from: 3, to: arguments.count, by: 2).map { arguments[$0] }, expected)
    guard [.any, .number, .color, .vector].contains(type) else {
      throw StyleFault(reason: "\(expression.clipped) interpolates what lies between nothing")
    }
    return type
  }

  private func examineStops(_ stops: [StyleJSON], _ expression: StyleJSON) throws(StyleFault) {
    var last = -Double.infinity
    for stop in stops {
      guard case .number(let number) = stop, number > last else {
        throw StyleFault(reason: "\(expression.clipped) has stops that do not ascend")
      }
      last = number
    }
  }
}

extension StyleJSON {
  /// The beginning of the value as JSON, for a sentence.
  var clipped: String {
    let start = json.unicodeScalars.prefix(60)
    return "'\(String(start))\(start.endIndex < json.unicodeScalars.endIndex ? "…" : "")'"
  }
}
