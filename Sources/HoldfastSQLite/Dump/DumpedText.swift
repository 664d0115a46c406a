import Foundation

// The texts of values that the formats of dumps share.

extension DatabaseValue {
  /// Returns the value as text, with blobs and invalid bytes read as UTF-8.
  ///
  /// - Parameter nullValue: The text of NULL.
  /// - Returns: The text; of a number its digits.
  func text(nullValue: String) -> String {
    switch storage {
    case .null: nullValue
    case .int64(let value): "\(value)"
    case .double(let value): "\(value)"
    case .string(let value): value
    case .blob(let value): String(decoding: value, as: UTF8.self)
    }
  }

  /// The value in SQL, in characters that can be printed.
  ///
  /// A blob has the form of SQL's `quote`. Control characters of a text are written by SQL's `char`:
  /// SQLite would read none that follows a NUL, and others control a terminal. Bytes that are no text
  /// are a cast.
  var printableLiteral: String {
    if case .invalidText(let bytes) = content { return "CAST(\(bytes.blobLiteral) AS TEXT)" }
    return switch storage {
    case .blob(let value): value.blobLiteral
    case .string(let value) where value.unicodeScalars.contains(where: \.needsCharFunction):
      value.unicodeScalars.concatenation
    default: description
    }
  }
}

extension String.UnicodeScalarView {
  /// The text as a concatenation of literals and calls of `char`: `'n'||char(0,27)||'m'`.
  fileprivate var concatenation: String {
    // SQLite limits the number of a function's arguments, and the depth of an expression.
    let limit = 100
    var parts: [String] = []
    var rest = self[...]
    while let first = rest.first {
      if first.needsCharFunction {
        let run = rest.prefix { $0.needsCharFunction }.prefix(limit)
        parts.append("char(\(run.map { String($0.value) }.joined(separator: ",")))")
        rest = rest[run.endIndex...]
      } else {
        let run = rest.prefix { !$0.needsCharFunction }
        parts.append(String(run).quoted(by: "'"))
        rest = rest[run.endIndex...]
      }
    }
    while parts.count > limit {
      parts = stride(from: 0, to: parts.count, by: limit).map { start in
        let part = parts[start..<Swift.min(start + limit, parts.count)]
        return "(" + part.joined(separator: "||") + ")"
      }
    }
    return parts.joined(separator: "||")
  }
}

extension Data {
  /// The bytes as a literal of SQL: `X'00FF'`.
  var blobLiteral: String {
    let digits = Array("0123456789ABCDEF".utf8)
    let text = flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    return "X'\(String(decoding: text, as: UTF8.self))'"
  }
}

extension Unicode.Scalar {
  /// Whether the character controls a terminal, ends a line in some programs or reverses the text after
  /// it, instead of being shown; the line feed and tab do not count.
  var isUnprintable: Bool {
    switch self {
    case "\n", "\t": false
    case "\u{2028}"..."\u{202E}", "\u{2066}"..."\u{2069}": true
    default: properties.generalCategory == .control
    }
  }

  /// Whether the character is not written in a literal.
  fileprivate var needsCharFunction: Bool { isUnprintable || self == "\t" }
}
