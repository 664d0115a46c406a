/// The files of glyphs that the labels of a style need.
struct LabelNeeds: Hashable, Sendable {
  /// A file: the fonts, as they stand in the URL of glyphs, and its range.
  struct File: Hashable, Comparable, Sendable {
    var fonts: String
    var range: GlyphRange

    static func < (left: File, right: File) -> Bool {
      left.fonts == right.fonts ? left.range < right.range : left.fonts < right.fonts
    }
  }

  /// A text for which a file is needed.
  struct Example: Hashable, Sendable {
    var text: String
    var layer: String
    /// Whether MapLibre Native for iOS needs the file too, and not only other renderers.
    var isNeededByApple: Bool
  }

  /// The files, each with the first text that needs it.
  private(set) var files: [File: Example] = [:]

  var isEmpty: Bool { files.isEmpty }

  /// Adds the texts that a layer writes for a feature.
  mutating func add(_ feature: StyleFeature, _ label: StyleLabel) {
    let texts = label.texts(of: feature)
    // The sections of a text, of which one decides for all.
    let isVertical =
      label.mayBeVertical && texts.contains { VerticalWriting.isPossible(for: $0.text) }
    for (text, fonts) in texts {
      for (range, isNeededByApple) in GlyphRange.all(in: text, isVertical: isVertical) {
        add(
          File(fonts: fonts.joined(separator: ","), range: range),
          Example(text: text, layer: label.layer, isNeededByApple: isNeededByApple))
      }
    }
  }

  mutating func add(_ file: File, _ example: Example) {
    if let known = files[file], known.isNeededByApple || !example.isNeededByApple { return }
    files[file] = example
  }

  /// Adds the needs of later tiles, for the same labels.
  mutating func add(later other: LabelNeeds) {
    for (file, example) in other.files { add(file, example) }
  }

  /// Adds the needs of other labels.
  mutating func add(_ other: LabelNeeds) {
    for (file, example) in other.files where files[file]?.isNeededByApple != true {
      files[file] = example
    }
  }
}
