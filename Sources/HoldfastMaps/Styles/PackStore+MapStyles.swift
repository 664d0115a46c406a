import Foundation
import HoldfastFiles
public import HoldfastPacks

extension PackStore {
  /// Returns the style documents of a pack's current generation, with the assets of the generation.
  ///
  /// ```swift
  /// if let styles = try store.mapStyles(of: pack) {
  ///   mapView.styleURL = try await styles.prepare(.light).url
  /// }
  /// ```
  ///
  /// The documents are written into a folder of the generation's own, so a map that shows an older
  /// one keeps it. They contain the generation's own path, which stays until the process ends once a
  /// document was prepared: MapLibre keeps a tileset open by its path for that long.
  ///
  /// - Parameters:
  ///   - pack: The name of the pack.
  ///   - tileset: The path of the tileset in the pack; by default the only one.
  ///   - templates: The path of each appearance's template in the pack.
  ///   - assets: Where sprites and glyphs lie; by default in the generation.
  /// - Returns: The documents; `nil` when no generation is installed.
  /// - Throws: ``MapError`` with `.notFound` when the generation has no such file, or several tilesets
  ///   of which none is named; `PackError` and `FileError` as `current(_:)` does.
  public func mapStyles(
    of pack: PackName, tileset: String? = nil,
    templates: [MapAppearance: String] = [.light: "style-light.json", .dark: "style-dark.json"],
    assets: MapStyle.Assets? = nil
  ) throws -> MapStyles? {
    guard let lease = try hold(pack) else {
      Log.report(.error, .maps, "Couldn't find mbtiles!")
      return nil
    }
    let generation = lease.generation
    let tiles = generation.manifest.files.filter { $0.kind.isTileset }
    guard
      let file = tileset.flatMap({ path in generation.manifest.file(at: path) })
        ?? (tileset == nil && tiles.count == 1 ? tiles.first : nil)
    else { throw MapError.noTileset(tileset, in: generation.name, count: tiles.count) }
    let urls = templates.compactMapValues { path in generation.url(ofFileAt: path) }
    guard !urls.isEmpty else { throw MapError.noTemplate() }
    var styles = MapStyles(
      templates: urls, tileset: generation.url(of: file),
      assets: assets ?? .folder(generation.url),
      folder: try createStylesFolder(of: generation).url)
    styles.generation = MapGeneration(lease: lease, store: self, pack: pack)
    return styles
  }
}
