/// The width of a text in a picture, which no font is asked for.
///
/// The widest of the usual fonts without serifs is measured, so that there is room for any of them.
enum TextMeasure {
  /// Returns the width of a text in pixels.
  ///
  /// - Parameters:
  ///   - text: A text without control characters.
  ///   - size: The size of the letters in pixels.
  ///   - isBold: Whether the letters are bold.
  /// - Returns: The width in the widest of the usual fonts.
  static func width(of text: String, size: Double, isBold: Bool = false) -> Double {
    let ems = text.reduce(0.0) { $0 + width(of: $1) }
    return ems * size * (isBold ? 1.1 : 1)
  }

  private static func width(of character: Character) -> Double {
    guard let scalar = character.unicodeScalars.first else { return 0 }
    switch character {
    case "i", "j", "l", "I", "'", "’", "|", ".", ",", ":", ";", "!": return 0.34
    case "f", "r", "t", "(", ")", "/", "-", " ": return 0.4
    case "m", "w", "M", "W", "@", "%", "–", "—": return 0.92
    default: break
    }
    if character.displayWidth > 1 { return 1.05 }
    return scalar.properties.isUppercase || scalar.properties.numericType != nil ? 0.68 : 0.6
  }

  /// Returns the beginning of a text that fits into a width, with `…` if it is truncated.
  static func truncated(_ text: String, to width: Double, size: Double, isBold: Bool = false)
    -> String
  {
    guard Self.width(of: text, size: size, isBold: isBold) > width else { return text }
    var kept = text
    while !kept.isEmpty, Self.width(of: kept + "…", size: size, isBold: isBold) > width {
      kept.removeLast()
    }
    while kept.last == " " { kept.removeLast() }
    return kept.isEmpty ? "" : kept + "…"
  }

  /// Returns a text in lines of limited width, wrapped at spaces; longer words stay whole.
  static func wrapped(_ text: String, to width: Double, size: Double, isBold: Bool = false)
    -> [String]
  {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let line = lines.last,
        Self.width(of: "\(line) \(word)", size: size, isBold: isBold) <= width
      {
        lines[lines.count - 1] += " \(word)"
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }
}
