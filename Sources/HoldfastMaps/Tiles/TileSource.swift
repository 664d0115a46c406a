public import Foundation
public import Holdfast
import HoldfastFiles

/// A tileset of either format: a ``Tileset`` of MBTiles, or a ``PMTilesArchive``.
///
/// ```swift
/// let tiles = try TileSources.open(url)
/// if let tile = try await tiles.tile(at: TileCoordinate(z: 14, x: 2765, y: 6148)) {
///   render(tile.data, tile.format)
/// }
/// ```
public protocol TileSource: Sendable {
  /// The file's description of itself; for a source that is followed, from the file that was opened last.
  var metadata: TilesetMetadata { get }

  /// The reason why a followed source's current file is not in use; `nil` if it is, or without a source.
  var followingProblem: (any Error)? { get }

  /// Returns a tile, on the caller's thread.
  ///
  /// - Parameter coordinate: The tile.
  /// - Returns: The tile; `nil` when the tileset has none there.
  /// - Throws: ``MapError`` with `.damaged`; `DatabaseError`; `FileError`.
  @available(
    *, noasync,
    message:
      "Write `try await tile(at:)`, which blocks no thread; at the top level of main.swift, in a function."
  )
  func tile(at coordinate: TileCoordinate) throws -> Tile?

  /// Returns a tile, while the task is suspended.
  ///
  /// - Parameter coordinate: The tile.
  /// - Returns: The tile; `nil` when the tileset has none there.
  /// - Throws: The errors of the blocking form; `CancellationError`.
  func tile(at coordinate: TileCoordinate) async throws -> Tile?

  /// Returns what the tileset covers, on the caller's thread.
  ///
  /// - Throws: ``MapError`` with `.damaged`; `DatabaseError`; `FileError`.
  @available(
    *, noasync,
    message:
      "Write `try await coverage()`, which blocks no thread; at the top level of main.swift, in a function."
  )
  func coverage() throws -> TilesetCoverage

  /// Returns what the tileset covers, while the task is suspended.
  ///
  /// - Throws: The errors of the blocking form; `CancellationError`.
  func coverage() async throws -> TilesetCoverage

  /// Returns a description in TileJSON 3.0.0, on the caller's thread.
  ///
  /// - Parameter tiles: The addresses of tiles, with `{z}`, `{x}` and `{y}`.
  /// - Returns: The metadata, and what the tileset covers, with these addresses.
  /// - Throws: As the blocking `coverage()` does.
  @available(
    *, noasync,
    message:
      "Write `try await tileJSON(tiles:)`, which blocks no thread; at the top level of main.swift, in a function."
  )
  func tileJSON(tiles: [String]) throws -> TileJSON

  /// Returns a description in TileJSON 3.0.0, while the task is suspended.
  ///
  /// - Parameter tiles: The addresses of tiles, with `{z}`, `{x}` and `{y}`.
  /// - Returns: What the blocking form returns.
  /// - Throws: As the awaited `coverage()` does.
  func tileJSON(tiles: [String]) async throws -> TileJSON

  /// Returns everything that is wrong with the file, on the caller's thread; it reads every tile.
  ///
  /// - Parameter style: A style that draws the tileset, whose `source-layer`s are compared with the
  ///   layers of the tiles.
  /// - Returns: What is wrong.
  /// - Throws: ``MapError`` when the file cannot be read at all; `DatabaseError`; `FileError`.
  @available(
    *, noasync,
    message:
      "Write `try await check(for:)`, which blocks no thread; at the top level of main.swift, in a function."
  )
  func check(for style: MapStyle?) throws -> TilesetReport

  /// Returns everything that is wrong with the file, while the task is suspended; it reads every tile.
  ///
  /// - Parameter style: A style that draws the tileset, whose `source-layer`s are compared with the
  ///   layers of the tiles.
  /// - Returns: What is wrong.
  /// - Throws: The errors of the blocking form; `CancellationError`.
  func check(for style: MapStyle?) async throws -> TilesetReport
}

extension Tileset: TileSource {}

/// Opens tilesets of either format, which is known by the first bytes of the file.
public enum TileSources {
  /// Opens a file.
  ///
  /// - Parameters:
  ///   - url: The file.
  ///   - isNeverModified: Whether you guarantee that the file is never modified, as a file of a pack
  ///     or of the app's bundle; true by default.
  /// - Returns: A ``Tileset`` or a ``PMTilesArchive``.
  /// - Throws: The errors of the initializers of both.
  public static func open(
    _ url: URL, isNeverModified: Bool = true
  ) throws -> any TileSource {
    switch try TilesetFileFormat(contentOf: FilePath(of: url)) {
    case .mbtiles: try Tileset(at: url, isNeverModified: isNeverModified)
    case .pmtiles: try PMTilesArchive(at: url)
    }
  }

  /// Opens the current tileset of a source, and each later one, while the task is suspended.
  ///
  /// ```swift
  /// let tiles = try await TileSources.open(following: store.source("map.pmtiles", of: pack))
  /// ```
  ///
  /// The current file determines the format; a later file must have the same one.
  ///
  /// - Parameter source: The source, such as a pack's file.
  /// - Returns: A ``Tileset`` or a ``PMTilesArchive``.
  /// - Throws: The errors of the initializers of both; whatever the source throws.
  public static func open(following source: some DatabaseSource) async throws -> any TileSource {
    let format = try await BlockingWork.userInitiated.run {
      let current = try source.currentDatabase()
      return try withExtendedLifetime(current) {
        try TilesetFileFormat(contentOf: FilePath(of: current.url))
      }
    }
    return switch format {
    case .mbtiles: try await Tileset(following: source)
    case .pmtiles: try await PMTilesArchive(following: source)
    }
  }
}
