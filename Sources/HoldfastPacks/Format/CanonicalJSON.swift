import HoldfastFiles

/// A JSON value that is written as the same bytes each time.
///
/// Keys are ordered by their bytes, objects and arrays have a line per element, two spaces indent,
/// and the text ends with a line feed. Foundation's writers promise no order and no escapes that
/// would be the same on all systems.
enum CanonicalJSON {
  case string(String)
  case number(Int64)
  case array([CanonicalJSON])
  case object([String: CanonicalJSON])

  /// The value as UTF-8.
  var bytes: [UInt8] {
    var text = ""
    write(to: &text, indent: "")
    return Array((text + "\n").utf8)
  }

  private func write(to text: inout String, indent: String) {
    switch self {
    case .string(let value): Self.write(value, to: &text)
    case .number(let value): text += "\(value)"
    case .array(let values):
      Self.write(values, between: ("[", "]"), to: &text, indent) { value, text, indent in
        value.write(to: &text, indent: indent)
      }
    case .object(let values):
      let members = values.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      Self.write(members, between: ("{", "}"), to: &text, indent) { member, text, indent in
        Self.write(member.key, to: &text)
        text += ": "
        member.value.write(to: &text, indent: indent)
      }
    }
  }

  private static func write<Element>(
    _ elements: [Element], between brackets: (String, String), to text: inout String,
    _ indent: String, element: (Element, inout String, String) -> Void
  ) {
    text += brackets.0
    for (number, next) in elements.enumerated() {
      text += (number == 0 ? "\n" : ",\n") + indent + "  "
      element(next, &text, indent + "  ")
    }
    text += (elements.isEmpty ? "" : "\n" + indent) + brackets.1
  }

  private static func write(_ value: String, to text: inout String) {
    text += "\""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\u{0}"..."\u{1F}", "\u{7F}": text += "\\u00" + HexText.text([UInt8(scalar.value)])
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}
