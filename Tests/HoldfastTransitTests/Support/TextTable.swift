import Foundation

/// A table of a feed, split from its text by the simplest means.
///
/// It shares no code with the library, whose answers are compared with what is read here.
struct TextTable {
  /// The values of each row in the order of the wanted columns, without surrounding spaces.
  ///
  /// A value is empty where the row is too short or the table has no such column.
  let rows: [[String]]

  /// Splits a text.
  ///
  /// - Parameters:
  ///   - data: The bytes of the file; in UTF-8, with or without a byte order mark, or else in Latin-1.
  ///   - columns: The names of the wanted columns.
  init(_ data: Data, columns: [String]) {
    let text = String(data: data, encoding: .utf8) ?? String(data: data, encoding: .isoLatin1) ?? ""
    var splitter = Splitter(bytes: Array(text.utf8))
    splitter.skipByteOrderMark()
    let header = (splitter.nextRecord() ?? []).map(Self.trimmed)
    let indices = columns.map { header.firstIndex(of: $0) }
    var rows: [[String]] = []
    while let record = splitter.nextRecord() {
      // A blank line is one empty value.
      if record == [""] { continue }
      rows.append(
        indices.map { index in
          guard let index, index < record.count else { return "" }
          return Self.trimmed(record[index])
        })
    }
    self.rows = rows
  }

  private static func trimmed(_ value: String) -> String {
    value.trimmingCharacters(in: .whitespaces)
  }
}

/// The position up to which a text is split into records and values.
private struct Splitter {
  private static let quote = UInt8(ascii: "\"")
  private static let comma = UInt8(ascii: ",")
  private static let newline = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")

  let bytes: [UInt8]
  private var position = 0

  init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  mutating func skipByteOrderMark() {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  /// Returns the values up to the end of the line; `nil` at the end of the text.
  mutating func nextRecord() -> [String]? {
    guard position < bytes.count else { return nil }
    var values: [String] = []
    while true {
      values.append(nextValue())
      guard position < bytes.count else { return values }
      let separator = bytes[position]
      position += 1
      if separator == Self.comma { continue }
      if separator == Self.carriageReturn, position < bytes.count, bytes[position] == Self.newline {
        position += 1
      }
      return values
    }
  }

  /// Returns the value at the position, and moves the position to the separator behind it.
  private mutating func nextValue() -> String {
    guard position < bytes.count, bytes[position] == Self.quote else {
      let start = position
      while position < bytes.count, !isSeparator(bytes[position]) { position += 1 }
      return String(decoding: bytes[start..<position], as: UTF8.self)
    }
    var value: [UInt8] = []
    position += 1
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      if byte != Self.quote {
        value.append(byte)
      } else if position < bytes.count, bytes[position] == Self.quote {
        value.append(Self.quote)
        position += 1
      } else {
        break
      }
    }
    while position < bytes.count, !isSeparator(bytes[position]) {
      value.append(bytes[position])
      position += 1
    }
    return String(decoding: value, as: UTF8.self)
  }

  private func isSeparator(_ byte: UInt8) -> Bool {
    byte == Self.comma || byte == Self.newline || byte == Self.carriageReturn
  }
}
