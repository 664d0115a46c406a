import Foundation

// Written by hand because Foundation's encoders do not keep the order of keys and buffer the whole
// result.

extension OutputRecord {
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
    case .unsigned(let value): line += String(value)
    case .real(let value): line += value.isFinite ? "\(value)" : "null"
    case .text(let value): value.writeJSON(to: &line)
    case .instant(let value): value.iso8601.writeJSON(to: &line)
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
    // The pieces between what is escaped are appended as a whole.
    var start = utf8.startIndex
    var index = start
    while index < utf8.endIndex {
      let byte = utf8[index]
      guard byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || Self.mayBeginControl(byte)
      else {
        utf8.formIndex(after: &index)
        continue
      }
      let scalar = unicodeScalars[index]
      let next = unicodeScalars.index(after: index)
      let escaped = scalar == "\"" ? "\\\"" : scalar == "\\" ? "\\\\" : scalar.escapedControl
      if let escaped {
        line += self[start..<index]
        line += escaped
        start = next
      }
      index = next
    }
    line += self[start...]
    line += "\""
  }

  /// This text on one line and safe for a terminal: control characters are escaped as in JSON.
  var escapingControls: String {
    guard mayHaveControls, unicodeScalars.contains(where: { $0.escapedControl != nil }) else {
      return self
    }
    return unicodeScalars.reduce(into: "") { $0 += $1.escapedControl ?? String($1) }
  }

  private var mayHaveControls: Bool { utf8.contains { Self.mayBeginControl($0) } }

  /// Whether a character that is escaped may begin with a byte: U+0080 does with C2, U+2028 with E2.
  private static func mayBeginControl(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == 0x7F || byte == 0xC2 || byte == 0xE2
  }

  /// This text, safe for a terminal, with its line feeds.
  var escapingControlsInLines: String {
    guard mayHaveControls,
      unicodeScalars.contains(where: { $0 != "\n" && $0.escapedControl != nil })
    else { return self }
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
