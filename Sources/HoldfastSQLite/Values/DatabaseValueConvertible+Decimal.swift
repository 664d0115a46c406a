public import Foundation

extension Decimal: DatabaseValueConvertible {
  /// The number in decimal digits, stored as text because a real number would round it.
  ///
  /// In a column with numeric affinity SQLite converts the text to a number and may round it:
  /// declare the column as TEXT. NaN is stored as NULL.
  public var databaseValue: DatabaseValue { isNaN ? .null : description.databaseValue }

  /// Returns the number in a stored text, or a stored number.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> Decimal? {
    switch value.storage {
    case .int64(let value): Decimal(value)
    case .double(let value): Decimal(value)
    // Foundation parses a number at the beginning and ignores the rest.
    case .string(let text) where text.isDecimalNumber: Decimal(string: text, locale: nil)
    default: nil
    }
  }
}

extension String {
  /// Whether the whole text is a decimal number, with an optional sign, point and exponent.
  fileprivate var isDecimalNumber: Bool {
    var rest = utf8[...]
    func skip(_ characters: String) {
      if let first = rest.first, characters.utf8.contains(first) { rest.removeFirst() }
    }
    func digits() -> Int {
      let count = rest.prefix { (0x30...0x39).contains($0) }.count
      rest.removeFirst(count)
      return count
    }
    skip("+-")
    var count = digits()
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      count += digits()
    }
    guard count > 0 else { return false }
    guard rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") else {
      return rest.isEmpty
    }
    rest.removeFirst()
    skip("+-")
    return digits() > 0 && rest.isEmpty
  }
}
