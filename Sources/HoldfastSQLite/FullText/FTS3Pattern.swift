/// A full-text pattern for FTS3 and FTS4 tables, which can be created from any text.
///
/// FTS3's syntax has operators, quotes and column filters. In text that a user typed they have no
/// meaning: each word is quoted, so that no word changes the meaning of another. SQLite fails with
/// `SQLITE_ERROR` only when a pattern has more than 4095 words.
///
/// ```swift
/// if let pattern = FTS3Pattern(matchingAllPrefixesIn: "quay circ") {
///   let ids = try Int.fetchAll(
///     db, sql: "SELECT docid FROM stops_ft WHERE stops_ft MATCH ?", arguments: [pattern])
/// }
/// ```
///
/// - SeeAlso: <https://www.sqlite.org/fts3.html#full_text_index_queries>
public struct FTS3Pattern: Hashable, Sendable {
  /// The pattern in FTS3's syntax.
  public let rawPattern: String

  /// Creates a pattern for the rows that contain at least one word of the text.
  ///
  /// Words are separated by whitespace. A word with punctuation inside it, such as `O'Brien`,
  /// matches its parts as a phrase.
  ///
  /// - Parameter text: Any text; the result is `nil` when it has no letters and no digits.
  public init?(matchingAnyTokenIn text: String) {
    guard let words = FullTextWords(text) else { return nil }
    rawPattern = words.different.map { Self.phrase($0) }.joined(separator: " OR ")
  }

  /// Creates a pattern for the rows that contain every word of the text, in any order; see
  /// ``init(matchingAnyTokenIn:)``.
  public init?(matchingAllTokensIn text: String) {
    guard let words = FullTextWords(text) else { return nil }
    rawPattern = words.different.map { Self.phrase($0) }.joined(separator: " ")
  }

  /// Creates a pattern for the rows that contain words beginning with each word of the text, in any
  /// order; see ``init(matchingAnyTokenIn:)``.
  public init?(matchingAllPrefixesIn text: String) {
    guard let words = FullTextWords(text) else { return nil }
    rawPattern = words.different.map { Self.phrase($0, isPrefix: true) }.joined(separator: " ")
  }

  /// Creates a pattern for the rows that contain the words of the text as a phrase; see
  /// ``init(matchingAnyTokenIn:)``.
  public init?(matchingPhrase text: String) {
    guard let words = FullTextWords(text) else { return nil }
    rawPattern = Self.phrase(words.all.joined(separator: " "))
  }

  /// Creates a pattern from FTS3's own syntax, with its operators, prefixes and column filters.
  ///
  /// Use it for patterns that the program writes, and the other initializers, which accept any
  /// text, for text that a user typed.
  ///
  /// The pattern is validated on an empty table in memory, which takes a fraction of a millisecond.
  ///
  /// - Parameter rawPattern: The pattern. SQLite takes the name of a column that a table does not
  ///   have for a word.
  /// - Throws: `DatabaseError` with `SQLITE_ERROR` when the syntax is wrong, or SQLite was built
  ///   without FTS4.
  public init(rawPattern: String) throws {
    try Database.validate(rawPattern, onTableUsing: "fts4")
    self.init(unchecked: rawPattern)
  }

  private init(unchecked rawPattern: String) {
    self.rawPattern = rawPattern
  }

  private static func phrase(_ text: some StringProtocol, isPrefix: Bool = false) -> String {
    // SQLite reads them in quotes too: the end of the phrase, a prefix, the first word of a column.
    var text = text.unicodeScalars.map { "\"*^".unicodeScalars.contains($0) ? " " : $0 }
    if isPrefix {
      // The star is read only directly after a word.
      while let last = text.last, !isPartOfWord(last) { text.removeLast() }
      text.append("*")
    }
    return "\"" + String(String.UnicodeScalarView(text)) + "\""
  }

  private static func isPartOfWord(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: true
    default: FullTextWords.isLetterOrDigit(scalar)
    }
  }
}

extension FTS3Pattern: DatabaseValueConvertible {
  /// The raw pattern, as an argument of `MATCH`.
  public var databaseValue: DatabaseValue { rawPattern.databaseValue }

  /// Returns a stored raw pattern without validating it.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> FTS3Pattern? {
    String.fromDatabaseValue(value).map(FTS3Pattern.init(unchecked:))
  }
}

extension ColumnExpression {
  /// Returns whether a column of an FTS3 or FTS4 table matches a pattern.
  ///
  /// - Parameter pattern: The pattern; `nil` matches no row.
  /// - Returns: The SQL `MATCH`.
  public func match(_ pattern: FTS3Pattern?) -> SQLExpression {
    matches(pattern?.rawPattern)
  }

  /// Returns whether a column of an FTS5 table matches a pattern.
  ///
  /// - Parameter pattern: The pattern; `nil` matches no row.
  /// - Returns: The SQL `MATCH`.
  public func match(_ pattern: FTS5Pattern?) -> SQLExpression {
    matches(pattern?.rawPattern)
  }

  private func matches(_ rawPattern: String?) -> SQLExpression {
    guard let rawPattern else { return .never }
    return SQLExpression(.binary(sqlExpression, .matches, rawPattern.sqlExpression))
  }
}
