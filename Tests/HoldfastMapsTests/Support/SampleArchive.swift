import Foundation
import HoldfastTestSupport

@testable import HoldfastMaps

/// A small PMTiles archive that a test makes, right or wrong.
struct SampleArchive {
  /// The tiles of an entry: the number of the first, how many there are, and their bytes.
  typealias Tiles = (first: UInt64, count: UInt32, bytes: [UInt8])

  var header = Self.worldwide
  var tiles: [Tiles] = [(0, 1, CompressedBytes.gzip(VectorTileBytes.tile()))]

  /// The JSON of the metadata, not compressed.
  var metadata = #"{"vector_layers":[{"id":"places"}]}"#

  /// The metadata as it is stored, if it is not the JSON compressed by gzip.
  var storedMetadata: [UInt8]?

  /// The number of bytes of the tiles that the header says, if it is not theirs.
  var statedTileByteCount: UInt64?

  /// The bytes that are left out at the end of the archive.
  var missingByteCount = 0

  private static var worldwide: PMTilesHeader {
    var header = PMTilesHeader()
    header.tileType = .mvt
    header.tileCompression = .gzip
    header.bounds = GeographicBounds(west: -180, south: -85, east: 180, north: 85)
    header.isClustered = true
    return header
  }

  /// An archive of all tiles of the zoom levels 0, 1 and 2.
  static func pyramid(
    _ metadata: String = #"{"vector_layers":[{"id":"places"}]}"#,
    _ change: (inout SampleArchive) -> Void = { _ in }
  ) -> SampleArchive {
    var sample = SampleArchive()
    sample.tiles = [(0, 21, CompressedBytes.gzip(VectorTileBytes.tile()))]
    sample.header.maximumZoom = 2
    sample.metadata = metadata
    change(&sample)
    return sample
  }

  /// The bytes of the archive; the counts of its header are right where they are 0.
  var data: Data {
    var content: [UInt8] = []
    var places: [[UInt8]: UInt64] = [:]
    var entries: [PMTilesDirectory.Entry] = []
    for (first, count, bytes) in tiles {
      let offset = places[bytes] ?? UInt64(content.count)
      if places[bytes] == nil { content += bytes }
      places[bytes] = offset
      entries.append(
        PMTilesDirectory.Entry(
          tileID: first, runLength: count, offset: offset, length: UInt32(bytes.count)))
    }
    let isCompressed = header.internalCompression == .gzip
    let pack = { (bytes: [UInt8]) in isCompressed ? CompressedBytes.gzip(bytes) : bytes }
    let root = pack(PMTilesDirectory(entries).bytes)
    let json = storedMetadata ?? pack(Array(metadata.utf8))
    var header = header
    var end = UInt64(PMTilesHeader.byteCount)
    func section(_ bytes: [UInt8]) -> PMTilesHeader.Section {
      defer { end += UInt64(bytes.count) }
      return PMTilesHeader.Section(offset: end, length: UInt64(bytes.count))
    }
    header.rootDirectory = section(root)
    header.metadata = section(json)
    header.leafDirectories = section([])
    header.tileData = section(content)
    if let statedTileByteCount { header.tileData.length = statedTileByteCount }
    return Data(header.bytes + root + json + content).dropLast(missingByteCount)
  }

  func write(to url: URL) throws { try data.write(to: url) }
}
