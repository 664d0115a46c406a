import Foundation
public import HoldfastPacks

extension PackBuilder {
  /// The checks of maps: a tileset has no error, and a style template is a style document.
  ///
  /// The warnings of tilesets are those of the pack.
  ///
  /// ```swift
  /// let builder = PackBuilder(try PackDescription(of: folder), checks: PackBuilder.mapChecks)
  /// ```
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
