/// A text of a message in one or several languages.
///
/// - SeeAlso: <https://gtfs.org/documentation/realtime/reference/#message-translatedstring>
public struct TranslatedString: Hashable, Sendable {
  /// The text in one language.
  public struct Translation: Hashable, Sendable {
    /// The text.
    public var text: String
    /// The language as a BCP 47 tag; `nil` if it is unknown, which one translation may have.
    public var language: String?

    /// Creates a translation.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - language: The language as a BCP 47 tag.
    public init(text: String, language: String? = nil) {
      (self.text, self.language) = (text, language)
    }
  }

  /// The translations, in the order of the message.
  public var translations: [Translation]

  /// Creates a text.
  ///
  /// - Parameter translations: The translations.
  public init(_ translations: [Translation]) {
    self.translations = translations
  }

  /// Returns the text in the language that fits best.
  ///
  /// For each preferred language, in order, the exact tag is sought, then the tag without its last
  /// parts, then any tag of the same language. Without one, the text without a language is taken, then
  /// the first one.
  ///
  /// - Parameter languages: BCP 47 tags, the most preferred one first.
  /// - Returns: The text; `nil` if there is none.
  public func text(in languages: [String]) -> String? {
    for language in languages {
      let preference = LanguagePreference(language)
      let ranked = translations.compactMap { translation in
        translation.language.flatMap(preference.rank).map { (translation.text, $0) }
      }
      if let best = ranked.min(by: { $0.1 < $1.1 }) { return best.0 }
    }
    return (translations.first { $0.language == nil } ?? translations.first)?.text
  }
}
