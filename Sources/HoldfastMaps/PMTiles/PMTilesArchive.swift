public import Foundation
import HoldfastFiles

/// A tileset in a PMTiles archive, version 3.
///
/// ```swift
/// let archive = try PMTilesArchive(at: url)
/// if let tile = try await archive.tile(at: TileCoordinate(z: 14, x: 2765, y: 6148)) {
///   render(tile.data, archive.header.tileType)
/// }
/// ```
///
/// The file is read at places, by several threads at a time, and must not be modified meanwhile. Few directories are in
/// memory. What a hostile archive says of itself is checked before it is used.
///
/// - SeeAlso: <https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md>
public final class PMTilesArchive: Sendable {
  private let file: PMTilesFile

  /// Opens an archive.
  ///
  /// - Parameter url: The file.
  /// - Throws: ``MapError`` with `.notFound`, or `.invalidTileset` for a file that is no archive of version 3, is cut off,
  ///   or has directories that are not compressed by gzip; `FileError` when it cannot be read.
  public init(at url: URL) throws {
    file = try PMTilesFile(at: FilePath(of: url))
  }

  /// What the archive says of its parts and its tiles.
  public var header: PMTilesHeader { file.header }

  /// Returns whether a file begins as an archive does, in any version.
  ///
  /// - Parameter url: The file.
  /// - Returns: True also for an archive of a version that is not read.
  /// - Throws: ``MapError`` with `.notFound`; `FileError` when it cannot be read.
  public static func isArchive(at url: URL) throws -> Bool {
    try TilesetFileFormat(contentOf: FilePath(of: url)) == .pmtiles
  }

  /// Returns the metadata, a JSON object as it is stored, on the caller's thread.
  ///
  /// - Throws: ``MapError`` with `.damaged`; `FileError`.
  public func metadataJSON() throws -> Data { Data(try file.metadata()) }

  /// Returns what the archive says of itself, on the caller's thread, in the form of the rows of MBTiles: the texts
  /// of its JSON, what its header says, and all else as the row `json`.
  ///
  /// - Throws: ``MapError`` with `.damaged`; `FileError`.
  public func metadata() throws -> TilesetMetadata {
    let description = try TilesetDescription(file)
    let (low, high) = (header.minimumZoom, header.maximumZoom)
    let rows = description.rows(
      zoomLevels: low <= high ? low...high : nil, bounds: header.bounds, center: header.firstView)
    return TilesetMetadata(
      entries: rows.map { TilesetMetadata.Entry(name: $0.name, value: $0.value) })
  }

  /// Returns a tile, on the caller's thread.
  ///
  /// - Parameter coordinate: The tile.
  /// - Returns: The tile; `nil` when the archive has none there.
  /// - Throws: ``MapError`` with `.damaged`; `FileError`.
  @available(
    *, noasync,
    message:
      "Write `try await tile(at:)`, which blocks no thread; at the top level of main.swift, in a function."
  )
  public func tile(at coordinate: TileCoordinate) throws -> Tile? {
    try file.tile(coordinate.tileID).map { Tile(data: Data($0)) }
  }

  /// Returns a tile, while the task is suspended.
  ///
  /// - Parameter coordinate: The tile.
  /// - Returns: The tile; `nil` when the archive has none there.
  /// - Throws: ``MapError`` with `.damaged`; `FileError`.
  public func tile(at coordinate: TileCoordinate) async throws -> Tile? {
    try await BlockingWork.userInitiated.run { [file] in
      try file.tile(coordinate.tileID).map { Tile(data: Data($0)) }
    }
  }
}
