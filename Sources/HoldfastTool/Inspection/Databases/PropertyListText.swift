import Foundation

/// A binary property list as a text with one value per line.
struct PropertyListText {
  /// The greatest number of objects: Foundation reads a list with recursion, which is as deep at most.
  private static let mostObjects = 2000

  /// The longest text, in bytes: a small list may use one object often.
  private static let longest = 256 << 10

  /// A value of a property list.
  private enum Value: Decodable {
    case dictionary([String: Value])
    case array([Value])
    case data(Data)
    case date(Date)
    case text(String)
    case boolean(Bool)
    case integer(Int64)
    case unsigned(UInt64)
    case real(Double)

    init(from decoder: any Decoder) throws {
      // A decoder says what a value is only by refusing to read it as something else.
      if let values = try? [String: Value](from: decoder) {
        self = .dictionary(values)
        // As above.
      } else if let values = try? [Value](from: decoder) {
        self = .array(values)
      } else {
        self = try Self.single(try decoder.singleValueContainer())
      }
    }

    private static func single(_ container: any SingleValueDecodingContainer) throws -> Value {
      // As above, in all of these lines.
      if let value = try? container.decode(String.self) { return .text(value) }
      if let value = try? container.decode(Date.self) { return .date(value) }
      if let value = try? container.decode(Data.self) { return .data(value) }
      // Still.
      if let value = try? container.decode(Bool.self) { return .boolean(value) }
      if let value = try? container.decode(Int64.self) { return .integer(value) }
      // As above.
      if let value = try? container.decode(UInt64.self) { return .unsigned(value) }
      return .real(try container.decode(Double.self))
    }
  }

  private var text = ""

  /// Returns the text; `nil` when it is no property list, or has too many objects or values.
  static func text(of bytes: Data) -> String? {
    guard let list = BinaryPropertyList([UInt8](bytes)), list.count <= mostObjects,
      list.isTree
    else { return nil }
    do {
      var text = PropertyListText()
      text.add(try PropertyListDecoder().decode(Value.self, from: bytes), depth: 0)
      return text.text
    } catch {
      // It only looks like one.
      return nil
    }
  }

  private mutating func add(_ value: Value, depth: Int) {
    guard text.utf8.count < Self.longest else {
      if !text.hasSuffix("…") { text += "…" }
      return
    }
    let start = "\n" + String(repeating: "  ", count: min(depth + 1, 40))
    switch value {
    case .dictionary(let values):
      text += "{"
      for (key, value) in values.sorted(by: { $0.key < $1.key }) {
        text += start + key + ": "
        add(value, depth: depth + 1)
      }
      text += values.isEmpty ? "}" : start.dropLast(2) + "}"
    case .array(let values):
      text += "["
      for value in values {
        text += start
        add(value, depth: depth + 1)
      }
      text += values.isEmpty ? "]" : start.dropLast(2) + "]"
    case .data(let value): text += value.prefix(1 << 10).blobLiteral
    case .date(let value): text += value.timestamp(in: .gmt)
    case .text(let value): text += OutputRecord.quoted(value)
    case .boolean(let value): text += value ? "true" : "false"
    case .integer(let value): text += "\(value)"
    case .unsigned(let value): text += "\(value)"
    case .real(let value): text += "\(value)"
    }
  }
}
