extension TileCoordinate {
  /// The number of the tile in a PMTiles archive, where tiles lie along a Hilbert curve, one zoom level after
  /// the other.
  ///
  /// - SeeAlso: <https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md>, "Tile ID"
  public var tileID: UInt64 {
    var (column, row) = (UInt64(x), UInt64(y))
    var distance: UInt64 = 0
    for level in stride(from: z - 1, through: 0, by: -1) {
      let side: UInt64 = 1 << UInt64(level)
      let isEast = column & side != 0
      let isSouth = row & side != 0
      // The quarters are visited in the order northwest, southwest, southeast, northeast.
      let quarter: UInt64 = isEast ? (isSouth ? 2 : 3) : (isSouth ? 1 : 0)
      distance += quarter << UInt64(2 * level)
      Self.turn(&column, &row, side: side, isEast: isEast, isSouth: isSouth)
    }
    return Self.firstTileID(ofZoom: z) + distance
  }

  /// Creates the coordinate of a number; the result is `nil` for a number past ``maximumZoom``.
  ///
  /// - Parameter tileID: The number.
  public init?(tileID: UInt64) {
    guard let zoom = Self.zoomLevel(ofTileID: tileID) else { return nil }
    let distance = tileID - Self.firstTileID(ofZoom: zoom)
    var (column, row): (UInt64, UInt64) = (0, 0)
    for level in 0..<zoom {
      let side: UInt64 = 1 << UInt64(level)
      let quarter = distance >> UInt64(2 * level) & 3
      let isEast = quarter >= 2
      let isSouth = quarter == 1 || quarter == 2
      Self.turn(&column, &row, side: side, isEast: isEast, isSouth: isSouth)
      if isEast { column += side }
      if isSouth { row += side }
    }
    self.init(unchecked: zoom, Int(column), Int(row))
  }

  /// Returns the zoom level of a tile; `nil` for a number past ``maximumZoom``.
  static func zoomLevel(ofTileID tileID: UInt64) -> Int? {
    guard tileID < firstTileID(ofZoom: maximumZoom + 1) else { return nil }
    return (0...maximumZoom).last { firstTileID(ofZoom: $0) <= tileID }
  }

  /// The number of tiles above a zoom level: the sum of the powers of 4.
  static func firstTileID(ofZoom zoom: Int) -> UInt64 {
    ((1 << UInt64(2 * zoom)) - 1) / 3
  }

  /// Turns a place within a quarter as the curve runs through that quarter.
  private static func turn(
    _ column: inout UInt64, _ row: inout UInt64, side: UInt64, isEast: Bool, isSouth: Bool
  ) {
    column &= side - 1
    row &= side - 1
    guard !isSouth else { return }
    if isEast { (column, row) = (side - 1 - column, side - 1 - row) }
    swap(&column, &row)
  }
}
