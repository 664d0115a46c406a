import Foundation
import HoldfastFiles

/// A JSON text whose parts are known by their place in its bytes, so that one string can be replaced
/// and every other byte stays: order, spaces, and the spelling of numbers.
///
/// - SeeAlso: RFC 8259
struct JSONDocument: Sendable {
  /// A value, and the bytes where it is written.
  struct Value: Sendable {
    enum Content: Sendable {
      case object([Member])
      case array([Value])
      case string(String)
      /// A number, `true`, `false` or `null`, as written.
      case other
    }

    var content: Content
    var range: Range<Int>
  }

  /// A member of an object.
  struct Member: Sendable {
    var key: String
    var keyRange: Range<Int>
    var value: Value
  }

  /// A reason why a text is not JSON, and where.
  struct Fault: Error {
    var reason: String
    var offset: Int
  }

  let bytes: [UInt8]
  let root: Value

  /// Reads a text.
  init(_ bytes: [UInt8]) throws(Fault) {
    self.bytes = bytes
    root = try JSONReader.read(bytes)
  }

  /// The number of the line of a byte, counted from 1.
  static func line(of offset: Int, in bytes: [UInt8]) -> Int {
    1 + bytes.prefix(offset).count { $0 == UInt8(ascii: "\n") }
  }

  func line(of value: Value) -> Int { Self.line(of: value.range.lowerBound, in: bytes) }

  /// Returns the integer that a number is, such as `5` or `5.0`; `nil` for another value.
  func integer(_ value: Value?) -> Int? {
    guard let value, case .other = value.content else { return nil }
    let text = String(decoding: bytes[value.range], as: UTF8.self)
    return Int(text) ?? Double(text).flatMap(Int.init(exactly:))
  }

  /// Returns the number that a value is; `nil` for another value.
  func number(_ value: Value) -> Double? {
    guard case .other = value.content else { return nil }
    return Double(String(decoding: bytes[value.range], as: UTF8.self))
  }

  /// Returns whether a value is `null`.
  func isNull(_ value: Value) -> Bool { bytes[value.range].elementsEqual("null".utf8) }

  /// Returns whether a text has more values than a number, without reading them.
  ///
  /// Two bytes can become a hundred in memory.
  static func hasMoreValues(than limit: Int, _ text: String) -> Bool {
    guard text.utf8.count > limit else { return false }
    var (count, isInString, isEscaped) = (0, false, false)
    for byte in text.utf8 {
      if isEscaped {
        isEscaped = false
      } else if isInString {
        isEscaped = byte == UInt8(ascii: "\\")
        isInString = byte != UInt8(ascii: "\"")
      } else {
        switch byte {
        case UInt8(ascii: "\""): isInString = true
        // Each value but the first follows one of these.
        case UInt8(ascii: ","), UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: ":"): count += 1
        default: break
        }
      }
    }
    return count > limit
  }
}

extension JSONDocument.Value {
  /// The members of an object; empty for another value.
  var members: [JSONDocument.Member] {
    if case .object(let members) = content { members } else { [] }
  }

  /// The elements of an array; empty for another value.
  var elements: [JSONDocument.Value] {
    if case .array(let elements) = content { elements } else { [] }
  }

  var isObject: Bool { if case .object = content { true } else { false } }

  var isArray: Bool { if case .array = content { true } else { false } }

  /// The text of a string; `nil` for another value.
  var text: String? { if case .string(let text) = content { text } else { nil } }

  /// The value of a member; of several with that name, which a reader refuses, the first.
  ///
  /// - Parameter key: An ASCII name.
  subscript(key: String) -> JSONDocument.Value? { members.first { $0.key == key }?.value }

  /// The value of a member; of several with that name, the last, as most readers have it.
  ///
  /// - Parameter key: An ASCII name.
  /// - Returns: The value; `nil` when there is none.
  func last(_ key: String) -> JSONDocument.Value? { members.last { $0.key == key }?.value }
}

/// A reader of JSON that goes through the bytes once, without recursion.
private struct JSONReader {
  private typealias Fault = JSONDocument.Fault

  /// An array or object that has begun and not ended.
  fileprivate struct Open {
    var start: Int
    var isObject: Bool
    var members: [JSONDocument.Member] = []
    var elements: [JSONDocument.Value] = []
    var key: (text: String, range: Range<Int>)?
  }

