/// The characters of one file of glyphs: 256 of them.
struct GlyphRange: Hashable, Comparable, Sendable {
  /// The first character, a multiple of 256.
  let first: Int

  /// The name of the file without its ending.
  var name: String { "\(first)-\(first + 255)" }

  static func < (left: GlyphRange, right: GlyphRange) -> Bool { left.first < right.first }

  /// Returns the ranges that MapLibre Native reads for a text, each with whether iOS needs it too: there
  /// some characters are drawn with the system's fonts.
  ///
  /// It looks for each unit of UTF-16, so that an emoji needs two ranges. Arabic letters are replaced by
  /// their forms before that.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - isVertical: Whether it may be written from top to bottom, with other signs then.
  /// - Returns: The ranges; `true` for those that iOS needs too.
  static func all(in text: String, isVertical: Bool = false) -> [GlyphRange: Bool] {
    var ranges: [GlyphRange: Bool] = [:]
    func add(_ unit: UInt16) {
      let range = GlyphRange(first: Int(shaped(unit)) & ~255)
      ranges[range] = ranges[range] == true || !isDrawnBySystem(unit)
    }
    for unit in text.utf16 {
      add(unit)
      if isVertical, let replacement = VerticalWriting.replacement(of: unit) { add(replacement) }
    }
    return ranges
  }

  /// Returns the characters of a text of which a map shows nothing if a font has no glyph for them, by their files.
  ///
  /// Spaces and signs that cannot be seen are not among them, nor halves of pairs, which no font has; nor those that
  /// are replaced by others, or drawn by iOS.
  static func visible(in text: String) -> [GlyphRange: GlyphSet] {
    var sets: [GlyphRange: GlyphSet] = [:]
    for unit in text.utf16 where isVisible(unit) {
      let range = GlyphRange(first: Int(unit) & ~255)
      sets[range, default: GlyphSet()].insert(Int(unit) & 255)
    }
    return sets
  }

  private static func isVisible(_ unit: UInt16) -> Bool {
    if (0x21...0x7E).contains(unit) { return true }
    guard let scalar = Unicode.Scalar(unit), shaped(unit) == unit, !isDrawnBySystem(unit) else {
      return false
    }
    switch scalar.properties.generalCategory {
    case .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator, .nonspacingMark,
      .enclosingMark, .unassigned, .privateUse, .surrogate:
      return false
    default: return !scalar.properties.isDefaultIgnorableCodePoint
    }
  }

  /// Returns whether MapLibre Native for iOS draws a character without a file.
  ///
  /// - SeeAlso: `allowsFixedWidthGlyphGeneration` in the source of MapLibre Native
  private static func isDrawnBySystem(_ unit: UInt16) -> Bool {
    switch unit {
    // Hiragana and Katakana, CJK ideographs without their extensions, Hangul; but not the punctuation, the
    // full-width forms and the rarer blocks of the same scripts.
    case 0x3040...0x30FF, 0x4E00...0x9FFF, 0xAC00...0xD7AF: true
    default: false
    }
  }

  /// Returns a character of the block in which the forms of an Arabic letter are.
  ///
  /// The engine asked for these ranges for each character of the block, alone and between two letters. A letter
  /// that has no forms, such as a hamza, stays.
  private static func shaped(_ unit: UInt16) -> UInt16 {
    switch unit {
    case 0x0622...0x063A, 0x0641...0x0652, 0x065C...0x065F: 0xFE80
    case 0x0679...0x067B, 0x067E, 0x0686, 0x0688, 0x068C...0x068E, 0x0691, 0x0698, 0x06A9,
      0x06AF, 0x06BA, 0x06BB, 0x06BE, 0x06C0, 0x06C1, 0x06C5...0x06C9, 0x06CB, 0x06CC, 0x06D0,
      0x06D2, 0x06D3:
      0xFB50
    default: unit
    }
  }
}
