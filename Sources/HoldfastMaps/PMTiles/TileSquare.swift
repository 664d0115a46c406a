/// All tiles of one zoom level that lie in a tile of another level, which are consecutive numbers of PMTiles.
struct TileSquare: Sendable {
  /// The tile in which they lie.
  let tile: TileCoordinate

  /// The number of levels from that tile to them.
  let depth: Int

  /// Their zoom level.
  var zoom: Int { tile.z + depth }

  var count: UInt64 { 1 << UInt64(2 * depth) }

  /// The number of the first one.
  var firstTileID: UInt64 {
    let distance = tile.tileID - TileCoordinate.firstTileID(ofZoom: tile.z)
    return TileCoordinate.firstTileID(ofZoom: zoom) + distance << UInt64(2 * depth)
  }

  /// The four squares of which it consists, in the order of their numbers; the depth must not be 0.
  var quarters: [TileSquare] {
    let distance = tile.tileID - TileCoordinate.firstTileID(ofZoom: tile.z)
    let first = TileCoordinate.firstTileID(ofZoom: tile.z + 1) + distance << 2
    return (first..<first + 4).compactMap { number in
      TileCoordinate(tileID: number).map { TileSquare(tile: $0, depth: depth - 1) }
    }
  }

  /// Calls a closure with the largest squares of which consecutive tiles consist, in their order.
  ///
  /// - Parameters:
  ///   - first: The number of the first tile.
  ///   - count: The number of tiles, which may be millions.
  ///   - body: Called with each square.
  /// - Returns: False if some of the tiles have no place in the pyramid.
  /// - Throws: Whatever `body` throws.
  static func visit(
    from first: UInt64, count: UInt64, _ body: (TileSquare) throws -> Void
  ) rethrows -> Bool {
    var next = first
    let end = first + count
    while next < end {
      guard let zoom = TileCoordinate(tileID: next)?.z else { return false }
      let start = TileCoordinate.firstTileID(ofZoom: zoom)
      let last = min(end, TileCoordinate.firstTileID(ofZoom: zoom + 1))
      var depth = 0
      // Four tiles in a row may be one of the level above.
      while depth < zoom, (next - start).isMultiple(of: 4 << UInt64(2 * depth)),
        next + 4 << UInt64(2 * depth) <= last
      {
        depth += 1
      }
      let number =
        TileCoordinate.firstTileID(ofZoom: zoom - depth) + (next - start) >> UInt64(2 * depth)
      guard let tile = TileCoordinate(tileID: number) else { return false }
      try body(TileSquare(tile: tile, depth: depth))
      next += 1 << UInt64(2 * depth)
    }
    return true
  }
}
