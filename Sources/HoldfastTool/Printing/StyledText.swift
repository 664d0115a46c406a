/// A text, parts of which have a style.
///
/// Its texts come from databases and files: what a terminal would obey in them is escaped when they are
/// printed, and the styles are added afterwards.
struct StyledText: Equatable {
  /// A part in one style.
  struct Part: Equatable {
    var text: String
    var style: TextStyle?
  }

  private(set) var parts: [Part] = []

  init() {}

  init(_ text: String, _ style: TextStyle? = nil) { append(text, style) }

  /// Appends a text.
  mutating func append(_ text: String, _ style: TextStyle? = nil) {
    guard !text.isEmpty else { return }
    if let last = parts.indices.last, parts[last].style == style {
      parts[last].text += text
    } else {
      parts.append(Part(text: text, style: style))
    }
  }

  /// Appends another text with its styles.
  mutating func append(_ other: StyledText) {
    for part in other.parts { append(part.text, part.style) }
  }

  /// Removes the spaces at the end.
  mutating func removeTrailingSpaces() {
    while let last = parts.indices.last {
      while parts[last].text.last == " " { parts[last].text.removeLast() }
      guard parts[last].text.isEmpty else { return }
      parts.removeLast()
    }
  }

  /// The text without its styles.
  var plain: String { parts.count == 1 ? parts[0].text : parts.map(\.text).joined() }

  /// Returns the text as it is sent to a terminal or a file.
  ///
  /// - Parameters:
  ///   - escapingControls: Whether it is sent to a terminal, which would obey controls.
  ///   - isStyled: Whether the terminal shows styles.
  /// - Returns: The text, in which only the styles control a terminal.
  func rendered(escapingControls: Bool, isStyled: Bool) -> String {
    parts.reduce(into: "") { result, part in
      let text = escapingControls ? part.text.escapingControlsInLines : part.text
      if isStyled, let style = part.style {
        result += "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m"
      } else {
        result += text
      }
    }
  }
}
