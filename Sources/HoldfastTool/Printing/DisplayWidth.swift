extension String {
  /// The number of columns of this text on a terminal; it must not contain control characters.
  var displayWidth: Int {
    // Most cells are ASCII, where the width is the length.
    utf8.allSatisfy { $0 < 0x80 } ? utf8.count : unicodeScalars.displayWidth
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

extension String.UnicodeScalarView {
  /// The width of the text, without its division into characters where scalars tell enough.
  fileprivate var displayWidth: Int {
    var total = 0
    // Since the last place where a character certainly ends.
    var (start, width, hasEmoji, wasPlain) = (startIndex, 0, false, false)
    var index = startIndex
    while index < endIndex {
      let scalar = self[index]
      let plain = scalar.plainDisplayWidth
      if let plain, wasPlain {
        total += hasEmoji ? String(self[start..<index]).widthOfCharacters : width
        (start, width, hasEmoji) = (index, plain, false)
      } else {
        hasEmoji = hasEmoji || plain == nil && scalar.isEmoji
        if !hasEmoji { width += plain ?? scalar.displayWidth }
      }
      wasPlain = plain != nil
      formIndex(after: &index)
    }
    return total + (hasEmoji ? String(self[start...]).widthOfCharacters : width)
  }
}

extension String {
  fileprivate var widthOfCharacters: Int { reduce(0) { $0 + $1.displayWidth } }
}

extension Character {
  /// The number of columns of this character: 0, 1 or 2, or more for a few Indic clusters.
  var displayWidth: Int {
    unicodeScalars.contains { $0.isEmoji }
      ? 2 : unicodeScalars.reduce(0) { $0 + $1.displayWidth }
  }
}

extension Unicode.Scalar {
  /// Whether the character with this scalar is drawn as a picture.
  fileprivate var isEmoji: Bool {
    // U+FE0F selects the emoji form of a character that is text by default.
    value >= 0x231A && (properties.isEmojiPresentation || value == 0xFE0F)
  }

  /// The width of a letter or a sign that is a character of its own between two of its kind; `nil` for
  /// others, such as marks, emoji, letters that join, and what is looked up too rarely to be listed.
  ///
  /// - SeeAlso: Unicode Standard Annex 29, "Grapheme Cluster Boundary Rules".
  fileprivate var plainDisplayWidth: Int? {
    switch value {
    // U+00A9 and U+00AE can be emoji, and U+00AD is not drawn.
    case 0x20...0x7E, 0xA0...0xA8, 0xAA...0xAC, 0xAF...0x2FF, 0x370...0x482, 0x48A...0x58F,
      0x620...0x64A, 0x1E00...0x1FFF, 0x2010...0x2027, 0x2030...0x203B, 0xFF61...0xFF9D:
      1
    case 0x3001...0x3029, 0x3041...0x3096, 0x309B...0x30FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
      0xAC00...0xD7A3, 0xFF01...0xFF60, 0x20000...0x2FA1D:
      2
    default: nil
    }
  }

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
