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

  /// The characters that must be seen, by their files.
  private(set) var characters: [File: GlyphSet] = [:]

  /// The names of images that the layers draw for features.
  private(set) var images: Set<String> = []

  /// The number of names that are kept.
  private static let mostImages = 10_000

  var isEmpty: Bool { files.isEmpty }

  /// Adds the texts that a layer writes for a feature.
  mutating func add(_ feature: StyleFeature, _ label: StyleLabel) {
    guard label.draws(feature) else { return }
    add(label.images(of: feature))
    let texts = label.texts(of: feature)
    // The sections of a text, of which one decides for all.
    let isVertical =
      label.mayBeVertical && texts.contains { VerticalWriting.isPossible(for: $0.text) }
    for (text, fonts) in texts {
      for (range, set) in GlyphRange.visible(in: text) {
        add(File(fonts: fonts.joined(separator: ","), range: range), set)
      }
      for (range, isNeededByApple) in GlyphRange.all(in: text, isVertical: isVertical) {
        add(
          File(fonts: fonts.joined(separator: ","), range: range),
          Example(text: text, layer: label.layer, isNeededByApple: isNeededByApple))
      }
    }
  }

  private mutating func add(_ file: File, _ set: GlyphSet) {
    characters[file, default: GlyphSet()].formUnion(set)
  }

  private mutating func add(_ names: some Sequence<String>) {
    for name in names where !name.isEmpty && images.count < Self.mostImages { images.insert(name) }
  }

  mutating func add(_ file: File, _ example: Example) {
    if let known = files[file], known.isNeededByApple || !example.isNeededByApple { return }
    files[file] = example
  }

  /// Adds the needs of later tiles, for the same labels.
  mutating func add(later other: LabelNeeds) {
    add(other.images)
    for (file, set) in other.characters { add(file, set) }
    for (file, example) in other.files { add(file, example) }
  }

  /// Adds the needs of other labels.
  mutating func add(_ other: LabelNeeds) {
    add(other.images)
    for (file, set) in other.characters { add(file, set) }
    for (file, example) in other.files where files[file]?.isNeededByApple != true {
      files[file] = example
    }
  }
}
