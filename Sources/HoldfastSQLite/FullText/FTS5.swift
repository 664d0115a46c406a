/// SQLite's full-text module, for ``Database/create(virtualTable:options:using:_:)``.
///
/// - SeeAlso: <https://www.sqlite.org/fts5.html>
public struct FTS5: Sendable {
  /// Creates the module.
  public init() {}

  /// The handling of diacritics by the `unicode61` tokenizer.
  public enum Diacritics: Int, Sendable {
    /// `é` and `e` are two letters.
    case keep = 0
    /// `é` matches `e`, except for letters with two diacritics.
    case removeLegacy = 1
    /// `é` matches `e`.
    case remove = 2
  }

  /// The detail with which the positions of words are stored.
  public enum Detail: String, Sendable {
    /// All positions, so that phrases and `NEAR` work.
    case full
    /// Only the columns: no phrases.
    case column
    /// Only the rows: no phrases and no column filters.
    case none
  }
}

/// A tokenizer, which splits the texts of a full-text table into words.
///
/// For search as the user types, do not use stemming (`porter`): a stem may not match a prefix.
///
/// - SeeAlso: <https://www.sqlite.org/fts5.html#tokenizers>
public struct FTS5TokenizerDescriptor: Hashable, Sendable {
  /// The tokenizer's name, then its arguments.
  public let components: [String]

  /// Creates a tokenizer descriptor.
  ///
  /// - Parameter components: The tokenizer's name, then its arguments.
  public init(components: [String]) {
    self.components = components
  }

  /// Returns the tokenizer for words of ASCII letters, digits and all non-ASCII characters.
  ///
  /// - Parameters:
  ///   - separators: Additional ASCII characters that separate words.
  ///   - tokenCharacters: Additional ASCII characters that belong to words.
  /// - Returns: The tokenizer.
  public static func ascii(
    separators: Set<Character> = [], tokenCharacters: Set<Character> = []
  ) -> FTS5TokenizerDescriptor {
    FTS5TokenizerDescriptor(components: ["ascii"] + options(separators, tokenCharacters))
  }

  /// Returns the tokenizer for words of Unicode letters and digits, which ignores case.
  ///
  /// - Parameters:
  ///   - diacritics: The handling of diacritics; by default they are removed, so that a search
  ///     without diacritics finds words with them.
  ///   - categories: The Unicode categories of characters that belong to words, such as `"L* N* Co"`; if
  ///     empty, letters, digits and private characters.
  ///   - separators: Additional characters that separate words.
  ///   - tokenCharacters: Additional characters that belong to words.
  /// - Returns: The tokenizer.
  public static func unicode61(
    diacritics: FTS5.Diacritics = .remove, categories: String = "",
    separators: Set<Character> = [], tokenCharacters: Set<Character> = []
  ) -> FTS5TokenizerDescriptor {
    let components = ["unicode61", "remove_diacritics", "\(diacritics.rawValue)"]
    return FTS5TokenizerDescriptor(
      components: components + (categories.isEmpty ? [] : ["categories", categories])
        + options(separators, tokenCharacters))
  }

  private static func options(
    _ separators: Set<Character>, _ tokenCharacters: Set<Character>
  ) -> [String] {
    [("separators", separators), ("tokenchars", tokenCharacters)].flatMap { name, characters in
      characters.isEmpty ? [] : [name, characters.sorted().map(String.init).joined()]
    }
  }

  /// Returns the tokenizer for stems of English words, so that "burn" matches "burning".
  ///
  /// - Parameter base: The tokenizer that splits the text; `unicode61` by default.
  /// - Returns: The tokenizer.
  public static func porter(
    wrapping base: FTS5TokenizerDescriptor = .unicode61()
  ) -> FTS5TokenizerDescriptor {
    FTS5TokenizerDescriptor(components: ["porter"] + base.components)
  }

  /// Returns the tokenizer for all sequences of three characters, which matches parts of words.
  ///
  /// - Parameter isCaseSensitive: Whether the case of letters is significant.
  /// - Returns: The tokenizer.
  public static func trigram(isCaseSensitive: Bool = false) -> FTS5TokenizerDescriptor {
    FTS5TokenizerDescriptor(
      components: ["trigram"] + (isCaseSensitive ? ["case_sensitive", "1"] : []))
  }

  /// The value of the option `tokenize`: a quoted list of quoted components.
  var sql: String {
    components.map { $0.quoted(by: "'") }.joined(separator: " ").quoted(by: "'")
  }
}
