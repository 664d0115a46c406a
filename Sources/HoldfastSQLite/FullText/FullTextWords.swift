/// The words of a text that a user typed, of which a full-text pattern is made.
///
/// They are the parts between whitespace that contain a letter or a digit; a tokenizer would find
/// nothing in the others.
struct FullTextWords {
  /// The words in order; at least one.
  let all: [Substring]

  /// Splits a text; the result is `nil` when it has no letters and no digits.
  init?(_ text: String) {
    let scalars = text.unicodeScalars
    var words: [Substring] = []
    var start = scalars.startIndex
    var isWord = false
    func endWord(at end: String.Index) {
      if isWord {
        // Most texts have few words, so that the array need not grow.
        if words.isEmpty { words.reserveCapacity(4) }
        words.append(text[start..<end])
      }
      isWord = false
    }
    var index = start
    while index < scalars.endIndex {
      let scalar = scalars[index]
      let next = scalars.index(after: index)
      if Self.isSeparator(scalar) {
        endWord(at: index)
        start = next
      } else if !isWord {
        isWord = Self.isLetterOrDigit(scalar)
      }
      index = next
    }
    endWord(at: index)
    if words.isEmpty { return nil }
    all = words
  }

  /// Each different word once, because a repeated one costs time and does not change the result.
  var different: [Substring] {
    // Fewer comparisons than a set would make hashes.
    if all.count <= 4 {
      let isRepeated = all.indices.contains { index in
        all[..<index].contains { $0.utf8.elementsEqual(all[index].utf8) }
      }
      if !isRepeated { return all }
    }
    var seen: Set<ExactText> = []
    return all.filter { seen.insert(ExactText(String($0))).inserted }
  }

  /// Returns each different word between quotes.
  ///
  /// - Parameters:
  ///   - suffix: The text after each closing quote.
  ///   - separator: The text between two words.
  /// - Returns: The words as one text.
  func quoted(suffix: String = "", separator: String = " ") -> String {
    let words = different
    var quoted = ""
    let more = 2 + suffix.utf8.count + separator.utf8.count
    quoted.reserveCapacity(words.reduce(0) { $0 + $1.utf8.count + more })
    for word in words {
      if !quoted.isEmpty { quoted += separator }
      if word.utf8.contains(UInt8(ascii: "\"")) {
        quoted += String(word).quoted(by: "\"")
      } else {
        quoted += "\""
        quoted += word
        quoted += "\""
      }
      quoted += suffix
    }
    return quoted
  }

  /// Returns whether a character is between words; a NUL would end the pattern inside its quotes.
  private static func isSeparator(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0, 9...13, 32: true
    case ..<0x80: false
    default: scalar.properties.isWhitespace
    }
  }

  /// Returns whether `unicode61` may keep the character: letters, numbers, private use.
  ///
  /// The tokenizer implements an older version of Unicode, so this may be true for a character that
  /// it drops; such a word matches nothing, or FTS5 ignores it if there are others.
  static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9": return true
    case ..."\u{7F}": return false
    default: break
    }
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .decimalNumber, .letterNumber, .otherNumber, .privateUse:
      return true
    default:
      return false
    }
  }
}
