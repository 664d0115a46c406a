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
  /// A placeholder, by its place in the decoded content of the string.
  struct Placeholder {
    var name: String
    var range: Range<Int>
  }

  let placeholders: [Placeholder]
  private let string: JSONString
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
    self.string = string
    self.place = place
    self.document = document
    self.value = value
    guard let placeholders = Self.placeholders(of: string.decoded) else {
      throw .openPlaceholder(at: place, line: document.line(of: value))
    }
    self.placeholders = placeholders
  }

  /// Returns whether a text contains the beginning of a placeholder.
  static func opens(_ text: String) -> Bool {
    let brace = UInt8(ascii: "{")
    return zip(text.utf8, text.utf8.dropFirst()).contains { $0 == brace && $1 == brace }
  }

  /// Returns the placeholders of a text; `nil` when one does not end.
  private static func placeholders(of content: [UInt8]) -> [Placeholder]? {
    var placeholders: [Placeholder] = []
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
      placeholders.append(Placeholder(name: trimmed, range: position..<end + 2))
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
      let before = string.decoded[..<placeholder.range.lowerBound]
      var text = value.text
      if URLText.hasScheme(before) {
        // MapLibre decodes the URL of a tile and then cuts it off at the first '?', escaped or not.
        if before.starts(with: "mbtiles://".utf8), text.utf8.contains(UInt8(ascii: "?")) {
          throw .questionMark(text)
        }
        text = URLText.escaped(text, keepingSlashes: value.file != nil)
      }
      let range =
        string.places[placeholder.range.lowerBound]..<string.places[placeholder.range.upperBound]
      edits.append(Edit(range: range, bytes: JSONString.escaped(text)))
    }
    return edits
  }
}
