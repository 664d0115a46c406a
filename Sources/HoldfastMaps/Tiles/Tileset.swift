public import Foundation
public import Holdfast
import HoldfastFiles

/// A tileset in an MBTiles file: tiles by their place in the pyramid, and what the file says of itself.
///
/// ```swift
/// let tileset = try Tileset(at: url)
/// if let tile = try await tileset.tile(at: TileCoordinate(z: 14, x: 2765, y: 6148)) {
///   render(tile.data, tile.format)
/// }
/// ```
///
/// The file is opened read-only through SQLite, without creating files next to it. All tiles are
/// read on one connection, and all else on another one; reads of several threads wait for each other, each for
/// microseconds.
///
/// - SeeAlso: <https://github.com/mapbox/mbtiles-spec/blob/master/1.3/spec.md>
public final class Tileset: Sendable {
  let file: TilesetFile

  /// Looks up the tiles of a file that is never modified; `nil` for any other one.
  private let lookup: BlobLookup?

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - url: The file.
  ///   - isNeverModified: Whether you guarantee that the file is never modified, as a file of a pack
  ///     or of the app's bundle; true by default. If it is modified nevertheless, results are wrong.
  /// - Throws: ``MapError`` with `.notFound`, `.invalidTileset`, `.damaged` or `.notEvaluated`; `SharingError` with
  ///   `.needsWriter` or `.accessDenied`; `DatabaseError` with SQLite's code; `FileError` when the
  ///   files next to it cannot be examined.
  public init(at url: URL, isNeverModified: Bool = true) throws {
    file = try TilesetFile(at: FilePath(of: url), isNeverModified: isNeverModified)
    lookup = try file.makeLookup(sql: Self.tileSQL)
  }

  /// Opens the current tileset of a source, and each later one, while the task is suspended.
  ///
  /// ```swift
  /// let tileset = try await Tileset(following: store.source("map.mbtiles", of: pack))
  /// ```
  ///
  /// A read that is in progress keeps its file; the next read uses the one that is current when it
  /// begins. When the source's new file cannot be opened, or is not a tileset, the previous one
  /// remains in use, and ``followingProblem`` says why.
  ///
  /// Opening a tileset of the app's bundle in place reads the whole file for the first time, which
  /// takes seconds for one of a gigabyte; an installed pack's was verified as it was installed.
  ///
  /// - Parameter source: The source, such as a pack's file.
  /// - Throws: As ``init(at:isNeverModified:)`` does; whatever the source throws.
  public init(following source: some DatabaseSource) async throws {
    file = try await BlockingWork.userInitiated.run { try TilesetFile(following: source) }
    lookup = nil
  }

  /// Opens the current tileset of a source, and each later one, on the caller's thread, which blocks
  /// meanwhile; see the awaited form.
  ///
  /// - Parameter source: The source, such as a pack's file.
  /// - Throws: The errors of the awaited form.
  @available(
    *, noasync,
    message:
      "Write `try await Tileset(following: …)`, which blocks no thread; at the top level of main.swift, in a function."
  )
  public init(following source: some DatabaseSource) throws {
    file = try TilesetFile(following: source)
    lookup = nil
  }

  /// The file's description of itself; for a source, from the file that was opened last.
  public var metadata: TilesetMetadata { file.content.metadata }

  /// How the file stores its tiles; for a source, the file that was opened last.
  public var schema: TilesetSchema { file.content.schema }

  /// The reason why the source's current file is not in use; `nil` if it is, or without a source.
  public var followingProblem: (any Error)? { file.followingProblem }

  /// The reader of the file, for queries of your own.
  public var reader: any DatabaseReader { file.reader }

  // MARK: - Tiles

