public import Foundation

/// The format of a tile's content, as its first bytes show it.
public enum TileFormat: String, Hashable, Sendable, CaseIterable {
  /// An image in PNG.
  case png
  /// An image in JPEG.
  case jpg
  /// An image in WebP.
  case webp
  /// A Mapbox Vector Tile, usually compressed.
  case pbf

  /// Creates the format of a tile; the result is `nil` for anything else, such as an empty tile.
  ///
  /// Compressed content is a vector tile: images are compressed by themselves, and MBTiles has no
  /// other content that is compressed.
  ///
  /// - Parameter data: The tile's bytes, as stored.
  public init?(firstBytesOf data: Data) {
    let start = [UInt8](data.prefix(12))
    if start.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else if start.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpg
    } else if start.count == 12, start.starts(with: Array("RIFF".utf8)),
      start[8...].elementsEqual("WEBP".utf8)
    {
      self = .webp
    } else if TileCompression(firstBytesOf: data) != .none || Self.beginsWithLayer(data) {
      self = .pbf
    } else {
      return nil
    }
  }

  /// Returns whether the bytes begin with a layer of a vector tile that lies inside of them.
  ///
  /// A tile is a message whose field 3 is a layer: key `0x1A`, then the length of the layer.
  ///
  /// - SeeAlso: <https://github.com/mapbox/vector-tile-spec/tree/master/2.1>
  private static func beginsWithLayer(_ data: Data) -> Bool {
    guard data.first == 0x1A else { return false }
    var length = 0
    for (index, byte) in data.dropFirst().prefix(5).enumerated() {
      length |= Int(byte & 0x7F) << (7 * index)
      if byte < 0x80 { return length > 0 && length <= data.count - 2 - index }
    }
    return false
  }
}

/// How a tile's or a grid's content is compressed, as its first bytes show it.
public enum TileCompression: String, Hashable, Sendable, CaseIterable {
  /// Not at all, or in the way of the image's own format.
  case none
  /// By gzip, which MBTiles requires for vector tiles and grids.
  case gzip
  /// By zlib, as some tools store grids.
  case zlib

  /// Returns how content is compressed.
  ///
  /// - Parameter data: The bytes, as stored.
  /// - SeeAlso: RFC 1952, section 2.3.1; RFC 1950, section 2.2.
  public init(firstBytesOf data: Data) {
    let start = [UInt8](data.prefix(2))
    guard start.count == 2 else {
      self = .none
      return
    }
    // zlib: method 8 in the low bits, a window of at most 32 KiB, and a check sum in the second byte.
    let isZlib =
      start[0] & 0x0F == 8 && start[0] >> 4 <= 7
      && (Int(start[0]) << 8 | Int(start[1])).isMultiple(of: 31)
    self = start == [0x1F, 0x8B] ? .gzip : isZlib ? .zlib : .none
  }
}
