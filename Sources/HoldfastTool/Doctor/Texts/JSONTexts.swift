/// A reader of all strings in JSON, with bounded memory.
///
/// It checks nothing: of a damaged file it finds the strings that can be found.
///
/// - SeeAlso: RFC 8259
struct JSONTexts: TextReader {
  let isSought: ([UInt8]) -> Bool
  private var keys = KeyPath()
  private var isInString = false
  private var content: [UInt8] = []
  private var isEscaped = false
  private var isKeyNext = false

  /// Whether a text is an array, an object or a string in JSON, judging by its ends.
  static func mayBeJSON(_ text: [UInt8]) -> Bool {
    guard let start = text.firstIndex(where: { $0 > 0x20 }) else { return false }
    let first = text[start]
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[") || isString(text[start...])
  }

  /// Whether a text, or the beginning of one, is a string in JSON alone; rows of CSV and sources begin with one.
  static func isString(_ text: ArraySlice<UInt8>) -> Bool {
    let quote = UInt8(ascii: "\"")
    guard text.first == quote else { return false }
    var isEscaped = false
    for (index, byte) in zip(text.indices, text).dropFirst() {
      if byte == quote, !isEscaped { return text[(index + 1)...].allSatisfy { $0 <= 0x20 } }
      isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
    }
    return true
  }

  /// Prepares to read texts.
  ///
  /// - Parameter isSought: Whether a text is visited; asked before its key is made, which takes longer.
  init(where isSought: @escaping ([UInt8]) -> Bool = { _ in true }) { self.isSought = isSought }

  mutating func read(_ bytes: ArraySlice<UInt8>, _ visit: (StoredText) throws -> Void) rethrows {
    for byte in bytes {
      if isInString {
        try readString(byte, visit)
      } else {
        readMark(byte)
      }
    }
  }

  mutating func end(_ visit: (StoredText) throws -> Void) rethrows {
    if isInString { try endString(visit) }
  }

  private mutating func readMark(_ byte: UInt8) {
    switch Unicode.Scalar(byte) {
    case "{":
      keys.begin(array: false)
      isKeyNext = true
    case "[":
      keys.begin(array: true)
      isKeyNext = false
    case "}", "]":
      keys.end()
      isKeyNext = false
    case ",": isKeyNext = !keys.isInArray
    case ":": isKeyNext = false
    case "\"": isInString = true
    default: break
    }
  }

  private mutating func readString(
    _ byte: UInt8, _ visit: (StoredText) throws -> Void
  ) rethrows {
    if isEscaped {
      isEscaped = false
    } else if byte == UInt8(ascii: "\\") {
      isEscaped = true
    } else if byte == UInt8(ascii: "\"") {
      return try endString(visit)
    }
    content.append(byte)
    guard content.count >= Self.longestText, !isEscaped else { return }
    let cut = Self.cut(content)
    try visit(StoredText(key: keys.text, text: Self.unescaped(content[..<cut])))
    content.removeFirst(cut)
  }

  private mutating func endString(_ visit: (StoredText) throws -> Void) rethrows {
    let isVisited = isVisited(content, escape: UInt8(ascii: "\\"))
    let text = isVisited || isKeyNext ? Self.unescaped(content[...]) : ""
    content.removeAll(keepingCapacity: true)
    isInString = false
    isEscaped = false
    // A key may be a path too, as in a dictionary by URL.
    if isVisited { try visit(StoredText(key: keys.text, text: text)) }
    if isKeyNext { keys.name(text) }
  }

  /// Returns the string with its escapes replaced; illegal ones stay.
  static func unescaped(_ bytes: ArraySlice<UInt8>) -> String {
    guard bytes.contains(UInt8(ascii: "\\")) else { return String(decoding: bytes, as: UTF8.self) }
    var text: [UInt8] = []
    var rest = bytes
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\"), let mark = rest.popFirst() else {
        text.append(byte)
        continue
      }
      switch Unicode.Scalar(mark) {
      case "n": text.append(0x0A)
      case "r": text.append(0x0D)
      case "t": text.append(0x09)
      case "b": text.append(0x08)
      case "f": text.append(0x0C)
      case "u": text += scalar(&rest)
      default: text.append(mark)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns the UTF-8 of `\uXXXX`, of which `\u` was read, or of two that form one character.
  private static func scalar(_ rest: inout ArraySlice<UInt8>) -> [UInt8] {
    guard var unit = unit(rest) else { return Array("\\u".utf8) }
    rest = rest.dropFirst(4)
    if unit & 0xFC00 == 0xD800, rest.starts(with: "\\u".utf8),
      let low = Self.unit(rest.dropFirst(2)),
      low & 0xFC00 == 0xDC00
    {
      rest = rest.dropFirst(6)
      unit = 0x10000 + (unit & 0x3FF) << 10 + low & 0x3FF
    }
    return Array(String(Unicode.Scalar(unit) ?? "\u{FFFD}").utf8)
  }

  private static func unit(_ bytes: ArraySlice<UInt8>) -> UInt32? {
    let digits = bytes.prefix(4)
    guard digits.count == 4, digits.first != UInt8(ascii: "+") else { return nil }
    return UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
  }
}
