import Foundation
import Holdfast

/// The zoom levels and the area of a tileset, from its metadata or else from its tiles.
public struct TilesetCoverage: Hashable, Sendable {
  /// The zoom levels with tiles; `nil` for an empty tileset that declares none.
  public let zoomLevels: ClosedRange<Int>?

  /// The area; computed from the tiles of the deepest zoom level when the metadata has none.
  ///
  /// That is the area which "all zoom levels" cover, as MBTiles demands.
  public let bounds: GeographicBounds?

  /// The first view; computed as the middle of the area and of the zoom levels when the metadata has
  /// none.
  public let center: MapCenter?

  /// The format, by the first bytes of the first tiles; the declared one when no tile shows it.
  public let format: TileFormat?

  /// How the tiles are compressed, by the first bytes of one of them.
  public let compression: TileCompression

  init(
    zoomLevels: ClosedRange<Int>?, bounds: GeographicBounds?, center: MapCenter?,
    format: TileFormat?, compression: TileCompression
  ) {
    (self.zoomLevels, self.bounds, self.center) = (zoomLevels, bounds, center)
    (self.format, self.compression) = (format, compression)
  }

  /// Reads what the metadata does not say.
  init(_ db: Database, _ metadata: TilesetMetadata) throws {
    zoomLevels = try Self.zoomLevels(db, metadata)
    bounds = try metadata.bounds ?? Self.bounds(db)
    center = metadata.center ?? Self.center(of: bounds, zoomLevels)
    let sample = try Self.sample(db)
    format = sample?.format ?? metadata.format.flatMap { TileFormat(declared: $0) }
    compression = sample?.compression ?? .none
  }

  private static func zoomLevels(
    _ db: Database, _ metadata: TilesetMetadata
  ) throws -> ClosedRange<Int>? {
    var first = metadata.minimumZoom
    var last = metadata.maximumZoom
    if first == nil || last == nil {
      let range = "zoom_level BETWEEN 0 AND \(TileCoordinate.maximumZoom)"
      // Two statements, because SQLite answers each from an index.
      first =
        try first ?? Int.fetchOne(db, sql: "SELECT min(zoom_level) FROM tiles WHERE \(range)")
      last = try last ?? Int.fetchOne(db, sql: "SELECT max(zoom_level) FROM tiles WHERE \(range)")
    }
    guard let first, let last, first <= last else { return nil }
    return first...last
  }

  private static func bounds(_ db: Database) throws -> GeographicBounds? {
    let deepest = try Int.fetchOne(
      db,
      sql: """
        SELECT max(zoom_level) FROM tiles
        WHERE zoom_level BETWEEN 0 AND \(TileCoordinate.maximumZoom)
        """)
    guard let deepest else { return nil }
    let side = 1 << deepest
    let row = try Row.fetchOne(
      db,
      sql: """
        SELECT min(tile_column), max(tile_column), min(tile_row), max(tile_row) FROM tiles
        WHERE zoom_level = ? AND tile_column BETWEEN 0 AND ? AND tile_row BETWEEN 0 AND ?
        """, arguments: [deepest, side - 1, side - 1])
    guard let row, let west = try row.decode(Int?.self, atIndex: 0),
      let east = try row.decode(Int?.self, atIndex: 1),
      let south = try row.decode(Int?.self, atIndex: 2),
      let north = try row.decode(Int?.self, atIndex: 3),
      let southwest = TileCoordinate(zoomLevel: deepest, tileColumn: west, tileRow: south),
      let northeast = TileCoordinate(zoomLevel: deepest, tileColumn: east, tileRow: north)
    else { return nil }
    return southwest.bounds.union(northeast.bounds)
  }

  static func center(
    of bounds: GeographicBounds?, _ zoomLevels: ClosedRange<Int>?
  ) -> MapCenter? {
    guard let bounds, let zoomLevels else { return nil }
    return MapCenter(
      longitude: (bounds.west + bounds.east) / 2, latitude: (bounds.south + bounds.north) / 2,
      zoom: (zoomLevels.lowerBound + zoomLevels.upperBound) / 2)
  }

  /// Returns the first tile that shows its format, of those at the beginning, or else the first one.
  private static func sample(_ db: Database) throws -> Tile? {
    let tiles = try Data.fetchCursor(
      db,
      sql: """
        SELECT tile_data FROM tiles WHERE typeof(tile_data) = 'blob' AND length(tile_data) > 0
        LIMIT 16
        """)
    var first: Tile?
    while let data = try tiles.next() {
      let tile = Tile(data: data)
      if tile.format != nil { return tile }
      first = first ?? tile
    }
    return first
  }
}

extension TileCoordinate {
  /// The area of the tile.
  ///
  /// - SeeAlso: <https://wiki.openstreetmap.org/wiki/Slippy_map_tilenames>
  public var bounds: GeographicBounds {
    let side = Double(1 << z)
    func longitude(_ column: Int) -> Double { Double(column) / side * 360 - 180 }
    func latitude(_ row: Int) -> Double {
      atan(sinh(.pi * (1 - 2 * Double(row) / side))) * 180 / .pi
    }
    // Clamped, because the sum of rounded numbers may pass the edge by their last digit.
    return GeographicBounds(
      clamping: longitude(x), latitude(y + 1), longitude(x + 1), latitude(y))
  }
}

extension GeographicBounds {
  fileprivate init(
    clamping west: Double, _ south: Double, _ east: Double, _ north: Double
  ) {
    (self.west, self.east) = (max(-180, west), min(180, east))
    (self.south, self.north) = (max(-90, south), min(90, north))
  }

  func union(_ other: GeographicBounds) -> GeographicBounds {
    GeographicBounds(
      clamping: min(west, other.west), min(south, other.south), max(east, other.east),
      max(north, other.north))
  }
}
