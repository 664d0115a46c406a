import Foundation

/// Where tiles lie: their zoom levels, and whether they are where the metadata says.
///
/// Rows of MBTiles are counted from the south. A tool that counts them from the north stores each
/// tile at the place of its mirror image, and a renderer finds nothing where it looks.
struct TilePlacement: Sendable {
  /// The zoom levels that have tiles, legal ones only.
  private(set) var zoomLevels: Set<Int> = []

  /// How many tiles were compared with the bounds.
  private struct Counts {
    var compared = 0
    /// Those of them that lie in the bounds at least in part.
    var inside = 0
    /// Those whose mirror images do.
    var mirroredInside = 0

    /// Whether there are only mirror images in the bounds.
    var looksMirrored: Bool {
      mirroredInside > inside
        // A few may lie at the edge.
        && mirroredInside >= compared - compared / 10
    }
  }

  /// The counts of all zoom levels but the first, whose tile covers everything.
  private var counts = [Counts](repeating: Counts(), count: TileCoordinate.maximumZoom + 1)

  /// The tiles that were compared with the bounds: all but those of zoom level 0.
  var comparedCount: Int { counts.reduce(0) { $0 + $1.compared } }

  /// Those of them that lie in the bounds at least in part.
  var insideCount: Int { counts.reduce(0) { $0 + $1.inside } }

  /// Those whose mirror images do.
  var mirroredInsideCount: Int { counts.reduce(0) { $0 + $1.mirroredInside } }

  private let bounds: RendererBounds?
  private let center: MapCenter?

  /// For each zoom level whether a tile lies at the center or next to it, and whether a mirror image does.
  private var atCenter: [Int: (isThere: Bool, isMirrored: Bool)] = [:]

  /// Prepares to compare tiles with an area and a view.
  init(bounds: RendererBounds?, center: MapCenter?) {
    (self.bounds, self.center) = (bounds, center)
  }

  mutating func add(_ tile: TileCoordinate) {
    zoomLevels.insert(tile.z)
    guard tile.z > 0 else { return }
    let mirrored = tile.mirrored
    if let bounds {
      counts[tile.z].compared += 1
      if bounds.touches(tile.bounds) { counts[tile.z].inside += 1 }
      if bounds.touches(mirrored.bounds) { counts[tile.z].mirroredInside += 1 }
    }
    if let center {
      let place = TileCoordinate(containing: center, zoom: tile.z)
      if tile.isNear(place) { atCenter[tile.z, default: (false, false)].isThere = true }
      if mirrored.isNear(place) { atCenter[tile.z, default: (false, false)].isMirrored = true }
    }
  }

  /// Adds consecutive tiles of an archive, which may be millions of an ocean.
  ///
  /// - Parameters:
  ///   - first: The number of the first tile.
  ///   - count: The number of tiles.
  /// - Returns: False if some of them have no place in the pyramid.
  mutating func add(tilesFrom first: UInt64, count: UInt64) -> Bool {
    TileSquare.visit(from: first, count: count) { add($0.tile, depth: $0.depth) }
  }

  /// Adds all tiles that lie a number of levels below a tile.
  private mutating func add(_ square: TileCoordinate, depth: Int) {
    guard depth > 0 else { return add(square) }
    let zoom = square.z + depth
    zoomLevels.insert(zoom)
    let mirrored = square.mirrored
    if let bounds {
      counts[zoom].compared += 1 << (2 * depth)
      counts[zoom].inside += bounds.count(of: square, depth: depth)
      counts[zoom].mirroredInside += bounds.count(of: mirrored, depth: depth)
    }
    if let center {
      let place = TileCoordinate(containing: center, zoom: zoom)
      if square.hasTile(near: place, depth) {
        atCenter[zoom, default: (false, false)].isThere = true
      }
      if mirrored.hasTile(near: place, depth) {
        atCenter[zoom, default: (false, false)].isMirrored = true
      }
    }
  }

