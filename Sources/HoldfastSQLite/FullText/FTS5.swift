/// SQLite's full-text module, for ``Database/create(virtualTable:options:using:_:)``.
///
/// - SeeAlso: <https://www.sqlite.org/fts5.html>
public struct FTS5: Sendable {
  /// Creates the module.
  public init() {}

  /// What the `unicode61` tokenizer does with diacritics.
  public enum Diacritics: Int, Sendable {
    /// `é` and `e` are two letters.
    case keep = 0
    /// `é` is found as `e`, but not where it is written with two diacritics at once.
    case removeLegacy = 1
    /// `é` is found as `e`.
    case remove = 2
  }

  /// How much of a word's places is stored.
  public enum Detail: String, Sendable {
    /// Every place, so that phrases and `NEAR` work.
    case full
    /// Only the columns: no phrases.
    case column
    /// Only the rows: no phrases and no column filters.
    case none
  }
}

/// What a full-text table splits texts into words by.
///
/// For search while one types, leave stemming (`porter`) out: a stem and a prefix do not meet.
///
/// - SeeAlso: <https://www.sqlite.org/fts5.html#tokenizers>
public struct FTS5TokenizerDescriptor: Hashable, Sendable {
  /// The tokenizer's name, then its arguments.
  public let components: [String]

  /// Creates a description.
  ///
  /// - Parameter components: The tokenizer's name, then its arguments.
  public init(components: [String]) {
    self.components = components
  }

  /// Words of ASCII letters and digits, and of whatever is not ASCII.
  public static func ascii() -> FTS5TokenizerDescriptor {
    FTS5TokenizerDescriptor(components: ["ascii"])
  }

  /// Words of letters and digits of all of Unicode, whatever their case.
  ///
  /// - Parameters:
  ///   - diacritics: What is done with them; removed unless told, so that a search without finds.
  ///   - separators: Further characters that end a word.
  ///   - tokenCharacters: Further characters that belong to words.
  /// - Returns: The description.
  public static func unicode61(
    diacritics: FTS5.Diacritics = .remove, separators: Set<Character> = [],
    tokenCharacters: Set<Character> = []
  ) -> FTS5TokenizerDescriptor {
    var components = ["unicode61", "remove_diacritics", "\(diacritics.rawValue)"]
    if !separators.isEmpty {
      components += ["separators", separators.sorted().map(String.init).joined()]
    }
    if !tokenCharacters.isEmpty {
      components += ["tokenchars", tokenCharacters.sorted().map(String.init).joined()]
    }
    return FTS5TokenizerDescriptor(components: components)
  }

  /// The stems of English words, so that "burning" is found as "burn".
  ///
  /// - Parameter base: What splits the text; `unicode61` by default.
  /// - Returns: The description.
  public static func porter(
    wrapping base: FTS5TokenizerDescriptor = .unicode61()
  ) -> FTS5TokenizerDescriptor {
    FTS5TokenizerDescriptor(components: ["porter"] + base.components)
  }

  /// Every three characters, so that any part of a word is found.
  ///
  /// - Parameter isCaseSensitive: Whether the letters' case counts.
  /// - Returns: The description.
  public static func trigram(isCaseSensitive: Bool = false) -> FTS5TokenizerDescriptor {
    FTS5TokenizerDescriptor(
      components: ["trigram"] + (isCaseSensitive ? ["case_sensitive", "1"] : []))
  }

  /// The value of the option `tokenize`: a text that holds texts.
  var sql: String {
    components.map { $0.quoted(by: "'") }.joined(separator: " ").quoted(by: "'")
  }
}
