/// The words of a text that a user typed, of which a full-text pattern is made.
///
/// They are the parts between whitespace that contain a letter or a digit; a tokenizer would find
/// nothing in the others.
struct FullTextWords {
  /// The words in order; at least one.
  let all: [String]

  /// Each different word once, because a repeated one costs time and does not change the result.
  var different: [String] {
    var seen: Set<ExactText> = []
    return all.filter { seen.insert(ExactText($0)).inserted }
  }

  /// Splits a text; the result is `nil` when it has no letters and no digits.
  init?(_ text: String) {
    all = text.unicodeScalars
      // A NUL would end the pattern inside its quotes.
      .split { $0.properties.isWhitespace || $0.value == 0 }
      .filter { $0.contains(where: Self.isLetterOrDigit) }
      .map { String($0) }
    if all.isEmpty { return nil }
  }

  /// Returns whether `unicode61` may keep the character: letters, numbers, private use.
  ///
  /// The tokenizer implements an older version of Unicode, so this may be true for a character that
  /// it drops; such a word matches nothing, or FTS5 ignores it if there are others.
  static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .decimalNumber, .letterNumber, .otherNumber, .privateUse:
      true
    default:
      false
    }
  }
}
