import Holdfast

/// The form that most `stop_id`s of a feed have: a text that all begin with, and a number.
///
/// Such an identifier is stored as its number. The text is part of the schema, so that plain SQL
/// finds and returns the whole identifier.
package struct StopIDForm: Hashable, Sendable {
  /// An identifier as it is stored.
  package enum Stored: Hashable, Sendable {
    case number(Int64)
    case text(String)
  }

  /// The common prefix of the identifiers.
  package let prefix: String

  /// Creates the form of identifiers that are numbers.
  package init() {
    prefix = ""
  }

  /// Creates the form by which most can be saved.
  ///
  /// - Parameter identifiers: The feed's `stop_id`s; their order does not matter.
  package init(of identifiers: some Sequence<String>) {
    var bytes: [String: Int] = [:]
    for identifier in identifiers {
      let (prefix, number) = Self.parts(identifier)
      guard number != nil, prefix.utf8.allSatisfy(Self.isPlain) else { continue }
      bytes[prefix, default: 0] += identifier.utf8.count
    }
    prefix =
      bytes.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? ""
  }

  /// Returns an identifier as it is stored.
  ///
  /// - Parameter identifier: The `stop_id`.
  /// - Returns: The number if the identifier has this form, and else the text.
  package func stored(_ identifier: String) -> Stored {
    let (start, number) = Self.parts(identifier)
    // By bytes: to Swift, the sign for kelvin equals the letter K.
    guard let number, start.hasSameBytes(as: prefix) else { return .text(identifier) }
    return .number(number)
  }

  /// The SQL expression that makes the identifier of the column `id`.
  var sql: String {
    "CASE typeof(id) WHEN 'integer' THEN '\(prefix)' || id ELSE id END"
  }

  /// Whether a byte needs no care in SQL.
  private static func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte < 0x7F && byte != UInt8(ascii: "'")
  }

  /// Returns what is before the longest number at the end that is written as SQLite writes it.
  private static func parts(_ identifier: String) -> (prefix: String, number: Int64?) {
    let bytes = identifier.utf8
    var start = bytes.endIndex
    var candidate = start
    var count = 0
    while candidate > bytes.startIndex, count < 18 {
      count += 1
      let before = bytes.index(before: candidate)
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[before]) else { break }
      candidate = before
      if bytes[before] != UInt8(ascii: "0") { start = candidate }
    }
    if start == bytes.endIndex, candidate < start { start = bytes.index(before: bytes.endIndex) }
    guard let number = Int64(identifier[start...]) else { return (identifier, nil) }
    return (String(identifier[..<start]), number)
  }
}
