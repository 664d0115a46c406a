import CFloor
import Foundation

/// The work of a pack, in C.
enum FairFloor {
  /// Copies the files of a folder into a new folder: their bytes and SHA-256, each synced, and the
  /// folder synced.
  ///
  /// - Returns: The digests of the files, by their names.
  static func copy(_ names: [String], from source: URL, to target: URL) throws -> [String: Data] {
    try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
    var digests: [String: Data] = [:]
    for name in names {
      var digest = [UInt8](repeating: 0, count: 32)
      let (from, to) = (source.appending(path: name).path, target.appending(path: name).path)
      let isCopied = unsafe digest.withUnsafeMutableBufferPointer {
        unsafe floor_copy(from, to, $0.baseAddress)
      }
      guard isCopied else { throw BenchmarkError.floor("copy", message: from) }
      digests[name] = Data(digest)
    }
    guard unsafe floor_sync_folder(target.path) else {
      throw BenchmarkError.floor("sync", message: target.path)
    }
    return digests
  }

  /// Opens a tileset, reads a tile and closes it.
  static func tile(of url: URL, _ place: TilePlace) throws -> UInt64 {
    let sum = unsafe floor_tile_once(
      url.path, Int64(place.zoom), Int64(place.column), Int64(place.row))
    guard sum > 0 else { throw BenchmarkError.floor("read a tile", message: url.path) }
    return UInt64(sum)
  }
}

/// The place of a tile, with its row from the north.
struct TilePlace {
  var zoom: Int
  var column: Int
  var row: Int

  /// Zoom level, column and row, as the C side takes them.
  var numbers: [Int64] { [Int64(zoom), Int64(column), Int64(row)] }
}

/// The tiles of a file, read in C.
@safe
final class FloorTiles {
  private let tiles: OpaquePointer

  init(_ url: URL) throws {
    guard let tiles = unsafe floor_tiles_open(url.path) else {
      throw BenchmarkError.floor("open", message: url.path)
    }
    unsafe self.tiles = tiles
  }

  deinit {
    unsafe floor_tiles_close(tiles)
  }

  /// Reads and copies tiles, and returns a sum over them.
  ///
  /// - Parameter numbers: The numbers of the tiles' places; see ``TilePlace/numbers``.
  /// - Returns: The sum.
  func read(_ numbers: [Int64]) -> UInt64 {
    unsafe floor_tiles_read(tiles, numbers, Int64(numbers.count / 3))
  }
}

extension Data {
  /// The sum over a tile that the C side makes too.
  var tileSum: UInt64 {
    // Not by three subscripts, each of which costs as much as a column's value.
    unsafe withUnsafeBytes { bytes in
      unsafe UInt64(bytes.count) + UInt64(bytes[0]) + UInt64(bytes[bytes.count / 2])
        + UInt64(bytes[bytes.count - 1])
    }
  }
}
