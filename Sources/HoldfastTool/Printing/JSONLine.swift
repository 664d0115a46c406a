import Foundation

// Written by hand because Foundation's encoders do not keep the order of keys and buffer the whole
// result.

extension Record {
  /// This record as a JSON object on one line.
  var json: String {
    var line = ""
    writeJSON(to: &line)
    return line
  }

  fileprivate func writeJSON(to line: inout String) {
    line += "{"
    for (index, field) in fields.enumerated() {
      if index > 0 { line += "," }
      field.key.writeJSON(to: &line)
      line += ":"
      field.cell.writeJSON(to: &line)
    }
    line += "}"
  }
}

extension Cell {
  /// Appends this value as JSON.
  ///
  /// Numbers have the shortest form that parses to the same number; infinities and NaN, which JSON
  /// cannot represent, are null. A blob is `{"blob":"<base64>"}`, so that no text looks like one.
  fileprivate func writeJSON(to line: inout String) {
    switch self {
    case .null: line += "null"
    case .bool(let value): line += value ? "true" : "false"
    case .integer(let value): line += String(value)
    case .real(let value): line += value.isFinite ? "\(value)" : "null"
    case .text(let value): value.writeJSON(to: &line)
    case .blob(let value): line += "{\"blob\":\"\(value.base64EncodedString())\"}"
    case .record(let value): value.writeJSON(to: &line)
    case .list(let values):
      line += "["
      for (index, value) in values.enumerated() {
        if index > 0 { line += "," }
        value.writeJSON(to: &line)
      }
      line += "]"
    }
  }
}

extension String {
  fileprivate func writeJSON(to line: inout String) {
    line += "\""
    if utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C }) {
      line += self
    } else {
      for scalar in unicodeScalars {
        switch scalar {
        case "\"": line += "\\\""
        case "\\": line += "\\\\"
        default: line += scalar.escapedControl ?? String(scalar)
        }
      }
    }
    line += "\""
  }

  /// This text on one line and safe for a terminal: control characters are escaped as in JSON.
  var escapingControls: String {
    guard unicodeScalars.contains(where: { $0.escapedControl != nil }) else { return self }
    return unicodeScalars.reduce(into: "") { $0 += $1.escapedControl ?? String($1) }
  }

  /// This text, safe for a terminal, with its line feeds.
  var escapingControlsInLines: String {
    guard unicodeScalars.contains(where: { $0 != "\n" && $0.escapedControl != nil }) else {
      return self
    }
    return unicodeScalars.reduce(into: "") { text, scalar in
      text += scalar == "\n" ? "\n" : scalar.escapedControl ?? String(scalar)
    }
  }
}

extension Unicode.Scalar {
  /// The escape sequence of a character that must not be printed as it is; `nil` for all others.
  ///
  /// JSON requires it below U+0020. DEL and U+0080 to U+009F control terminals, and U+2028 and
  /// U+2029 end a line in some readers. The directional controls, U+202A to U+202E and U+2066 to
  /// U+2069, would let a name reverse the text printed after it.
  fileprivate var escapedControl: String? {
    switch self {
    case "\n": return "\\n"
    case "\r": return "\\r"
    case "\t": return "\\t"
    case "\u{0}"..<"\u{20}", "\u{7F}"..."\u{9F}", "\u{2028}"..."\u{202E}",
      "\u{2066}"..."\u{2069}":
      let digits = String(value, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    default: return nil
    }
  }
}
