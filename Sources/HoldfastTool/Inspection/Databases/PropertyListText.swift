import Foundation

/// A binary property list as a text with one value per line.
struct PropertyListText {
  /// The greatest number of objects: the list is read with recursion, which is as deep at most.
  private static let mostObjects = 2000

  /// The longest text, in bytes: a small list may use one object often.
  private static let longest = 256 << 10

  /// The dates that have a year of four digits.
  private static let writtenDates =
    Date.distantPast...Date(timeIntervalSinceReferenceDate: 252_000_000_000)

  private var text = ""
  /// The number of bytes that the text may have for members of dictionaries that are not read yet.
  private var room = Self.longest

  private let list: BinaryPropertyList

  private init(_ list: BinaryPropertyList) { self.list = list }

  /// Returns the text; `nil` when it is no property list, or has too many objects or values.
  static func text(of bytes: Data) -> String? {
    guard let list = BinaryPropertyList([UInt8](bytes)), list.count <= mostObjects,
      list.isTree
    else { return nil }
    var text = PropertyListText(list)
    // Otherwise it only looks like one.
    return text.add(list.top, depth: 0) ? text.text : nil
  }

  /// Adds an object and all that are in it, as far as the text is not too long.
  ///
  /// - Returns: Whether all of them can be read.
  private mutating func add(_ number: Int, depth: Int) -> Bool {
    let start = "\n" + String(repeating: "  ", count: min(depth + 1, 40))
    switch list.object(number) {
    case .dictionary(let members):
      // Many members may have one long key.
      var values: [(key: String, value: Int)] = []
      for member in members where room > 0 {
        guard case .text(let key) = list.object(member.key) else { return false }
        room -= start.utf8.count + key.utf8.count
        values.append((key, member.value))
      }
      text += "{"
      for (key, value) in values.sorted(by: { $0.key < $1.key }) {
        guard begin(start) else { break }
        text += key + ": "
        guard add(value, depth: depth + 1) else { return false }
      }
      if values.count < members.count { end() }
      text += values.isEmpty ? "}" : start.dropLast(2) + "}"
    case .array(let values):
      text += "["
      for value in values {
        guard begin(start) else { break }
        guard add(value, depth: depth + 1) else { return false }
      }
      text += values.isEmpty ? "]" : start.dropLast(2) + "]"
    case .data(let value): text += Data(value.prefix(1 << 10)).blobLiteral
    case .date(let value):
      text +=
        Self.writtenDates.contains(value)
        ? value.timestamp(in: .gmt) : "2001-01-01 + \(value.timeIntervalSinceReferenceDate) s"
    case .text(let value): text += OutputRecord.quoted(value)
    case .boolean(let value): text += value ? "true" : "false"
    case .integer(let digits), .real(let digits): text += digits
    case .uid(let value): text += "UID \(value)"
    case .null: text += "null"
    case nil: return false
    }
    return true
  }

  /// Begins a line; ends the text and returns false if it is too long.
  private mutating func begin(_ line: String) -> Bool {
    guard text.utf8.count < Self.longest else {
      end()
      return false
    }
    text += line
    return true
  }

  /// Says that the text has not all.
  private mutating func end() {
    if !text.hasSuffix("…") { text += "…" }
  }
}
