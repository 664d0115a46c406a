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
      let report = try Tileset(at: file).check()
      if let problem = report.problems.first(where: { $0.severity == .error }) {
        throw MapError.unusableTileset(file.lastPathComponent, problem)
      }
      return report.sentences(.warning)
    },
    .style: { file in
      _ = try MapStyle(template: Data(contentsOf: file))
      return []
    },
  ]
}
