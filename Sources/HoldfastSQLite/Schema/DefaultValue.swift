/// The default value that a REPLACE writes instead of NULL in a NOT NULL column.
///
/// - SeeAlso: <https://www.sqlite.org/lang_conflict.html>
package enum DefaultValue: Hashable {
  /// An expression that has the same value in a trigger as in the REPLACE.
  case known(sql: String)

  /// An expression whose value differs each time, or that not every connection can evaluate.
  case unknown

  /// Creates a default value from a column's declaration.
  ///
  /// - Returns: `nil` when it declares no default, or NULL: then NULL is refused.
  package init?(_ declaration: String?) {
    let text = declaration ?? ""
    let tokens = Array(SQLTokens(text))
    guard let first = tokens.first, let last = tokens.last else { return nil }
    if tokens.count == 1, first.isName {
      let word = first.lowercased()
      if word == "null" { return nil }
      // An unquoted name is a string.
      let isValue = first.isWord && Self.values.contains(word)
      self = .known(sql: isValue ? word : first.asString)
      return
    }
    let calls = zip(tokens, tokens.dropFirst()).filter { $1 == "(" && $0.isName }.map(\.0)
    guard calls.allSatisfy({ Self.functions.contains($0.unquotedName) }) else {
      self = .unknown
      return
    }
    // A comment after the last token would hide the SQL that follows it elsewhere.
    self = .known(sql: String(text[first.startIndex..<last.endIndex]))
  }

  private static let values: Set = [
    "true", "false", "current_date", "current_time", "current_timestamp",
  ]

  /// The functions that every version of SQLite has, and that are constant during a statement.
  private static let functions: Set<DatabaseIdentifier> = [
    "abs", "and", "between", "cast", "char", "coalesce", "date", "datetime", "hex", "ifnull", "in",
    "instr", "is", "julianday", "length", "like", "lower", "ltrim", "max", "min", "not", "nullif",
    "or", "printf", "quote", "replace", "round", "rtrim", "strftime", "substr", "time", "trim",
    "typeof", "unicode", "upper", "zeroblob",
  ]
}
