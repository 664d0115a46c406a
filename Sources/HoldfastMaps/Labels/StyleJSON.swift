/// A value of a style, with which expressions and filters are evaluated.
///
/// - SeeAlso: <https://maplibre.org/maplibre-style-spec/expressions/>
indirect enum StyleJSON: Hashable, Sendable {
  case null
  case bool(Bool)
  case number(Double)
  case text(String)
  case array([StyleJSON])
  case object([String: StyleJSON])

  /// Reads a value of a document.
  init(_ value: JSONDocument.Value, in document: JSONDocument) {
    switch value.content {
    case .string(let text): self = .text(text)
    case .array(let elements): self = .array(elements.map { StyleJSON($0, in: document) })
    case .object(let members):
      self = .object(
        Dictionary(
          members.map { ($0.key, StyleJSON($0.value, in: document)) },
          uniquingKeysWith: { _, last in last }))
    case .other:
      if let number = document.number(value) {
        self = .number(number)
      } else {
        let word = document.bytes[value.range]
        self =
          word.elementsEqual("true".utf8)
          ? .bool(true) : word.elementsEqual("false".utf8) ? .bool(false) : .null
      }
    }
  }

  /// The text of a string; `nil` for another value.
  var text: String? { if case .text(let text) = self { text } else { nil } }

  /// Whether the value is a number.
  var isNumber: Bool { if case .number = self { true } else { false } }

  /// The value as JSON, as MapLibre writes it into a text; without the escapes, which are ASCII.
  var json: String {
    switch self {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .number(let number): Int(exactly: number).map { "\($0)" } ?? "\(number)"
    case .text(let text): "\"\(text)\""
    case .array(let elements): "[\(elements.map(\.json).joined(separator: ","))]"
    case .object(let members):
      "{\(members.sorted { $0.key < $1.key }.map { "\"\($0)\":\($1.json)" }.joined(separator: ","))}"
    }
  }

  /// The elements of an array; empty for another value.
  var elements: [StyleJSON] { if case .array(let elements) = self { elements } else { [] } }

  /// The name of the operator of an expression, and its arguments; `nil` for another value.
  var operation: (name: String, arguments: ArraySlice<StyleJSON>)? {
    guard case .text(let name)? = elements.first else { return nil }
    return (name, elements.dropFirst())
  }
}
