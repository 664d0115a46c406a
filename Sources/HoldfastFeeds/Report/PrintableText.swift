extension String {
  /// The text, shortened for a message: a field with an unclosed quote may contain a whole file.
  var clipped: String { count > 60 ? prefix(60) + "…" : self }

  /// The text without characters that would affect a terminal or a log: feeds may contain any.
  var printable: String {
    String(
      String.UnicodeScalarView(
        unicodeScalars.map { scalar in
          switch scalar.properties.generalCategory {
          case .control, .format, .lineSeparator, .paragraphSeparator: "\u{FFFD}"
          default: scalar
          }
        }))
  }
}
