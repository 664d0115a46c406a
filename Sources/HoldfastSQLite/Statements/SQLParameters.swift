/// The parameters of a SQL text, numbered as SQLite numbers them.
///
/// - SeeAlso: <https://www.sqlite.org/lang_expr.html#varparam>
struct SQLParameters {
  /// Each parameter where it stands in the text, and its index, which is negative if its number is 0.
  private(set) var occurrences: [(token: Substring, index: Int)] = []

  /// The number of values that the text needs; `Int.max` if a number is too large.
  private(set) var count = 0

  private var names: [Int: String] = [:]

  init(_ sql: String) {
    var indices: [ExactText: Int] = [:]
    for token in SQLTokens(sql) where token.isParameter {
      let name = String(token.dropFirst())
      let text = ExactText(String(token))
      let isNumbered = token.utf8.first == UInt8(ascii: "?") && !name.isEmpty
      let index = isNumbered ? (Int(name) ?? .max) - 1 : indices[text] ?? count
      occurrences.append((token, index))
      count = max(count, index + 1)
      guard !name.isEmpty else { continue }
      if !isNumbered { indices[text] = index }
      if names[index] == nil { names[index] = name }
    }
  }

  /// Returns the name of a parameter without its prefix; `nil` for one without a name.
  ///
  /// As in SQLite, the number of a numbered parameter is its name.
  func name(at index: Int) -> String? { names[index] }
}

extension Substring {
  fileprivate var isParameter: Bool {
    switch utf8.first {
    case UInt8(ascii: "?"): true
    case UInt8(ascii: ":"), UInt8(ascii: "@"), UInt8(ascii: "$"), UInt8(ascii: "#"): utf8.count > 1
    default: false
    }
  }
}
