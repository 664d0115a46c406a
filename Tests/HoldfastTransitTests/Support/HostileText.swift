extension String {
  /// Returns a text of fragments with a meaning in search syntax, SQL, C or Unicode.
  static func hostile(using random: inout some RandomNumberGenerator) -> String {
    let count = Int.random(in: 0...8, using: &random)
    return (0..<count).map { _ in hostilePieces.randomElement(using: &random) ?? "" }
      .joined(separator: Bool.random(using: &random) ? " " : "")
  }

  private static let hostilePieces = [
    "\"", "\"\"", "'", "''", "*", "^", ":", "-", "--", "+", "(", ")", "{", "}", "[", "]", "<", ">",
    ",", ".", ";", "=", "\\", "/", "/*", "*/", "%", "_", "&", "|", "~", "$", "`", "?", "?1", "@",
    "#", "!", "AND", "OR", "NOT", "NEAR", "NEAR(", "NEAR(a b, 2)", "and", "or", "not", "name:",
    "{name code}:", "-name:", "sid:1", "rank", "\0", "a\0b", "\u{1}", "\u{7F}", "\n", "\r\n",
    "\t", "\u{A0}", "\u{200B}", "\u{200D}", "\u{2028}", "\u{FEFF}", "\u{FFFD}", "\u{10FFFF}",
    "😀", "👨‍👩‍👧‍👦", "🇳🇿", "❤️", "e\u{301}", "\u{301}", "\u{301}\u{302}", "\u{3099}", "ﬁ", "ß", "İ", "ı",
    "ſ", "Σ", "ς", "Ǆ", "天", "后廟", "駅前", "가각", "\u{1100}\u{1161}", "שלום", "مُحَمَّد", "हिन्दी", "ไทย",
    "\u{202E}", "½", "²", "①", "Ⅷ", "\u{E000}", "\u{1E900}", "\u{16EBB}", "circ", "quay",
    "CIRCULAR",
    "central", "platform", "Łódź", "1", "0101", "a", "A",
  ]
}
