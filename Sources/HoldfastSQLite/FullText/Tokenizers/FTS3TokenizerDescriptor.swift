/// A tokenizer, which splits the texts of an FTS3 or FTS4 table into words.
///
/// - SeeAlso: <https://www.sqlite.org/fts3.html#tokenizer>
public struct FTS3TokenizerDescriptor: Hashable, Sendable {
  private let name: String
  private let options: [String]

  private init(_ name: String, options: [String] = []) {
    (self.name, self.options) = (name, options)
  }

  /// The tokenizer for words of ASCII letters, digits and all non-ASCII characters.
  ///
  /// It ignores the case of ASCII letters.
  public static let simple = FTS3TokenizerDescriptor("simple")

  /// The tokenizer for stems of English words, so that "burn" matches "burning".
  ///
  /// A stem may not match a prefix: with this tokenizer, do not search as the user types.
  public static let porter = FTS3TokenizerDescriptor("porter")

  /// Returns the tokenizer for words of Unicode letters and digits, which ignores case.
  ///
  /// - Parameters:
  ///   - diacritics: The handling of diacritics; by default they are removed, so that a search
  ///     without diacritics finds words with them.
  ///   - separators: Additional characters that separate words.
  ///   - tokenCharacters: Additional characters that belong to words.
  /// - Returns: The descriptor of FTS3's and FTS4's `unicode61`.
  public static func unicode61(
    diacritics: FTS3.Diacritics = .remove, separators: Set<Character> = [],
    tokenCharacters: Set<Character> = []
  ) -> FTS3TokenizerDescriptor {
    let sets = [("separators", separators), ("tokenchars", tokenCharacters)]
    return FTS3TokenizerDescriptor(
      "unicode61",
      options: ["remove_diacritics=\(diacritics.rawValue)"]
        + sets.filter { !$0.1.isEmpty }.map { name, characters in
          "\(name)=" + characters.sorted().map(String.init).joined()
        })
  }

  /// The name and the quoted options, as arguments of the module `fts3tokenize`.
  var arguments: [String] {
    [name] + options.map { $0.quoted(by: "\"") }
  }

  /// The option `tokenize` of a table.
  var option: String { "tokenize=" + arguments.joined(separator: " ") }
}
