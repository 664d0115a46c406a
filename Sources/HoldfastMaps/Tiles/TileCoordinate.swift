/// The place of a tile in the pyramid of Web Mercator: zoom level, column and row.
///
/// Rows are counted from the north, as in XYZ and in the addresses of tile servers. MBTiles counts
/// them from the south (TMS); only this type converts between the two.
///
/// - SeeAlso: <https://github.com/mapbox/mbtiles-spec/blob/master/1.3/spec.md>, "Tiles"
public struct TileCoordinate: Hashable, Sendable {
  /// The deepest zoom level.
  ///
  /// - SeeAlso: TileJSON 3.0.0, "maxzoom": "<= 30".
  public static let maximumZoom = 30

  /// The zoom level: 0 for the one tile that covers the world.
  public let z: Int

  /// The column, counted from 0 in the west.
  public let x: Int

  /// The row, counted from 0 in the north.
  public let y: Int

  /// Creates a coordinate.
  ///
  /// - Parameters:
  ///   - z: The zoom level, from 0 to ``maximumZoom``.
  ///   - x: The column, from 0 to 2^z − 1.
  ///   - y: The row, from 0 in the north to 2^z − 1.
  /// - Throws: ``MapError`` with `.invalidCoordinate` when there is no such tile.
  public init(z: Int, x: Int, y: Int) throws(MapError) {
    guard (0...Self.maximumZoom).contains(z) else {
      throw .illegalCoordinate(z: z, x: x, y: y)
    }
    let side = 0..<(1 << z)
    guard side.contains(x), side.contains(y) else { throw .illegalCoordinate(z: z, x: x, y: y) }
    (self.z, self.x, self.y) = (z, x, y)
  }

  /// Creates the coordinate of a row in MBTiles' tables.
  ///
  /// The result is `nil` when there is no such tile.
  init?(zoomLevel: Int, tileColumn: Int, tileRow: Int) {
    guard (0...Self.maximumZoom).contains(zoomLevel) else { return nil }
    let side = 0..<(1 << zoomLevel)
    guard side.contains(tileColumn), side.contains(tileRow) else { return nil }
    (z, x, y) = (zoomLevel, tileColumn, Self.flipped(tileRow, zoomLevel))
  }

  /// Creates a coordinate of which is known that there is such a tile.
  init(unchecked z: Int, _ x: Int, _ y: Int) { (self.z, self.x, self.y) = (z, x, y) }

  /// The row in MBTiles' tables, counted from 0 in the south.
  var tileRow: Int { Self.flipped(y, z) }

  /// Converts a row from the north into one from the south, and back.
  ///
  /// "in the TMS tiling scheme, the Y axis is reversed from the "XYZ" coordinate system commonly
  /// used in the URLs to request individual tiles" (MBTiles 1.3).
  private static func flipped(_ row: Int, _ zoom: Int) -> Int { (1 << zoom) - 1 - row }
}

extension TileCoordinate: CustomStringConvertible {
  /// The coordinate as in the address of a tile: zoom level, column and row.
  public var description: String { "\(z)/\(x)/\(y)" }
}
