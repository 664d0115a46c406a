package import Foundation
import HoldfastFiles

/// The problems of the URLs and placeholders of a style that is shipped with a pack.
struct StyleReferences {
  /// Sentences about what keeps a map from being shown.
  private(set) var refusals: [String] = []

  /// Sentences about what the app must do.
  private(set) var warnings: [String] = []

  /// The placeholders that have a value wherever a style is rendered for a tileset.
  private static let placeholders = ["mbtiles_path", MapStyle.archivePlaceholder]

  /// Examines a style.
  ///
  /// - Parameters:
  ///   - style: The style.
  ///   - tilesets: The names of the pack's tilesets.
  init(of style: MapStyle, tilesets: [FilePath]) {
    for name in style.placeholderNames where !Self.placeholders.contains(name) {
      let meant = Self.placeholders.first { name.differsLittle(from: $0) }
      if let meant {
        refusals.append(StyleSentence.misspelled(name, meant: meant))
      } else {
        warnings.append(StyleSentence.furtherPlaceholder(name))
      }
    }
    let form = StyleForm(of: style)
    refusals += form.faults
    warnings += form.remarks
    for reference in StyleRules.assetReferences(style.document) {
      guard let text = reference.value.text else { continue }
      let line = style.document.line(of: reference.value)
      guard !TemplateString.opens(text) else { continue }
      if TilesetURL(text) != nil || text.utf8.starts(with: "file://".utf8) {
        refusals.append(StyleSentence.fixedPath(text, at: reference.place, line))
      }
    }
    // A pack of styles alone is one for the tiles of another.
    refusals += style.otherFormats(for: tilesets)
  }
}

extension MapStyle {
  /// Sentences about URLs with the placeholder for the other format than that of a tileset that the style is to draw.
  ///
  /// - Parameter url: The tileset.
  /// - Returns: The sentences; none if a source has the tileset's format, because others may draw other tilesets.
  /// - Throws: `FileError` when it is not a file URL.
  package func otherFormats(forTilesetAt url: URL) throws -> [String] {
    let path = try FilePath(of: url)
    let sources = document.root["sources"]?.members ?? []
    let isDrawn = sources.contains {
      StyleSourceLayers.isTileset($0.value, forFileNamed: path.text)
    }
    return isDrawn ? [] : otherFormats(for: [path])
  }

  /// Sentences about URLs with the placeholder for the other format than that of the tilesets.
  ///
  /// - Parameter tilesets: The paths of the tilesets, by whose names the format is known.
  /// - Returns: The sentences; none if one of the tilesets has the format.
  func otherFormats(for tilesets: [FilePath]) -> [String] {
    StyleRules.assetReferences(document).compactMap { reference in
      guard let text = reference.value.text, TemplateString.opens(text),
        let scheme = TilesetURL(text)?.scheme, let tileset = tilesets.first,
        let other = scheme.other(for: tileset),
        tilesets.allSatisfy({ scheme.other(for: $0) != nil })
      else { return nil }
      return StyleSentence.otherFormat(
        text, at: reference.place, document.line(of: reference.value), tileset.name,
        other.template)
    }
  }
}

extension String {
  /// Whether two names differ by a few letters, as a mistake in typing does.
  fileprivate func differsLittle(from other: String) -> Bool {
    let (own, others) = (Array(lowercased().unicodeScalars.prefix(64)), Array(other.unicodeScalars))
    // The number of letters to insert, remove or replace (Levenshtein).
    var costs = Array(0...others.count)
    for (row, letter) in own.enumerated() {
      var diagonal = costs[0]
      costs[0] = row + 1
      for (column, otherLetter) in others.enumerated() {
        let replaced = diagonal + (letter == otherLetter ? 0 : 1)
        diagonal = costs[column + 1]
        costs[column + 1] = min(replaced, min(diagonal, costs[column]) + 1)
      }
    }
    return costs[others.count] <= 3
  }
}
