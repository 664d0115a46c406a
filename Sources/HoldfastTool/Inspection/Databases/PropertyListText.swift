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

  /// Adds an object and all that are in it.
  ///
  /// - Returns: Whether all of them can be read.
  private mutating func add(_ number: Int, depth: Int) -> Bool {
    guard text.utf8.count < Self.longest else {
      if !text.hasSuffix("…") { text += "…" }
      return true
    }
    let start = "\n" + String(repeating: "  ", count: min(depth + 1, 40))
    switch list.object(number) {
    case .dictionary(let members):
      var values: [(key: String, value: Int)] = []
      for member in members {
        guard case .text(let key) = list.object(member.key) else { return false }
        values.append((key, member.value))
      }
      text += "{"
      for (key, value) in values.sorted(by: { $0.key < $1.key }) {
        text += start + key + ": "
        guard add(value, depth: depth + 1) else { return false }
      }
      text += values.isEmpty ? "}" : start.dropLast(2) + "}"
    case .array(let values):
      text += "["
      for value in values {
        text += start
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
}