  /// Whether rows are counted from the north, as it seems: where the metadata points to, there are
  /// only mirror images.
  var looksCountedFromNorth: Bool {
    let all = Counts(
      compared: comparedCount, inside: insideCount, mirroredInside: mirroredInsideCount)
    if all.compared > 0 { return all.looksMirrored }
    return centerView.map { !$0.isThere && $0.isMirrored } ?? false
  }

  /// The zoom levels of which that is so, where others are right: parts of different tilesets.
  var zoomLevelsFromNorth: [Int] {
    looksCountedFromNorth ? [] : counts.indices.filter { counts[$0].looksMirrored }
  }

  /// Whether no tile lies in the bounds.
  var isBesideBounds: Bool { comparedCount > 0 && insideCount == 0 }

  /// Whether no tile lies at the center or next to it, at the center's zoom level.
  var hasEmptyCenter: Bool { centerView.map { !$0.isThere } ?? false }

  /// Whether the center's zoom level is below those of the tiles, where nothing is drawn.
  ///
  /// - Parameter areImages: Whether the tiles are images, which are drawn from one zoom level less on.
  /// - Returns: Whether it is below all of them.
  func hasCenterBelowTiles(areImages: Bool) -> Bool {
    guard let center, let first = zoomLevels.min() else { return false }
    return center.zoom + (areImages ? 1 : 0) < first
  }

  /// The tile at the center, at its zoom level or the nearest one that has tiles.
  private var centerView: (isThere: Bool, isMirrored: Bool)? {
    guard let center,
      let zoom = zoomLevels.min(by: {
        ($0 - center.zoom).magnitude < ($1 - center.zoom).magnitude
      }), zoom > 0
    else { return nil }
    return atCenter[zoom] ?? (false, false)
  }
}

extension TileCoordinate {
  /// The tile at the same place on the other hemisphere, where its row has the same number counted
  /// from the other side.
  var mirrored: TileCoordinate { TileCoordinate(unchecked: z, x, (1 << z) - 1 - y) }

  /// The tile in which a point lies.
  ///
  /// - SeeAlso: <https://wiki.openstreetmap.org/wiki/Slippy_map_tilenames>
  init(containing point: MapCenter, zoom: Int) {
    let side = Double(1 << zoom)
    let latitude = min(max(point.latitude, -85.0511), 85.0511) * .pi / 180
    let column = (point.longitude + 180) / 360 * side
    let row = (1 - asinh(tan(latitude)) / .pi) / 2 * side
    // A point at the edge belongs to the last tile.
    self.init(
      unchecked: zoom, Int(min(max(column, 0), side - 1)), Int(min(max(row, 0), side - 1)))
  }

  /// Returns whether one of the tiles a number of levels below is a tile or touches it.
  fileprivate func hasTile(near other: TileCoordinate, _ depth: Int) -> Bool {
    (-1...1).contains { column in
      (-1...1).contains { row in
        (other.x + column) >> depth == x && (other.y + row) >> depth == y
      }
    }
  }

  /// Returns whether a tile of the same zoom level is this one or touches it.
  fileprivate func isNear(_ other: TileCoordinate) -> Bool {
    (x - other.x).magnitude <= 1 && (y - other.y).magnitude <= 1
  }
}

extension RendererBounds {
  /// Returns how many of the tiles that lie some levels below a tile have a part of the area.
  fileprivate func count(of square: TileCoordinate, depth: Int, exactLevels: Int = 6) -> Int {
    let count = 1 << (2 * depth)
    guard touches(square.bounds) else { return 0 }
    // Further down, tiles at the edge count as inside: there are as many as the edge is long.
    if depth == 0 || exactLevels == 0 || contains(square.bounds) { return count }
    return square.children.reduce(0) {
      $0 + self.count(of: $1, depth: depth - 1, exactLevels: exactLevels - 1)
    }
  }
}

extension TileCoordinate {
  /// The four tiles of the next level that cover the same area.
  fileprivate var children: [TileCoordinate] {
    [(0, 0), (1, 0), (0, 1), (1, 1)].map {
      TileCoordinate(unchecked: z + 1, 2 * x + $0.0, 2 * y + $0.1)
    }
  }
}
