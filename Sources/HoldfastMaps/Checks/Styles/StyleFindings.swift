/// The findings of a check of tiles about a style that draws them.
struct StyleFindings: Hashable, Sendable {
  /// The layers of the style that draw what no tile has, and its sources of another type than the tiles.
  var problems: [TilesetProblem]

  /// The files of glyphs that its labels need.
  var needs: LabelNeeds
}

extension TileExamination {
  /// Returns what was found about styles.
  ///
  /// - Parameters:
  ///   - styles: The styles with which ``findTexts(of:forFileNamed:deepest:)`` was called.
  ///   - path: The path of the tileset.
  ///   - declared: The layers that the metadata names.
  /// - Returns: The findings, in the order of the styles.
  func findings(
    of styles: [MapStyle], forFileNamed path: String?, _ declared: [VectorLayer]
  ) -> [StyleFindings] {
    zip(styles, needs).map { style, needs in
      let types = areImages.map {
        StyleSourceTypes(style, forFileNamed: path, areImages: $0).problems
      }
      return StyleFindings(
        problems: (types ?? [])
          + StyleSourceZooms(style, forFileNamed: path).problems(of: placement.zoomLevels)
          + StyleSourceLayers(style, forFileNamed: path).problems(of: self, declared),
        needs: needs)
    }
  }
}
