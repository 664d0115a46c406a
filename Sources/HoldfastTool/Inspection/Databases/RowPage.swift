import Foundation
import Holdfast

/// The statements that find one page of rows by key, without counting those before it.
///
/// A page after a row is found in stages: rows with the same value and a greater key, then those with a greater
/// value, then those without one. Each is a range of an index if there is one, so that a page in the middle of a
/// table costs no more than the first.
struct RowPage: Equatable, Sendable {
  /// A statement, of whose rows as many are read as the page still has room for.
  struct Stage: Equatable, Sendable {
    var condition: String
    var arguments: [DatabaseValue]
  }

  /// Where a page begins.
  enum Start: Equatable, Sendable {
    case first
    /// After the row with this value and this key; the value is `nil` where rows are in the order of their keys.
    case after(value: DatabaseValue?, key: [DatabaseValue])
    /// Before that row.
    case before(value: DatabaseValue?, key: [DatabaseValue])
    /// At the first row whose value, or first part of the key, is not less.
    case at(DatabaseValue)
  }

  /// The columns of the key, quoted.
  var key: [String]
  /// The column that rows are sorted by, quoted; `nil` for the order of the keys.
  var sort: String?
  var isDescending = false
  var start = Start.first

  /// Whether the statements return rows in the opposite order.
  var isReversed: Bool {
    if case .before = start { true } else { false }
  }

  /// The terms after `ORDER BY`.
  var order: String {
    let direction = isDescending != isReversed ? " DESC" : ""
    return (([sort].compactMap(\.self)) + key).map { $0 + direction }.joined(separator: ", ")
  }

  /// The stages, in order.
  var stages: [Stage] {
    switch start {
    case .first: return [Stage(condition: "1", arguments: [])]
    case .at(let value):
      let column = sort ?? key[0]
      let sign = isDescending ? "<=" : ">="
      return [Stage(condition: "\(column) \(sign) ?", arguments: [value])]
        + (isDescending && sort != nil
          ? [Stage(condition: "\(column) IS NULL", arguments: [])] : [])
    case .after(let value, let key), .before(let value, let key):
      let falls = isDescending != isReversed
      let sign = falls ? "<" : ">"
      let places = key.map { _ in "?" }.joined(separator: ", ")
      let beyond =
        key.count == 1
        ? "\(self.key[0]) \(sign) ?"
        : "(\(self.key.joined(separator: ", "))) \(sign) (\(places))"
      guard let sort, let value else { return [Stage(condition: beyond, arguments: key)] }
      // SQLite sorts NULL before everything else.
      if value.isNull {
        let same = Stage(condition: "\(sort) IS NULL AND \(beyond)", arguments: key)
        return falls ? [same] : [same, Stage(condition: "\(sort) IS NOT NULL", arguments: [])]
      }
      let stages = [
        Stage(condition: "\(sort) = ? AND \(beyond)", arguments: [value] + key),
        Stage(condition: "\(sort) \(sign) ?", arguments: [value]),
      ]
      return falls ? stages + [Stage(condition: "\(sort) IS NULL", arguments: [])] : stages
    }
  }
}

/// The place of a row, as the page sends it back.
struct RowCursor: Equatable, Sendable {
  /// The longest value, in bytes, that is a part of the text: an address has no room for a photo.
  private static let longestValue = 4096

  /// What rows are sorted by; `nil` for the order of the keys.
  var value: DatabaseValue?
  /// Whether the value is that of the row with the key, because it is too long for the text.
  private(set) var isValueInRow = false
  var key: [DatabaseValue]

  init(value: DatabaseValue?, key: [DatabaseValue]) {
    (self.value, self.key) = (value, key)
  }

  /// About how many bytes its values have.
  var byteCount: Int {
    ([value].compactMap(\.self) + key).reduce(0) { $0 + Self.byteCount(of: $1) }
  }

  private static func byteCount(of value: DatabaseValue) -> Int {
    switch value.storage {
    case .string(let text): text.utf8.count
    case .blob(let bytes): bytes.count
    default: 8
    }
  }

  /// The place as a text for URLs.
  var text: String {
    let isLong = value.map { Self.byteCount(of: $0) > Self.longestValue } ?? false
    var record: OutputRecord = [
      "v": .list(isLong ? [] : [value].compactMap(\.self).map(Cell.whole)),
      "k": .list(key.map(Cell.whole)),
    ]
    if isLong { record.fields.append(.init(key: "r", cell: .list([]))) }
    return Data(record.json.utf8).base64EncodedString().replacing("+", with: "-")
      .replacing("/", with: "_").replacing("=", with: "")
  }

  /// Reads a place; `nil` when a text is none.
  init?(_ text: String) {
    var base64 = text.replacing("-", with: "+").replacing("_", with: "/")
    base64 += String(repeating: "=", count: (4 - base64.utf8.count % 4) % 4)
    // Whatever is no place is refused alike.
    guard let bytes = Data(base64Encoded: base64),
      let object = try? JSONSerialization.jsonObject(with: bytes) as? [String: [Any]],
      let values = object["v"], let keys = object["k"]
    else { return nil }
    let key = keys.compactMap(DatabaseValue.init(json:))
    guard key.count == keys.count, values.count < 2 else { return nil }
    self.key = key
    isValueInRow = object["r"] != nil
    if let only = values.first {
      guard let value = DatabaseValue(json: only) else { return nil }
      self.value = value
    }
  }
}
