import Foundation
import Holdfast

/// A condition on one column, as the page sends it.
struct RowFilter: Equatable, Sendable {
  enum Comparison: String, Sendable, CaseIterable {
    case eq, ne, lt, le, gt, ge, contains, begins, null, notnull
  }

  var column: String
  var comparison: Comparison
  var text: String
  /// Whether the column has texts only, so that nothing else is meant.
  var isOfTexts = false

  /// Reads `COLUMN:OP:TEXT`, in which `\:` and `\\` of the column are a colon and a backslash; `nil` when it
  /// is something else.
  init?(_ word: String) {
    var column = ""
    var rest = Substring(word).unicodeScalars
    while let scalar = rest.popFirst(), scalar != ":" {
      if scalar == "\\" {
        guard let escaped = rest.popFirst() else { return nil }
        column.unicodeScalars.append(escaped)
      } else {
        column.unicodeScalars.append(scalar)
      }
    }
    let name = String(rest.prefix { $0 != ":" })
    guard let comparison = Comparison(rawValue: name) else { return nil }
    (self.column, self.comparison) = (column, comparison)
    text = String(Substring(rest.dropFirst(name.unicodeScalars.count + 1)))
  }

  /// Returns a condition as the page sends it.
  static func word(_ column: String, _ comparison: Comparison, _ text: String) -> String {
    let escaped = column.replacing("\\", with: "\\\\").replacing(":", with: "\\:")
    return "\(escaped):\(comparison.rawValue):\(text)"
  }

  /// The condition in SQL, with its arguments.
  var condition: (sql: String, arguments: [DatabaseValue]) {
    let name = column.quotedDatabaseIdentifier
    switch comparison {
    case .null: return ("\(name) IS NULL", [])
    case .notnull: return ("\(name) IS NOT NULL", [])
    case .contains, .begins:
      let escaped = text.unicodeScalars.map { scalar in
        ["%", "_", "\\"].contains(scalar) ? "\\\(scalar)" : String(scalar)
      }.joined()
      let pattern = comparison == .contains ? "%\(escaped)%" : "\(escaped)%"
      return ("\(name) LIKE ? ESCAPE '\\'", [DatabaseValue(storage: .string(pattern))])
    case .eq:
      let values = meanings
      let places = values.map { _ in "?" }.joined(separator: ", ")
      return ("\(name) IN (\(places))", values)
    case .ne:
      let values = meanings
      let places = values.map { _ in "?" }.joined(separator: ", ")
      return ("(\(name) IS NULL OR \(name) NOT IN (\(places)))", values)
    case .lt, .le, .gt, .ge:
      let sign = [Comparison.lt: "<", .le: "<=", .gt: ">"][comparison] ?? ">="
      let value = meanings.last ?? .null
      return ("\(name) \(sign) ?", [value])
    }
  }

  private var meanings: [DatabaseValue] { Self.meanings(of: text, amongTexts: isOfTexts) }

  /// Returns the values that a text can mean: itself, and the number or the blob that it spells.
  ///
  /// A column without a type compares `'5'` and `5` as different. In a column of texts SQLite makes a
  /// number a text again, and another one: `007` is then `7`.
  static func meanings(of text: String, amongTexts isOfTexts: Bool) -> [DatabaseValue] {
    var values = [DatabaseValue(storage: .string(text))]
    if isOfTexts { return values }
    if let number = Int64(text) {
      values.append(DatabaseValue(storage: .int64(number)))
    } else if let number = Double(text), number.isFinite {
      values.append(DatabaseValue(storage: .double(number)))
    } else if text.hasPrefix("x'"), text.hasSuffix("'"),
      let bytes = HexLiteral.bytes(text.dropFirst(2).dropLast())
    {
      values.append(DatabaseValue(storage: .blob(bytes)))
    }
    return values
  }
}

/// The digits of a blob in SQL.
private enum HexLiteral {
  static func bytes(_ digits: Substring) -> Data? {
    let values = digits.compactMap(\.hexDigitValue)
    guard values.count == digits.utf8.count, values.count.isMultiple(of: 2) else { return nil }
    return Data(
      stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) })
  }
}
