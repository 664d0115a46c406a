extension String {
  /// The text as far as a message shows it: a swallowed file would not fit.
  var clipped: String { count > 60 ? prefix(60) + "…" : self }

  /// The text without what would upset a terminal or a log: feeds and archives may hold anything.
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
