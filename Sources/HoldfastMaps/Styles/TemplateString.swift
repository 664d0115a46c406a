import Holdfast
import HoldfastFiles

/// The value of a placeholder, ready to be written.
struct StyleValue {
  /// The path, for a value that is a file.
  let file: FilePath?
  let text: String

  init(_ value: MapStyle.Value) throws(FileError) {
    switch value {
    case .file(let url):
      let path = try FilePath(of: url)
      (file, text) = (path, path.text)
    case .text(let text): (file, self.text) = (nil, text)
    }
  }
}

/// A string of a template with its placeholders.
struct TemplateString {
  struct Placeholder {
    /// The kind of value that the text before a placeholder requires.
    enum Context {
      case text, url, tilesetURL
    }

    var name: String
    /// Where it is written in the document.
    var range: Range<Int>
    var context: Context
  }

  let placeholders: [Placeholder]
  private let place: String
  private let document: JSONDocument
  private let value: JSONDocument.Value

  // Found for an error only, because counting lines reads everything before.
  private var line: Int { document.line(of: value) }

  /// Finds the placeholders of a string.
  ///
  /// The result is `nil` when the value is not a string, or has no placeholder.
  /// - Throws: ``MapError`` with `.unresolvedPlaceholder` when one does not end.
  init?(_ document: JSONDocument, _ value: JSONDocument.Value, at place: String) throws(MapError) {
    guard let text = value.text, Self.opens(text),
      let string = JSONString(document.bytes, at: value.range.lowerBound)
    else { return nil }
    self.place = place
    self.document = document
    self.value = value
    let content = string.decoded
    guard let found = Self.placeholders(of: content) else {
      throw .openPlaceholder(at: place, line: document.line(of: value))
    }
    let places = string.places(
      ofDecoded: found.flatMap { [$0.range.lowerBound, $0.range.upperBound] }, in: document.bytes)
    placeholders = found.enumerated().map { index, found in
      Placeholder(
        name: found.name, range: places[2 * index]..<places[2 * index + 1],
        context: Self.context(after: content[..<found.range.lowerBound]))
    }
  }

  private static func context(after text: ArraySlice<UInt8>) -> Placeholder.Context {
    guard URLText.hasScheme(text) else { return .text }
    return text.starts(with: "mbtiles://".utf8) ? .tilesetURL : .url
  }

  /// Returns whether a text contains the beginning of a placeholder.
  static func opens(_ text: String) -> Bool {
    let brace = UInt8(ascii: "{")
    return zip(text.utf8, text.utf8.dropFirst()).contains { $0 == brace && $1 == brace }
  }

  /// Returns the placeholders of a text, by their places in it; `nil` when one does not end.
  static func placeholders(
    of content: [UInt8]
  ) -> [(name: String, range: Range<Int>)]? {
    var placeholders: [(name: String, range: Range<Int>)] = []
    var position = 0
    while position + 1 < content.count {
      guard content[position...].starts(with: "{{".utf8) else {
        position += 1
        continue
      }
      guard
        let end = (position + 2..<content.count).first(where: {
          content[$0...].starts(with: "}}".utf8)
        })
      else { return nil }
      let space = UInt8(ascii: " ")
      let name = content[position + 2..<end].drop { $0 == space }
      let trimmed = String(
        decoding: name.reversed().drop { $0 == space }.reversed(), as: UTF8.self)
      placeholders.append((trimmed, position..<end + 2))
      position = end + 2
    }
    return placeholders
  }

  /// Returns the replacements of the placeholders, in the bytes of the document.
  ///
  /// - Throws: ``MapError`` with `.unresolvedPlaceholder` or `.unusablePath`.
  func edits(_ values: [ExactText: StyleValue]) throws(MapError) -> [Edit] {
    var edits: [Edit] = []
    for placeholder in placeholders {
      guard let value = values[ExactText(placeholder.name)] else {
        throw .unknownPlaceholder(placeholder.name, at: place, line: line)
      }
      var text = value.text
      if placeholder.context != .text {
        // MapLibre decodes the URL of a tile and then cuts it off at the first '?', escaped or not.
        if placeholder.context == .tilesetURL, text.utf8.contains(UInt8(ascii: "?")) {
          throw .questionMark(text)
        }
        text = URLText.escaped(text, keepingSlashes: value.file != nil)
      }
      edits.append(Edit(range: placeholder.range, bytes: JSONString.escaped(text)))
    }
    return edits
  }
}
