public import Foundation

/// A tile of a tileset: its bytes as they are stored.
public struct Tile: Hashable, Sendable {
  /// The bytes, as stored; vector tiles are usually compressed.
  public let data: Data

  /// Creates a tile from its bytes.
  public init(data: Data) { self.data = data }

  /// The format, by the first bytes; `nil` when they are of no known format.
  ///
  /// Of a compressed tile, the beginning is decompressed each time.
  public var format: TileFormat? { TileFormat(firstBytesOf: data) }

  /// How the bytes are compressed.
  public var compression: TileCompression { TileCompression(firstBytesOf: data) }
}
