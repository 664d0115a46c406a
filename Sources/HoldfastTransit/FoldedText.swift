import Foundation

/// A text as it reads in plain small letters, by which names are found however they are spelt.
///
/// SQLite's tokenizer drops the marks of Latin letters and knows no more: not that `Łódź` is typed
/// as `lodz`, `Straße` as `strasse`, `ＪＲ` as `JR`, nor that one and the same name may be written
/// in one code point per letter or in two. So names with other letters than ASCII's are indexed
/// in this form too, and what is searched for is always brought to it.
package struct FoldedText: Hashable, Sendable {
  /// The folded text, in which marks between words stay where they were.
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

  /// What the search index holds besides the texts themselves.
  ///
  /// - Parameter texts: What a stop is found by, its name first.
  /// - Returns: The folded texts in a row; `nil` when they hold nothing but ASCII, which the
  ///   tokenizer folds alike.
  package static func index(of texts: [String?]) -> String? {
    let texts = texts.compactMap(\.self)
    guard texts.contains(where: { !$0.utf8.allSatisfy { $0 < 0x80 } }) else { return nil }
    return texts.map { FoldedText($0).text }.joined(separator: " ")
  }

  /// The letters and digits alone: equal for two texts that differ in marks and blanks only.
  var letters: String {
    var letters = String.UnicodeScalarView()
    letters.append(
      contentsOf: text.unicodeScalars.lazy.filter {
        $0.properties.isAlphabetic || $0.properties.numericType != nil
      })
    return String(letters)
  }

  /// Whether words may follow each other in the text without a blank between them.
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

  /// Latin letters that Unicode does not take apart, as people write them without.
  private static let plainLetters: [Unicode.Scalar: String] = [
    "æ": "ae", "ð": "d", "ø": "o", "þ": "th", "ß": "ss", "đ": "d", "ħ": "h", "ı": "i", "ĸ": "k",
    "ł": "l", "ŋ": "ng", "œ": "oe", "ŧ": "t", "ə": "e",
  ]

  /// Thai and Lao, Myanmar, Khmer, kana.
  private static let blocksWithoutBlanks: [ClosedRange<UInt32>] = [
    0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF, 0x3040...0x30FF,
  ]
}
