import Foundation

/// A text folded to plain lowercase letters, so that names are found in any spelling.
///
/// SQLite's tokenizer only drops the diacritics of Latin letters. It does not know that `Łódź` is
/// typed as `lodz`, `Straße` as `strasse`, `ＪＲ` as `JR`, or that a letter may be encoded in one
/// code point or in two. So names that contain non-ASCII letters are also indexed in this form, and
/// search text is always converted to it.
package struct FoldedText: Hashable, Sendable {
  /// The folded text; punctuation between words is kept.
  package let text: String

  /// Folds a text.
  package init(_ original: String) {
    let small = original.lowercased()
    if small.utf8.allSatisfy({ $0 < 0x80 }) {
      text = small
      return
    }
    var folded = String.UnicodeScalarView()
    for scalar in small.decomposedStringWithCompatibilityMapping.unicodeScalars {
      if let letters = Self.plainLetters[scalar] {
        folded.append(contentsOf: letters.unicodeScalars)
      } else if !Self.isMark(scalar) {
        folded.append(scalar)
      }
    }
    text = String(folded)
  }

  private init(folded text: String) {
    self.text = text
  }

  /// The text with its hiragana as katakana, or else its katakana as hiragana; `nil` without kana.
  ///
  /// Riders type how a name is read in hiragana, and feeds have that in katakana.
  var inOtherKana: FoldedText? {
    let (hiragana, katakana): (ClosedRange<UInt32>, ClosedRange<UInt32>) = (
      0x3041...0x3096, 0x30A1...0x30F6
    )
    func has(_ letters: ClosedRange<UInt32>) -> Bool {
      text.unicodeScalars.contains { letters.contains($0.value) }
    }
    guard has(hiragana) || has(katakana) else { return nil }
    let (from, to) = has(hiragana) ? (hiragana, katakana) : (katakana, hiragana)
    var other = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      let letter =
        from.contains(scalar.value)
        ? Unicode.Scalar(scalar.value - from.lowerBound + to.lowerBound) : nil
      other.append(letter ?? scalar)
    }
    return FoldedText(folded: String(other))
  }

  /// Returns the folded text that the search index holds in addition to the texts themselves.
  ///
  /// - Parameter texts: The texts by which a stop is found, its name first.
  /// - Returns: The folded texts, joined; `nil` when they are all ASCII, which the tokenizer folds
  ///   in the same way.
  package static func index(of texts: [String?]) -> String? {
    let texts = texts.compactMap(\.self)
    guard texts.contains(where: { !$0.utf8.allSatisfy { $0 < 0x80 } }) else { return nil }
    return texts.map { FoldedText($0).text }.joined(separator: " ")
  }

  /// Whether the text may contain words that are not separated by spaces.
  var hasScriptWithoutBlanks: Bool {
    text.unicodeScalars.contains { scalar in
      scalar.properties.isIdeographic
        || Self.blocksWithoutBlanks.contains { $0.contains(scalar.value) }
    }
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: true
    default: false
    }
  }

  /// The plain spellings of Latin letters that Unicode does not decompose.
  private static let plainLetters: [Unicode.Scalar: String] = [
    "æ": "ae", "ð": "d", "ø": "o", "þ": "th", "ß": "ss", "đ": "d", "ħ": "h", "ı": "i", "ĸ": "k",
    "ł": "l", "ŋ": "ng", "œ": "oe", "ŧ": "t", "ə": "e",
  ]

  /// The blocks of scripts without spaces: Thai and Lao, Myanmar, Khmer, kana.
  private static let blocksWithoutBlanks: [ClosedRange<UInt32>] = [
    0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF, 0x3040...0x30FF,
  ]
}
