/// A language that a rider prefers.
struct LanguagePreference: Hashable, Sendable {
  /// The parts of the tag in small letters, such as `zh`, `hant`, `tw`.
  private let parts: [Substring]

  /// Creates a preference.
  ///
  /// - Parameter tag: A BCP 47 tag, such as `zh-Hant-TW`; parts may also be separated by `_`.
  init(_ tag: String) {
    parts = Self.parts(tag)
  }

  private static func parts(_ tag: String) -> [Substring] {
    tag.lowercased().split { $0 == "-" || $0 == "_" }
  }

  /// Returns how well a language fits: 0 for the same tag, more for each part that is left out, most
  /// for other tags of the same language.
  ///
  /// - Parameter tag: The tag of the language.
  /// - Returns: The rank; `nil` for another language.
  /// - SeeAlso: RFC 4647, section 3.4, "Lookup"
  func rank(of tag: String) -> Int? {
    let other = Self.parts(tag)
    guard let language = parts.first, other.first == language else { return nil }
    if parts.starts(with: other) { return parts.count - other.count }
    return parts.count + other.count
  }
}