  /// The number of nested values: more than any style has, so that code which walks the values may
  /// use recursion.
  private static let maximumDepth = ReadingLimit.styleDepth.most

  private let bytes: [UInt8]
  private var position = 0
  private var stack: [Open] = []

  static func read(_ bytes: [UInt8]) throws(JSONDocument.Fault) -> JSONDocument.Value {
    var reader = JSONReader(bytes: bytes)
    return try reader.document()
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private var byte: UInt8? { position < bytes.count ? bytes[position] : nil }

  private func fault(_ reason: String) -> JSONDocument.Fault {
    Fault(reason: position < bytes.count ? reason : "it ends too early", offset: position)
  }

  private mutating func skipSpaces() {
    while let byte, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { position += 1 }
  }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard byte == UInt8(ascii: scalar) else { return false }
    position += 1
    return true
  }

  private mutating func document() throws(JSONDocument.Fault) -> JSONDocument.Value {
    while true {
      // A value begins here, unless it is an empty array or object that ends.
      skipSpaces()
      guard var value = try begin() else { continue }
      // A value has ended; it belongs to the innermost open one.
      while true {
        skipSpaces()
        guard var open = stack.popLast() else {
          guard position == bytes.count else { throw fault("something follows its end") }
          return value
        }
        open.append(value)
        if take(",") {
          skipSpaces()
          if open.isObject { open.key = try key() }
          stack.append(open)
          break
        }
        guard take(open.isObject ? "}" : "]") else {
          throw fault(open.isObject ? "',' or '}' is missing" : "',' or ']' is missing")
        }
        value = open.value(endingAt: position)
      }
    }
  }

  /// Reads a value, or the beginning of an array or object that is not empty, for which it returns
  /// `nil`.
  private mutating func begin() throws(JSONDocument.Fault) -> JSONDocument.Value? {
    let start = position
    switch byte {
    case UInt8(ascii: "\""):
      let text = try string()
      return JSONDocument.Value(content: .string(text), range: start..<position)
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      var open = Open(start: start, isObject: take("{"))
      if !open.isObject { position += 1 }
      guard stack.count < Self.maximumDepth else { throw fault("it is nested too deeply") }
      skipSpaces()
      if take(open.isObject ? "}" : "]") { return open.value(endingAt: position) }
      if open.isObject { open.key = try key() }
      stack.append(open)
      return nil
    default:
      try other()
      return JSONDocument.Value(content: .other, range: start..<position)
    }
  }

  private mutating func key() throws(JSONDocument.Fault) -> (text: String, range: Range<Int>) {
    let start = position
    guard byte == UInt8(ascii: "\"") else { throw fault("a key is missing") }
    let text = try string()
    let range = start..<position
    skipSpaces()
    guard take(":") else { throw fault("':' is missing") }
    return (text, range)
  }

  private mutating func other() throws(JSONDocument.Fault) {
    for word in ["true", "false", "null"] where bytes[position...].starts(with: word.utf8) {
      position += word.utf8.count
      return
    }
    _ = take("-")
    guard take("0") || digits() else { throw fault("a value is missing") }
    if take("."), !digits() { throw fault("a digit is missing") }
    if take("e") || take("E") {
      _ = take("+") || take("-")
      guard digits() else { throw fault("a digit is missing") }
    }
  }

  private mutating func digits() -> Bool {
    let start = position
    while let byte, (0x30...0x39).contains(byte) { position += 1 }
    return position > start
  }

  private mutating func string() throws(JSONDocument.Fault) -> String {
    guard let token = JSONString(bytes, at: position) else {
      position = JSONString.faultyOffset(bytes, at: position)
      throw fault("a string is not ended or contains what must be escaped")
    }
    guard let text = String(validating: token.decoded, as: UTF8.self) else {
      throw fault("a string is not valid UTF-8")
    }
    position = token.range.upperBound
    return text
  }
}

extension JSONReader.Open {
  fileprivate mutating func append(_ value: JSONDocument.Value) {
    if let key {
      members.append(JSONDocument.Member(key: key.text, keyRange: key.range, value: value))
    } else {
      elements.append(value)
    }
    key = nil
  }

  fileprivate func value(endingAt end: Int) -> JSONDocument.Value {
    JSONDocument.Value(content: isObject ? .object(members) : .array(elements), range: start..<end)
  }
}
