public import Foundation
public import Holdfast
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
public final class PMTilesArchive: TileSource {
  private enum Access {
    case own(ArchiveContent)
    case followed(FollowedArchive)
  }

  private let access: Access

  /// Opens an archive.
  ///
  /// - Parameter url: The file.
  /// - Throws: ``MapError`` with `.notFound`, or `.invalidTileset` for a file that is no archive of version 3, is cut off,
  ///   or has directories that are not compressed by gzip; `FileError` when it cannot be read.
  public init(at url: URL) throws {
    access = .own(try ArchiveContent(at: FilePath(of: url)))
  }

  /// Opens the current archive of a source, and each later one, while the task is suspended.
  ///
  /// ```swift
  /// let archive = try await PMTilesArchive(following: store.source("map.pmtiles", of: pack))
  /// ```
  ///
  /// A read that is in progress keeps its file; the next read uses the one that is current when it begins. When the
  /// source's new file cannot be opened, or is no archive, the previous one remains in use, and
  /// ``followingProblem`` says why.
  ///
  /// - Parameter source: The source, such as a pack's file.
  /// - Throws: As ``init(at:)`` does; whatever the source throws.
  public init(following source: some DatabaseSource) async throws {
    access = .followed(try await BlockingWork.userInitiated.run { try FollowedArchive(source) })
  }

  /// Opens the current archive of a source, and each later one, on the caller's thread, which blocks meanwhile; see
  /// the awaited form.
  ///
  /// - Parameter source: The source, such as a pack's file.
  /// - Throws: The errors of the awaited form.
  @available(
    *, noasync,
    message:
      "Write `try await PMTilesArchive(following: …)`, which blocks no thread; at the top level of main.swift, in a function."
  )
  public init(following source: some DatabaseSource) throws {
    access = .followed(try FollowedArchive(source))
  }

  /// The file that was opened last.
  private var opened: ArchiveContent {
    switch access {
    case .own(let content): content
    case .followed(let archive): archive.opened
    }
  }

  /// Returns the file that is read now, on a thread that may block.
  func current() throws -> ArchiveContent {
    switch access {
    case .own(let content): content
    case .followed(let archive): try archive.current()
    }
  }

  /// The header; for a source, of the file that was opened last.
  public var header: PMTilesHeader { opened.file.header }

  /// The metadata of the archive, as rows of MBTiles; for a source, of the file that was opened last.
  ///
  /// These are the texts of its JSON, what its header says, and all else as the row `json`. When the JSON cannot be
  /// read, it is only what the header says.
  public var metadata: TilesetMetadata { opened.metadata }

  /// The reason why the source's current file is not in use; `nil` if it is, or without a source.
  public var followingProblem: (any Error)? {
    switch access {
    case .own: nil
    case .followed(let archive): archive.problem
    }
  }

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
  public func metadataJSON() throws -> Data { Data(try current().file.metadata()) }

  // MARK: - Tiles

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
    try current().file.tile(coordinate.tileID).map(Tile.init)
  }

  /// Returns a tile, while the task is suspended.
  ///
  /// - Parameter coordinate: The tile.
  /// - Returns: The tile; `nil` when the archive has none there.
  /// - Throws: ``MapError`` with `.damaged`; `FileError`.
  public func tile(at coordinate: TileCoordinate) async throws -> Tile? {
    try await BlockingWork.userInitiated.run { [self] in try tile(at: coordinate) }
  }

  // MARK: - Description

  /// Returns what the archive covers, on the caller's thread: what its header says, and the format of a tile.
  ///
  /// - Throws: ``MapError`` with `.damaged`; `FileError`.
  @available(
    *, noasync,
    message:
      "Write `try await coverage()`, which blocks no thread; at the top level of main.swift, in a function."
  )
  public func coverage() throws -> TilesetCoverage { try TilesetCoverage(current()) }

  /// Returns what the archive covers, while the task is suspended: what its header says, and the format of a tile.
  ///
  /// - Throws: ``MapError`` with `.damaged`; `FileError`.
  public func coverage() async throws -> TilesetCoverage {
    try await BlockingWork.userInitiated.run { [self] in try coverage() }
  }

  /// Returns a description in TileJSON 3.0.0, on the caller's thread.
  ///
  /// - Parameter tiles: The addresses of tiles, with `{z}`, `{x}` and `{y}`.
  /// - Returns: The metadata, and what the archive covers, with these addresses.
  /// - Throws: As the blocking `coverage()` does.
  @available(
    *, noasync,
    message:
      "Write `try await tileJSON(tiles:)`, which blocks no thread; at the top level of main.swift, in a function."
  )
  public func tileJSON(tiles: [String]) throws -> TileJSON {
    let content = try current()
    return TileJSON(content.metadata, try TilesetCoverage(content), tiles: tiles)
  }

  /// Returns a description in TileJSON 3.0.0, while the task is suspended.
  ///
  /// - Parameter tiles: The addresses of tiles, with `{z}`, `{x}` and `{y}`.
  /// - Returns: What the blocking form returns.
  /// - Throws: As the awaited `coverage()` does.
  public func tileJSON(tiles: [String]) async throws -> TileJSON {
    try await BlockingWork.userInitiated.run { [self] in try tileJSON(tiles: tiles) }
  }
}