  /// Returns a tile, on the caller's thread.
  ///
  /// - Parameter coordinate: The tile.
  /// - Returns: The tile; `nil` when the tileset has none there, or a NULL.
  /// - Throws: ``MapError`` with `.damaged` or `.notEvaluated`; `DatabaseError` with SQLite's code.
  @available(
    *, noasync,
    message:
      "Write `try await tile(at:)`, which blocks no thread; at the top level of main.swift, in a function."
  )
  public func tile(at coordinate: TileCoordinate) throws -> Tile? {
    let found = lookup?.blob(
      Int64(coordinate.z), Int64(coordinate.x), Int64(coordinate.tileRow))
    if let found { return found.map(Tile.init) }
    return try file.read("the tile \(coordinate)") { db in try Self.tile(coordinate, db) }
  }

  /// Returns a tile, while the task is suspended.
  ///
  /// - Parameter coordinate: The tile.
  /// - Returns: The tile; `nil` when the tileset has none there, or a NULL.
  /// - Throws: ``MapError`` with `.damaged` or `.notEvaluated`; `DatabaseError` with SQLite's code;
  ///   `CancellationError`.
  public func tile(at coordinate: TileCoordinate) async throws -> Tile? {
    try await file.read("the tile \(coordinate)") { db in try Self.tile(coordinate, db) }
  }

  /// Calls a closure with the bytes of a tile, on the caller's thread, without a copy of them.
  ///
  /// ```swift
  /// try tileset.withTile(at: coordinate) { bytes in
  ///   if let bytes { upload(bytes) }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - coordinate: The tile.
  ///   - body: Receives the bytes as stored, *borrowed*; `nil` when the tileset has no tile there, or a NULL. It
  ///     must not read the tileset itself, whose connection it holds.
  /// - Returns: The return value of `body`.
  /// - Throws: ``MapError`` with `.damaged` or `.notEvaluated`; `DatabaseError` with SQLite's
  ///   code; whatever `body` throws.
  @available(
    *, noasync,
    message:
      "Write `try await tile(at:)`, which blocks no thread; at the top level of main.swift, in a function."
  )
  public func withTile<Result>(
    at coordinate: TileCoordinate, _ body: (Span<UInt8>?) throws -> Result
  ) throws -> Result {
    if let found = try lookup?.withBlob(at: coordinate, body) { return found }
    return try file.read("the tile \(coordinate)") { db in
      try db.withStatement(sql: Self.tileSQL) { statement in
        try Data.withOne(
          statement, Int64(coordinate.z), Int64(coordinate.x), Int64(coordinate.tileRow), body)
      }
    }
  }

  private static let tileSQL =
    "SELECT tile_data FROM tiles WHERE zoom_level = ? AND tile_column = ? AND tile_row = ?"

  private static func tile(_ coordinate: TileCoordinate, _ db: Database) throws -> Tile? {
    try db.withStatement(sql: tileSQL) { statement in
      try Data.fetchOne(
        statement, Int64(coordinate.z), Int64(coordinate.x), Int64(coordinate.tileRow)
      ).map(Tile.init)
    }
  }

  // MARK: - Description

  /// Returns what the tileset covers, on the caller's thread.
  ///
  /// Values that the metadata does not have are computed from the tiles, which reads the coordinates of
  /// the deepest zoom level.
  ///
  /// - Throws: ``MapError`` with `.damaged` or `.notEvaluated`; `DatabaseError` with SQLite's code.
  @available(
    *, noasync,
    message:
      "Write `try await coverage()`, which blocks no thread; at the top level of main.swift, in a function."
  )
  public func coverage() throws -> TilesetCoverage {
    try file.read("the list of tiles") { db in
      // Read again, because a source may have switched since.
      try TilesetCoverage(db, TilesetMetadata(db))
    }
  }

  /// Returns what the tileset covers, while the task is suspended.
  ///
  /// - Throws: ``MapError`` with `.damaged` or `.notEvaluated`; `DatabaseError` with SQLite's code;
  ///   `CancellationError`.
  public func coverage() async throws -> TilesetCoverage {
    try await file.read("the list of tiles") { db in
      try TilesetCoverage(db, TilesetMetadata(db))
    }
  }

