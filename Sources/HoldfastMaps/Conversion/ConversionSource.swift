import Foundation
import Holdfast
import HoldfastFiles

/// The tileset that a conversion reads, in either format.
struct ConversionSource {
  private enum Storage {
    case mbtiles(TilesetFile)
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
      encoding = try TileEncoding(file.header, of: path)
    case .mbtiles:
      let file = try TilesetFile(at: path, isNeverModified: true)
      storage = .mbtiles(file)
      description = try file.read("its description") { db in try TilesetDescription(db) }
      encoding = TileEncoding(description.tileType)
    }
  }

  /// Consecutive tiles with one content, as far as the source says so.
  struct Run {
    /// The place of a content in an archive.
    struct Place: Hashable {
      var offset: UInt64
      var length: UInt32
    }

    var tileID: UInt64
    var count: UInt64
    /// Where the content is, by which an equal one is known without reading it; `nil` for MBTiles.
    var place: Place?
  }

  /// The tiles, sorted by their numbers.
  func runs(in selection: TileSelection) throws -> [Run] {
    switch storage {
    case .pmtiles(let file): return try Self.runs(of: file, in: selection)
    case .mbtiles(let file):
      return try tileIDs(of: file, in: selection).map { Run(tileID: $0, count: 1) }
    }
  }

  private static func runs(of file: PMTilesFile, in selection: TileSelection) throws -> [Run] {
    var runs: [Run] = []
    var (tileCount, searched): (UInt64, UInt64) = (0, 0)
    let most = UInt64(ReadingLimit.convertedTiles.most)
    try file.forEachEntry { entry in
      let place = Run.Place(offset: entry.offset, length: entry.length)
      // An entry of a few bytes may stand for billions of tiles, which are not looked at one by one.
      let isLegal = try TileSquare.visit(from: entry.tileID, count: UInt64(entry.runLength)) {
        square in
        try selection.visit(square, &searched) { kept in
          tileCount += kept.count
          guard tileCount <= most else { throw MapError.tooManyTiles(file.path) }
          if let last = runs.last, last.place == place,
            last.tileID + last.count == kept.firstTileID
          {
            runs[runs.count - 1].count += kept.count
          } else {
            runs.append(Run(tileID: kept.firstTileID, count: kept.count, place: place))
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

  private func tileIDs(of file: TilesetFile, in selection: TileSelection) throws -> [UInt64] {
    try file.read("the list of tiles") { db in
      var tileIDs: [UInt64] = []
      let rows = try Row.fetchCursor(
        db, sql: "SELECT zoom_level, tile_column, tile_row FROM tiles",
        as: (Int?.self, Int?.self, Int?.self))
      while let (zoom, column, row) = try rows.next() {
        // A row that is no place is not found by any reader.
        guard let zoom, let column, let row,
          let coordinate = TileCoordinate(zoomLevel: zoom, tileColumn: column, tileRow: row),
          selection.contains(coordinate)
        else { continue }
        guard tileIDs.count < ReadingLimit.convertedTiles.most else {
          throw MapError.tooManyTiles(FilePath(db.path ?? "tileset"))
        }
        tileIDs.append(coordinate.tileID)
      }
      tileIDs.sort()
      // Of two rows for one tile, one is read.
      var count = 0
      for tileID in tileIDs where count == 0 || tileIDs[count - 1] != tileID {
        tileIDs[count] = tileID
        count += 1
      }
      tileIDs.removeLast(tileIDs.count - count)
      return tileIDs
    }
  }

  /// Returns the bytes of a tile as the new file stores them; `nil` when there is none, or a NULL.
  func tile(_ tileID: UInt64) throws -> [UInt8]? {
    switch storage {
    case .pmtiles(let file):
      return try file.tile(tileID).map { try encoding.encoded($0, tileID) }
    case .mbtiles(let file):
      guard let coordinate = TileCoordinate(tileID: tileID) else { return nil }
      let found = try file.read("the tile \(coordinate)") { db in
        try db.withStatement(
          sql: """
            SELECT tile_data FROM tiles WHERE zoom_level = ? AND tile_column = ? AND tile_row = ?
            """
        ) { statement in
          // Of several rows the last one, as renderers draw it.
          var last: Data?
          let rows = try Row.fetchCursor(
            statement,
            arguments: [coordinate.z, coordinate.x, coordinate.tileRow])
          while let row = try rows.next() { last = row[0] }
          return last
        }
      }
      return try found.map { try encoding.encoded([UInt8]($0), tileID) }
    }
  }
}

/// How the tiles of a tileset are stored in the new file: vector tiles by gzip, images as they are.
struct TileEncoding {
  let compressesByGzip: Bool

  init(_ type: PMTilesHeader.TileType) {
    compressesByGzip = type == .mvt || type == .mlt
  }

  /// - Throws: ``MapError`` for tiles that are compressed in a way that cannot be changed to gzip.
  init(_ header: PMTilesHeader, of path: FilePath) throws {
    self.init(header.tileType)
    guard [.unknown, .none, .gzip].contains(header.tileCompression) else {
      throw MapError.notATileset(
        path.name,
        because: "its tiles are compressed by \(header.tileCompression.name), which is not read")
    }
  }

  /// Returns the bytes of a tile as they are stored.
  func encoded(_ bytes: [UInt8], _ tileID: UInt64) throws -> [UInt8] {
    guard compressesByGzip, !bytes.isEmpty else { return bytes }
    switch TileCompression(firstBytesOf: Data(bytes.prefix(2))) {
    case .gzip: return bytes
    case .none: return GzipDeflater.deflate(bytes)
    case .zlib:
      do throws(InflationFault) {
        let content = try ZlibInflater().inflate(bytes, most: TilesetLimits.valueByteCount)
        return GzipDeflater.deflate(content.bytes)
      } catch {
        // Bytes of a tile that is not compressed may begin like zlib's.
        return GzipDeflater.deflate(bytes)
      }
    }
  }
}
