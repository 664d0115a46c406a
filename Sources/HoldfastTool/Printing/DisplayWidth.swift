extension String {
  /// The number of columns of this text on a terminal; it must not contain control characters.
  var displayWidth: Int {
    // Most cells are ASCII, where the width is the length.
    utf8.allSatisfy { $0 < 0x80 } ? utf8.count : reduce(0) { $0 + $1.displayWidth }
  }

  /// Returns this text, followed by spaces up to a column.
  func padding(toColumn column: Int) -> String {
    self + String(repeating: " ", count: max(0, column - displayWidth))
  }

  /// Returns this text, preceded by spaces up to a column.
  func paddingLeft(toColumn column: Int) -> String {
    String(repeating: " ", count: max(0, column - displayWidth)) + self
  }

  /// Returns the beginning of this text that fits into a width, with `…` if it is truncated.
  func truncated(toColumns columns: Int) -> String {
    guard displayWidth > columns else { return self }
    var kept = ""
    var width = 0
    for character in self {
      width += character.displayWidth
      guard width < columns else { break }
      kept.append(character)
    }
    return columns > 0 ? kept + "…" : ""
  }

  /// Returns this text in lines of limited width, wrapped at spaces; longer words stay whole.
  func wrapped(toColumns columns: Int) -> [String] {
    var lines: [String] = []
    for word in split(separator: " ", omittingEmptySubsequences: false) {
      if let line = lines.last, line.displayWidth + 1 + String(word).displayWidth <= columns {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }
}

extension String {
  /// Returns this text in lines of limited width, broken anywhere; wider characters stay whole.
  func broken(toColumns columns: Int) -> [String] {
    var lines = [""]
    var width = 0
    for character in self {
      let own = character.displayWidth
      if width > 0, width + own > columns {
        lines.append("")
        width = 0
      }
      lines[lines.count - 1].append(character)
      width += own
    }
    return lines
  }
}

extension Character {
  /// The number of columns of this character: 0, 1 or 2, or more for a few Indic clusters.
  var displayWidth: Int {
    let isEmoji = unicodeScalars.contains {
      // U+FE0F selects the emoji form of a character that is text by default.
      $0.properties.isEmojiPresentation || $0 == "\u{FE0F}"
    }
    return isEmoji ? 2 : unicodeScalars.reduce(0) { $0 + $1.displayWidth }
  }
}

extension Unicode.Scalar {
  fileprivate var displayWidth: Int {
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: 0
    default: isConjoiningVowelOrFinal ? 0 : isWide ? 2 : 1
    }
  }

  /// Whether this is a Hangul letter that is drawn inside the syllable of the wide letter before
  /// it.
  private var isConjoiningVowelOrFinal: Bool {
    (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FF).contains(value)
  }

  /// Whether the East Asian width is Wide or Fullwidth.
  ///
  /// Blocks are counted as a whole, as terminals do.
  ///
  /// - SeeAlso: Unicode Standard Annex 11, EastAsianWidth.txt.
  private var isWide: Bool {
    switch value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F,
      0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF00...0xFF60,
      0xFFE0...0xFFE6, 0x16FE0...0x18CFF, 0x1AFF0...0x1B2FF, 0x20000...0x3FFFD:
      true
    default:
      false
    }
  }
}