  /// Returns a description in TileJSON 3.0.0, on the caller's thread.
  ///
  /// - Parameter tiles: The addresses of tiles, with `{z}`, `{x}` and `{y}`.
  /// - Returns: The metadata, and what the file covers, with these addresses.
  /// - Throws: As the blocking `coverage()` does.
  @available(
    *, noasync,
    message:
      "Write `try await tileJSON(tiles:)`, which blocks no thread; at the top level of main.swift, in a function."
  )
  public func tileJSON(tiles: [String]) throws -> TileJSON {
    try file.read("the list of tiles") { db in
      let metadata = try TilesetMetadata(db)
      return TileJSON(metadata, try TilesetCoverage(db, metadata), tiles: tiles)
    }
  }

  /// Returns a description in TileJSON 3.0.0, while the task is suspended.
  ///
  /// - Parameter tiles: The addresses of tiles, with `{z}`, `{x}` and `{y}`.
  /// - Returns: What the blocking form returns.
  /// - Throws: As the awaited `coverage()` does.
  public func tileJSON(tiles: [String]) async throws -> TileJSON {
    try await file.read("the list of tiles") { db in
      let metadata = try TilesetMetadata(db)
      return TileJSON(metadata, try TilesetCoverage(db, metadata), tiles: tiles)
    }
  }

  // MARK: - Checks

  /// Returns everything that is wrong with the file, on the caller's thread; it reads every tile.
  ///
  /// It uses a connection of its own, so that other reads do not wait for it.
  ///
  /// - Parameter style: A style that draws the tileset, whose `source-layer`s are compared with the
  ///   layers of the tiles; nothing by default.
  /// - Returns: What is wrong.
  /// - Throws: As the initializer does; `DatabaseError` with SQLite's code for what is no damage of
  ///   the file.
  @available(
    *, noasync,
    message:
      "Write `try await check()`, which blocks no thread; at the top level of main.swift, in a function."
  )
  public func check(for style: MapStyle? = nil) throws -> TilesetReport {
    try check(for: style.map { [$0] } ?? []).withStyles
  }

  /// Returns everything that is wrong with the file, and apart from it what styles do not find in it.
  func check(for styles: [MapStyle]) throws -> TilesetReport {
    let file = try file.forLongRead()
    return try file.read("its tiles") { db in
      try TilesetReport(db, file.metadata(db), for: styles)
    }
  }

  /// Returns everything that is wrong with the file, while the task is suspended; it reads every
  /// tile.
  ///
  /// It uses a connection of its own, so that other reads do not wait for it.
  ///
  /// - Parameter style: A style that draws the tileset, whose `source-layer`s are compared with the
  ///   layers of the tiles; nothing by default.
  /// - Returns: What is wrong.
  /// - Throws: As the initializer does; `DatabaseError` with SQLite's code for what is no damage of
  ///   the file; `CancellationError`.
  public func check(for style: MapStyle? = nil) async throws -> TilesetReport {
    let file = try await file.forLongRead()
    return try await file.read("its tiles") { db in
      try TilesetReport(db, file.metadata(db), for: style.map { [$0] } ?? []).withStyles
    }
  }

  // MARK: - Ending

  /// Closes the file; later reads throw `DatabaseError` with `SQLITE_MISUSE`.
  ///
  /// You need not call it: a tileset closes its file when it is deinitialized.
  ///
  /// - Throws: `DatabaseError` when SQLite refuses.
  public func close() throws {
    let closing = Result { try lookup?.close() }
    try file.reader.close()
    try closing.get()
  }
}

extension BlobLookup {
  /// Calls a closure with the bytes of a tile; see ``BlobLookup/withBlob(_:_:_:_:)``.
  fileprivate func withBlob<Value>(
    at coordinate: TileCoordinate, _ body: (Span<UInt8>?) throws -> Value
  ) rethrows -> Value? {
    try withBlob(Int64(coordinate.z), Int64(coordinate.x), Int64(coordinate.tileRow), body)
  }
}
