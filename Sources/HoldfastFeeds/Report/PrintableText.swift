extension String {
  /// The text, shortened for a message: a field with an unclosed quote may contain a whole file.
  var clipped: String { utf8.count > 60 && count > 60 ? prefix(60) + "…" : self }

  /// The text without characters that would affect a terminal or a log: feeds may contain any.
  var printable: String {
    // A feed may have a problem in each of millions of rows.
    if utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return self }
    return String(
      String.UnicodeScalarView(
        unicodeScalars.map { scalar in
          switch scalar.properties.generalCategory {
          case .control, .format, .lineSeparator, .paragraphSeparator: "\u{FFFD}"
          default: scalar
          }
        }))
  }
}
