import Foundation
import Holdfast

// How values of a database are written for the page: short, and so that JavaScript reads the same number.

extension Cell {
  /// The longest text that is written whole, in Unicode scalars: a letter may have any number of marks.
  private static let longestText = 1000

  /// The bytes of a blob that are written.
  private static let shownBytes = 64

  /// The greatest integer that JavaScript tells apart from its neighbors.
  private static let largestNumber: UInt64 = 1 << 53 - 1

  /// Returns a short form of a value.
  static func preview(_ value: DatabaseValue) -> Cell {
    switch value.storage {
    case .string(let text):
      let start = text.unicodeScalars.prefix(longestText)
      return start.endIndex == text.endIndex
        ? .text(text)
        : .record(["text": .text(String(Substring(start))), "bytes": Cell(text.utf8.count)])
    case .blob(let bytes):
      return .record([
        "blob": .text(bytes.prefix(shownBytes).base64EncodedString()),
        "bytes": Cell(bytes.count),
        "kind": .text(BlobKind(bytes.prefix(shownBytes), count: bytes.count).rawValue),
      ])
    default: return whole(value)
    }
  }

  /// Returns what stands for a value that is longer than what is read.
  ///
  /// - Parameters:
  ///   - type: What SQL calls its type.
  ///   - byteCount: Its length; `nil` where it is not known.
  /// - Returns: An object that says so.
  static func tooLong(_ type: String, _ byteCount: Int?) -> Cell {
    .record([
      "too_long": .bool(true), "kind": .text(type == "blob" ? "bytes" : type),
      "bytes": Cell(byteCount),
    ])
  }

  /// Returns a form from which the value can be made again.
  static func whole(_ value: DatabaseValue) -> Cell {
    switch value.storage {
    case .null: .null
    case .int64(let number):
      number.magnitude <= largestNumber
        ? .integer(number) : .record(["integer": .text(String(number))])
    case .double(let number):
      number.isFinite ? .real(number) : .record(["real": .text(number < 0 ? "-inf" : "inf")])
    case .string(let text):
      // Its characters are those of other texts too.
      value.invalidText.map { .record(["invalid_text": .text($0.base64EncodedString())]) }
        ?? .text(text)
    case .blob(let bytes): .blob(bytes)
    }
  }
}

extension DatabaseValue {
  /// Reads a value in the form of ``Cell/whole(_:)``; `nil` when it is something else.
  init?(json value: Any) {
    switch value {
    case is NSNull: self = .null
    case let text as String: self = DatabaseValue(storage: .string(text))
    case let number as NSNumber:
      // A number without a fraction is an integer, unless it is too large for one.
      self = DatabaseValue(
        storage: Int64(exactly: number.doubleValue).map { .int64($0) }
          ?? .double(number.doubleValue))
    case let object as [String: Any] where object.count == 1:
      if let text = object["blob"] as? String, let bytes = Data(base64Encoded: text) {
        self = DatabaseValue(storage: .blob(bytes))
      } else if let text = object["invalid_text"] as? String, let bytes = Data(base64Encoded: text)
      {
        self = DatabaseValue(text: bytes)
      } else if let text = object["integer"] as? String, let number = Int64(text) {
        self = DatabaseValue(storage: .int64(number))
      } else if let text = object["real"] as? String, ["inf", "-inf"].contains(text) {
        self = DatabaseValue(storage: .double(text == "inf" ? .infinity : -.infinity))
      } else {
        return nil
      }
    default: return nil
    }
  }

  /// Reads a list of values, such as a key; `nil` when it is something else.
  static func list(json text: String) -> [DatabaseValue]? {
    // Whatever is no list of values is refused alike.
    guard text.utf8.count < 1 << 20,
      let list = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [Any]
    else { return nil }
    let values = list.compactMap(DatabaseValue.init(json:))
    return values.count == list.count ? values : nil
  }
}
