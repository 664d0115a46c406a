import Foundation

// The texts of values that the formats of dumps share.

extension DatabaseValue {
  /// Returns the value as text, with blobs and invalid bytes read as UTF-8.
  ///
  /// - Parameter nullValue: The text of NULL.
  /// - Returns: The text.
  func text(nullValue: String) -> String {
    switch storage {
    case .null: nullValue
    case .int64(let value): "\(value)"
    case .double(let value): "\(value)"
    case .string(let value): value
    case .blob(let value): String(decoding: value, as: UTF8.self)
    }
  }

  /// The value as a SQL literal of characters that can be printed.
  ///
  /// A blob has the form of SQL's `quote`. A text with control characters is a cast of its bytes:
  /// SQLite would read none that follows a NUL, and others control a terminal.
  var printableLiteral: String {
    if case .invalidText(let bytes) = content { return "CAST(\(bytes.blobLiteral) AS TEXT)" }
    return switch storage {
    case .blob(let value): value.blobLiteral
    case .string(let value) where value.unicodeScalars.contains(where: \.isUnprintable):
      "CAST(\(Data(value.utf8).blobLiteral) AS TEXT)"
    default: description
    }
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
  /// Whether the character controls a terminal instead of being shown; the line feed and tab do not count.
  var isUnprintable: Bool {
    properties.generalCategory == .control && self != "\n" && self != "\t"
  }
}
