// The Swift of GettingStartedWithMaps.md, compiled: GettingStartedWithMapsTests finds each block of it
// here, and runs every function.

import Foundation
import HoldfastMaps
import HoldfastPacks

func showTile(of url: URL) async throws -> Data? {
  let tileset = try Tileset(at: url)
  let tile = try await tileset.tile(at: TileCoordinate(z: 1, x: 1, y: 0))
  return tile?.data
}

func showCurrentTile(of store: PackStore) async throws -> Data? {
  let source = try store.source("map.pmtiles", of: PackName("map"))
  let tiles = try await TileSources.open(following: source)
  return try await tiles.tile(at: TileCoordinate(z: 1, x: 1, y: 0))?.data
}

func describe(_ tileset: Tileset) async throws -> Data {
  let address = "https://tiles.example.org/{z}/{x}/{y}.png"
  return try await tileset.tileJSON(tiles: [address]).data
}

func cutOut(_ city: URL, to fair: URL) throws -> [String] {
  var conversion = TilesetConversion(from: city, to: fair)
  conversion.bounds = GeographicBounds(west: 13.36, south: 52.50, east: 13.42, north: 52.53)
  conversion.zoomLevels = 0...14
  return try conversion.run().losses
}

func checkBeforeShipping(_ url: URL) async throws -> Bool {
  let report = try await Tileset(at: url).check()
  for problem in report.problems {
    print(problem.severity, problem.message)
  }
  return report.isUsable
}

func prepareStyle(for appearance: MapAppearance, of store: PackStore) async throws -> URL? {
  let styles = try store.mapStyles(of: PackName("map"))
  return try await styles?.prepare(appearance).url
}

@MainActor
func followAppearance(_ styles: MapStyles) -> ObservedMapStyle {
  let style = ObservedMapStyle(styles, appearance: .light)
  // Where the traits of the view change:
  style.appearance = .dark
  return style
}
