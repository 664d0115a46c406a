/// A full-text pattern, which can be created from any text.
///
/// FTS5's syntax has operators, quotes and column filters. In text that a user typed they have no
/// meaning: each word is quoted, so that no input is an error and no word changes the meaning of
/// another.
///
/// ```swift
/// if let pattern = FTS5Pattern(matchingAllPrefixesIn: "quay circ") {
///   let ids = try Int.fetchAll(
///     db, sql: "SELECT rowid FROM stops_fts WHERE stops_fts MATCH ?", arguments: [pattern])
/// }
/// ```
///
/// - SeeAlso: <https://www.sqlite.org/fts5.html#full_text_query_syntax>
public struct FTS5Pattern: Hashable, Sendable {
  /// The pattern in FTS5's syntax.
  public let rawPattern: String

  /// Creates a pattern for the rows that contain words beginning with each word of the text.
  ///
  /// The order of the words does not matter. Words are separated by whitespace. A word with
  /// punctuation inside it, such as `O'Brien` or `circular-q`, matches its parts as a phrase.
  ///
  /// - Parameter text: Any text; the result is `nil` when it has no letters and no digits, because
  ///   a tokenizer would find no word in it.
  public init?(matchingAllPrefixesIn text: String) {
    guard let words = FullTextWords(text) else { return nil }
    rawPattern = words.quoted(suffix: "*")
  }

  /// Creates a pattern for the rows in which a column begins with the words of the text, in order.
  ///
  /// - Parameters:
  ///   - text: Any text; the result is `nil` when it has no letters and no digits.
  ///   - isComplete: Whether the last word must match a whole word, and not only its beginning.
  public init?(matchingBeginning text: String, isComplete: Bool = false) {
    guard let words = FullTextWords(text) else { return nil }
    rawPattern =
      "^" + words.all.joined(separator: " ").quoted(by: "\"") + (isComplete ? "" : "*")
  }
}

extension FTS5Pattern: DatabaseValueConvertible {
  /// The raw pattern, as an argument of `MATCH`.
  public var databaseValue: DatabaseValue { rawPattern.databaseValue }

  /// Returns a stored raw pattern without validating it.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> FTS5Pattern? {
    String.fromDatabaseValue(value).map(FTS5Pattern.init(unchecked:))
  }

  init(unchecked rawPattern: String) {
    self.rawPattern = rawPattern
  }
}
