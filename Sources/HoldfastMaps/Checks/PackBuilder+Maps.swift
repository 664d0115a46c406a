import Foundation
public import HoldfastPacks

extension PackBuilder {
  /// The check of a pack's maps: tilesets and styles, each alone and with the others.
  ///
  /// A tileset has no error, and a style finds in the pack what it needs: its layers in the tiles, and the sprites and
  /// the ranges of glyphs that its labels need, as far as the pack has sprites and glyphs at all. The pack's JSON files to
  /// which a style refers are what it takes them for: the index of a sprite, TileJSON or GeoJSON. What the app's bundle
  /// must contain is a warning, and so is what a check of a tileset warns of. It reads every tile once.
  ///
  /// ```swift
  /// let builder = PackBuilder(
  ///   try PackDescription(of: folder), packCheck: PackBuilder.mapPackCheck)
  /// ```
  public static let mapPackCheck: PackCheck = { folder, files in
    try MapPackExamination(folder, files).warnings
  }

  /// The checks of maps by themselves: a tileset has no error, and a style template is a style document.
  ///
  /// A tileset's warnings become warnings of the pack. ``mapPackCheck`` checks more, and these too.
  public static let mapChecks: [PackFile.Kind: Check] = [
    .mbtiles: { file in
      try warnings(of: Tileset(at: file).check(), file)
    },
    .pmtiles: { file in
      try warnings(of: PMTilesArchive(at: file).check(), file)
    },
    .style: { file in
      _ = try MapStyle(template: Data(contentsOf: file))
      return []
    },
  ]

  private static func warnings(of report: TilesetReport, _ file: URL) throws -> [String] {
    if let problem = report.problems.first(where: { $0.severity == .error }) {
      throw MapError.unusableTileset(file.lastPathComponent, problem)
    }
    return report.sentences(.warning)
  }
}
