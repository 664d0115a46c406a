import Foundation
import Holdfast
import HoldfastFiles

/// An open archive, and what it says of itself.
struct ArchiveContent: Sendable {
  let file: PMTilesFile
  let description: TilesetDescription
  let metadata: TilesetMetadata

  /// The lease that keeps the file where it is; `nil` for a file of its own.
  private let lease: SourcedDatabase?

  /// Opens a file.
  ///
  /// - Throws: ``MapError`` with `.notFound` or `.invalidTileset`; `FileError`.
  init(at path: FilePath, keeping lease: SourcedDatabase? = nil) throws {
    file = try PMTilesFile(at: path)
    do {
      description = try TilesetDescription(file)
    } catch let error as MapError where error.code == .damaged {
      // The tiles can be read without; a check says what is wrong.
      description = TilesetDescription(file.header)
    }
    let (low, high) = (file.header.minimumZoom, file.header.maximumZoom)
    let rows = description.rows(
      zoomLevels: low <= high ? low...high : nil, bounds: file.header.bounds,
      center: file.header.firstView)
    metadata = TilesetMetadata(
      entries: rows.map { TilesetMetadata.Entry(name: $0.name, value: $0.value) })
    self.lease = lease
  }
}

extension TilesetCoverage {
  /// Reads the format of a tile; all else is in the header.
  init(_ archive: ArchiveContent) throws {
    let header = archive.file.header
    let (low, high) = (header.minimumZoom, header.maximumZoom)
    let zoomLevels = low <= high ? low...high : nil
    let sample = try archive.file.firstContents(16).map { Tile(data: Data($0)) }
    let shown = sample.first { $0.format != nil } ?? sample.first
    self.init(
      zoomLevels: zoomLevels, bounds: header.bounds,
      center: header.firstView ?? Self.center(of: header.bounds, zoomLevels),
      format: shown?.format ?? TileFormat(declared: header.tileType.format),
      compression: shown?.compression ?? .none)
  }
}
