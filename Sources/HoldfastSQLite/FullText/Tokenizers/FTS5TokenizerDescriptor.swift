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
  /// - Returns: The descriptor of FTS5's `ascii`.
  public static func ascii(
    separators: Set<Character> = [], tokenCharacters: Set<Character> = []
  ) -> FTS5TokenizerDescriptor {
    FTS5TokenizerDescriptor(
      components: ["ascii"] + options(separators: separators, tokenCharacters: tokenCharacters))
  }

  /// Returns the tokenizer for words of Unicode letters and digits, which ignores case.
  ///
  /// - Parameters:
  ///   - diacritics: The handling of diacritics; by default they are removed, so that a search
  ///     without diacritics finds words with them.
  ///   - categories: The general categories of Unicode whose characters belong to words, separated by
  ///     spaces, such as `L* N* Co`; those three if it is empty.
  ///   - separators: Additional characters that separate words.
  ///   - tokenCharacters: Additional characters that belong to words.
  /// - Returns: The descriptor of FTS5's `unicode61`.
  public static func unicode61(
    diacritics: FTS5.Diacritics = .remove, categories: String = "",
    separators: Set<Character> = [], tokenCharacters: Set<Character> = []
  ) -> FTS5TokenizerDescriptor {
    FTS5TokenizerDescriptor(
      components: ["unicode61", "remove_diacritics", "\(diacritics.rawValue)"]
        + (categories.isEmpty ? [] : ["categories", categories])
        + options(separators: separators, tokenCharacters: tokenCharacters))
  }

  /// Returns the tokenizer for stems of English words, so that "burn" matches "burning".
  ///
  /// - Parameter base: The tokenizer that splits the text; ``unicode61(diacritics:categories:separators:tokenCharacters:)``
  ///   if `nil`.
  /// - Returns: The descriptor of FTS5's `porter`.
  public static func porter(
    wrapping base: FTS5TokenizerDescriptor? = nil
  ) -> FTS5TokenizerDescriptor {
    FTS5TokenizerDescriptor(components: ["porter"] + (base ?? .unicode61()).components)
  }

  /// Returns the tokenizer for all sequences of three characters, which matches parts of words.
  ///
  /// - Parameter isCaseSensitive: Whether the case of letters is significant.
  /// - Returns: The descriptor of FTS5's `trigram`.
  public static func trigram(isCaseSensitive: Bool = false) -> FTS5TokenizerDescriptor {
    FTS5TokenizerDescriptor(
      components: ["trigram"] + (isCaseSensitive ? ["case_sensitive", "1"] : []))
  }

  private static func options(
    separators: Set<Character>, tokenCharacters: Set<Character>
  ) -> [String] {
    [("separators", separators), ("tokenchars", tokenCharacters)].flatMap { name, characters in
      characters.isEmpty ? [] : [name, characters.sorted().map(String.init).joined()]
    }
  }

  /// The value of the option `tokenize`: a quoted list of quoted components.
  var sql: String {
    components.map { $0.quoted(by: "'") }.joined(separator: " ").quoted(by: "'")
  }
}
