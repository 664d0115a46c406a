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
    refusals += style.wrongURLs + style.unfitLayers
    for reference in StyleRules.assetReferences(style.document) {
      guard let text = reference.value.text else { continue }
      let line = style.document.line(of: reference.value)
      let url = TilesetURL(text)
      guard TemplateString.opens(text) else {
        let isPath = url != nil || text.utf8.starts(with: "file://".utf8)
        if isPath { refusals.append(StyleSentence.fixedPath(text, at: reference.place, line)) }
        continue
      }
      // A pack of styles alone is one for the tiles of another.
      guard let scheme = url?.scheme, !tilesets.isEmpty else { continue }
      if let tileset = tilesets.first, tilesets.allSatisfy({ scheme.other(for: $0) != nil }) {
        refusals.append(
          StyleSentence.otherFormat(
            text, at: reference.place, line, tileset.name,
            scheme.other(for: tileset)?.template ?? ""))
      }
    }
  }
}

extension MapStyle {
  /// Sentences about the URLs of tiles that have the path of a tileset and are not the URL of one.
  package var wrongURLs: [String] {
    StyleRules.wrongURLs(document).map { reference, right in
      StyleSentence.wrongURL(
        reference.value.text ?? "", at: reference.place, document.line(of: reference.value), right)
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
