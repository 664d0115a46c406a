import Foundation
import Holdfast
import HoldfastMaps
import HoldfastTestSupport

// Apart from the sample itself, which the benchmarks use, too.

extension SampleTileset {
  /// A vector tile with a square in the layer `places`, as it is stored.
  static let vector = Data(CompressedBytes.gzip(VectorTileBytes.tile()))

  /// A tileset whose only tile, at zoom level 0, is a vector tile or what stands in its place.
  ///
  /// - Parameters:
  ///   - tile: The bytes of the tile, as stored.
  ///   - changes: Rows of the metadata that differ; `nil` for none.
  /// - Returns: The tileset.
  static func ofVectorTile(
    _ tile: [UInt8] = Array(vector), _ changes: [String: String?] = [:]
  ) -> SampleTileset {
    var sample = SampleTileset(tiles: [(0, 0, 0, Data(tile).databaseValue)])
    sample.metadata = [
      ("name", "Lantern Fair"), ("format", "pbf"), ("bounds", "-10,-20,30,40"), ("minzoom", "0"),
      ("maxzoom", "0"), ("json", #"{"vector_layers":[{"id":"places"}]}"#),
    ]
    return sample.changing(changes)
  }

  /// Returns a tileset with other rows of the metadata; `nil` is for a row that is left out.
  func changing(_ changes: [String: String?]) -> SampleTileset {
    var sample = self
    sample.metadata.removeAll { changes.keys.contains($0.0) }
    sample.metadata += changes.sorted { $0.key < $1.key }.compactMap { name, value in
      value.map { (name, $0) }
    }
    return sample
  }
}
