/// A full-text pattern that any text may go into.
///
/// The pattern's syntax has operators, quotes and column filters. Text that a person typed is
/// none of these: each of its words is quoted, so that no input is an error and none changes the
/// meaning of another.
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

  /// Creates a pattern for the rows that contain, for each word of the text, a word that begins
  /// with it, in any order.
  ///
  /// A word is what stands between blanks. Marks inside it, as in `O'Brien` or `circular-q`, make
  /// the parts stand side by side.
  ///
  /// - Parameter text: Any text; `nil` comes back when it has no letter and no digit, because then
  ///   there is nothing a tokenizer would find.
  public init?(matchingAllPrefixesIn text: String) {
    var seen: Set<ExactText> = []
    // A word that is asked for twice is asked for: each one more costs time and changes nothing.
    let words = Self.words(in: text).filter { seen.insert(ExactText($0)).inserted }
    guard !words.isEmpty else { return nil }
    rawPattern = words.map { $0.quoted(by: "\"") + "*" }.joined(separator: " ")
  }

  /// Creates a pattern for the rows in which a column begins with the words of the text, in their
  /// order.
  ///
  /// - Parameters:
  ///   - text: Any text; `nil` comes back when it has no letter and no digit.
  ///   - isComplete: Whether the last word must be a whole one, and not only begin with the text's
  ///     last word.
  public init?(matchingBeginning text: String, isComplete: Bool = false) {
    let words = Self.words(in: text)
    guard !words.isEmpty else { return nil }
    rawPattern = "^" + words.joined(separator: " ").quoted(by: "\"") + (isComplete ? "" : "*")
  }

  /// The words of a text: what stands between blanks and holds a letter or a digit.
  package static func words(in text: String) -> [String] {
    text.unicodeScalars
      // A NUL would end the pattern inside its quotes.
      .split { $0.properties.isWhitespace || $0.value == 0 }
      .filter { $0.contains(where: isTokenCharacter) }
      .map { String($0) }
  }

  /// Whether the `unicode61` tokenizer may keep the character: letters, numbers, private use.
  ///
  /// A tokenizer knows an older Unicode than we do, so that this may be true for a character that
  /// it drops; such a word matches nothing, or is ignored beside others.
  private static func isTokenCharacter(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .decimalNumber, .letterNumber, .otherNumber, .privateUse:
      true
    default:
      false
    }
  }
}

extension FTS5Pattern: DatabaseValueConvertible {
  /// The raw pattern, as an argument of `MATCH`.
  public var databaseValue: DatabaseValue { rawPattern.databaseValue }

  /// Returns a stored raw pattern, unchecked.
  public static func fromDatabaseValue(_ value: DatabaseValue) -> FTS5Pattern? {
    String.fromDatabaseValue(value).map(FTS5Pattern.init(unchecked:))
  }

  init(unchecked rawPattern: String) {
    self.rawPattern = rawPattern
  }
}
