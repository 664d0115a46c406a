import Foundation
import Holdfast
import HoldfastFiles

/// The tileset that a conversion reads, in either format.
struct ConversionSource {
  private enum Storage {
    case mbtiles(TilesetFile, hasRowIDs: Bool)
    case pmtiles(PMTilesFile)
  }

  private let storage: Storage
  let path: FilePath
  let description: TilesetDescription

  /// How the tiles are stored in the new file.
  let encoding: TileEncoding

  init(at path: FilePath) throws {
    self.path = path
    switch try TilesetFileFormat(contentOf: path) {
    case .pmtiles:
      let file = try PMTilesFile(at: path)
      storage = .pmtiles(file)
      description = try TilesetDescription(file)
      encoding = try TileEncoding(description.tileType, file.header, of: path)
    case .mbtiles:
      let file = try TilesetFile(at: path, isNeverModified: true)
      let (description, hasRowIDs) = try file.read("its description") { db in
        (try TilesetDescription(db), try Self.hasRowIDs(db))
      }
      storage = .mbtiles(file, hasRowIDs: hasRowIDs)
      self.description = description
      encoding = TileEncoding(description.tileType)
    }
  }

  /// Returns whether `tiles` is a table whose rows are found by their numbers, and not a view.
  private static func hasRowIDs(_ db: Database) throws -> Bool {
    let names = ["rowid", "oid", "_rowid_"]
    let sql = try String.fetchOne(
      db, sql: "SELECT sql FROM sqlite_master WHERE type = 'table' AND lower(name) = 'tiles'")
    // SQLite begins what it stores like this, and that of virtual tables in another way.
    guard let sql, sql.utf8.starts(with: "CREATE TABLE".utf8),
      // A column of that name is not the number of the row.
      try !db.columns(in: "tiles").contains(where: { names.contains($0.name.lowercased()) })
    else { return false }
    do {
      _ = try db.makeStatement(sql: "SELECT rowid FROM tiles")
      return true
    } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
      // A table that was created WITHOUT ROWID.
      return false
    }
  }

  /// Consecutive tiles with one content, as far as the source says so.
  struct Run {
    var tileID: UInt64
    var count: UInt32
    /// The number of bytes in an archive; 0 for MBTiles.
    var length: UInt32
    /// The place in an archive, by which an equal content is known without reading it, or the number of the row.
    var offset: UInt64
  }

  /// Whether it is a PMTiles archive, in which runs with one place have one content.
  var isArchive: Bool {
    switch storage {
    case .pmtiles: true
    case .mbtiles: false
    }
  }

  /// Returns the tiles, sorted by their numbers, and the number of rows that are the place of no tile.
  func runs(in selection: TileSelection) throws -> (runs: [Run], misplacedCount: Int) {
    switch storage {
    case .pmtiles(let file): return (try Self.runs(of: file, in: selection), 0)
    case .mbtiles(let file, let hasRowIDs):
      return try Self.runs(of: file, in: selection, byRowID: hasRowIDs)
    }
  }

  private static func runs(of file: PMTilesFile, in selection: TileSelection) throws -> [Run] {
    var runs: [Run] = []
    var (tileCount, searched): (UInt64, UInt64) = (0, 0)
    let most = UInt64(ReadingLimit.convertedTiles.most)
    try file.forEachEntry { entry in
      // An entry of a few bytes may stand for billions of tiles, which are not looked at one by one.
      let isLegal = try TileSquare.visit(from: entry.tileID, count: UInt64(entry.runLength)) {
        square in
        try selection.visit(square, &searched) { kept in
          // Compared before they are added, because a square may have more tiles than a number has room for.
          guard kept.count <= most, tileCount + kept.count <= most else {
            throw MapError.tooManyTiles(file.path)
          }
          tileCount += kept.count
          if let last = runs.last, last.offset == entry.offset, last.length == entry.length,
            last.tileID + UInt64(last.count) == kept.firstTileID
          {
            runs[runs.count - 1].count += UInt32(kept.count)
          } else {
            runs.append(
              Run(
                tileID: kept.firstTileID, count: UInt32(kept.count), length: entry.length,
                offset: entry.offset))
          }
        }
        guard searched <= 50 * most else { throw MapError.tooManyTiles(file.path) }
      }
      guard isLegal else {
        throw PMTilesFault("it has tiles of more than \(TileCoordinate.maximumZoom) zoom levels")
      }
    }
    return runs
  }

  private static func runs(
    of file: TilesetFile, in selection: TileSelection, byRowID: Bool
  ) throws -> (runs: [Run], misplacedCount: Int) {
    try file.read("the list of tiles") { db in
      var runs: [Run] = []
      var misplacedCount = 0
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT CAST(zoom_level AS INTEGER), CAST(tile_column AS INTEGER), CAST(tile_row AS INTEGER),
            \(byRowID ? "rowid" : "0"), \(TilesetSchema.isFoundSQL)
          FROM tiles
          """,
        as: (Int?.self, Int?.self, Int?.self, Int64.self, Bool?.self))
      while let (zoom, column, row, rowID, isFound) = try rows.next() {
        // A row that is no place is not found by any reader.
        guard isFound == true, let zoom, let column, let row,
          let coordinate = TileCoordinate(zoomLevel: zoom, tileColumn: column, tileRow: row)
        else {
          misplacedCount += 1
          continue
        }
        guard selection.contains(coordinate) else { continue }
        guard runs.count < ReadingLimit.convertedTiles.most else {
          throw MapError.tooManyTiles(FilePath(db.path ?? "tileset"))
        }
        runs.append(
          Run(
            tileID: coordinate.tileID, count: 1, length: 0, offset: UInt64(bitPattern: rowID)))
      }
      runs.sort {
        $0.tileID == $1.tileID
          ? Int64(bitPattern: $0.offset) < Int64(bitPattern: $1.offset) : $0.tileID < $1.tileID
      }
      // Of several rows for one tile the last one, as renderers draw it.
      var count = 0
      for run in runs {
        if count > 0, runs[count - 1].tileID == run.tileID { count -= 1 }
        runs[count] = run
        count += 1
      }
      runs.removeLast(runs.count - count)
      return (runs, misplacedCount)
    }
  }

  // MARK: - Contents

  /// Reads the contents of runs, as they are stored.
  ///
  /// - Parameters:
  ///   - runs: The runs.
  ///   - body: Called with each run and a function that appends the bytes of its tiles to others, and returns false when
  ///     there are none, or a NULL.
  /// - Throws: ``MapError`` with `.damaged`; `DatabaseError`; `FileError`; whatever `body` throws.
  func read(
    _ runs: ArraySlice<Run>,
    _ body: (Run, (inout [UInt8]) throws -> Bool) throws -> Void
  ) throws {
    switch storage {
    case .pmtiles(let file):
      for run in runs {
        try body(run) { bytes in
          bytes += try file.tileContent(
            of: PMTilesDirectory.Entry(
              tileID: run.tileID, runLength: 1, offset: run.offset, length: run.length))
          return true
        }
      }
    case .mbtiles(let file, let hasRowIDs):
      // One access for many tiles.
      try file.read("its tiles") { db in
        try db.withStatement(
          sql: hasRowIDs
            ? "SELECT tile_data FROM tiles WHERE rowid = ?"
            : """
            SELECT tile_data FROM tiles WHERE zoom_level = ? AND tile_column = ? AND tile_row = ?
            """
        ) { statement in
          for run in runs {
            try body(run) { bytes in
              let arguments: StatementArguments
              if hasRowIDs {
                arguments = [Int64(bitPattern: run.offset)]
              } else {
                guard let coordinate = TileCoordinate(tileID: run.tileID) else { return false }
                arguments = [coordinate.z, coordinate.x, coordinate.tileRow]
              }
              return try Self.appendLast(statement, arguments, to: &bytes)
            }
          }
        }
      }
    }
  }

  /// Appends the blob or the text of the last row that a statement has; returns false when there is none.
  private static func appendLast(
    _ statement: Statement, _ arguments: StatementArguments, to bytes: inout [UInt8]
  ) throws -> Bool {
    let start = bytes.count
    var isFound = false
    let rows = try Row.fetchCursor(statement, arguments: arguments)
    while let row = try rows.next() {
      bytes.removeLast(bytes.count - start)
      isFound = row.appendBlob(atIndex: 0, to: &bytes)
      if !isFound, let text = try row.decode(Data?.self, atIndex: 0) {
        bytes += text
        isFound = true
      }
    }
    return isFound
  }
}

/// How the tiles of a tileset are stored in the new file: vector tiles by gzip, and images without a further
/// compression, because the header of an archive says one for all tiles.
struct TileEncoding: Sendable {
  let compressesByGzip: Bool
  private let type: PMTilesHeader.TileType

  init(_ type: PMTilesHeader.TileType) {
    compressesByGzip =
      switch type {
      case .mvt, .mlt: true
      case .png, .jpeg, .webp, .avif, .unknown: false
      }
    self.type = type
  }

  /// - Throws: ``MapError`` for tiles that are compressed in a way that cannot be changed to gzip.
  init(
    _ type: PMTilesHeader.TileType, _ header: PMTilesHeader, of path: FilePath
  ) throws {
    self.init(type)
    guard [.unknown, .none, .gzip].contains(header.tileCompression) else {
      throw MapError.notATileset(
        path.name,
        because: "its tiles are compressed by \(header.tileCompression.name), which is not read")
    }
  }

  /// Returns a content as the new file stores it; `nil` when it stays as it is.
  func changed(_ bytes: [UInt8], in range: Range<Int>) -> [UInt8]? {
    guard type != .unknown, !range.isEmpty else { return nil }
    let compression = TileCompression(firstBytesOf: Array(bytes[range].prefix(2)))
    if compression == (compressesByGzip ? .gzip : .none) { return nil }
    let stored = Array(bytes[range])
    // Bytes of a tile that is not compressed may begin like zlib's.
    let content = compression == .none ? nil : Self.inflated(stored)
    return compressesByGzip ? GzipDeflater.deflate(content ?? stored) : content
  }

  private static func inflated(_ stored: [UInt8]) -> [UInt8]? {
    do throws(InflationFault) {
      return try ZlibInflater().inflate(stored, most: TilesetLimits.valueByteCount).bytes
    } catch {
      return nil
    }
  }
}
