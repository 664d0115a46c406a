/// The value of `bounds`, as MapLibre Native reads it.
///
/// It splits the text at commas, reads a number at the beginning of each part, and takes 0 for a part
/// without one. West may be greater than east, for an area across 180°.
struct RendererBounds: Hashable, Sendable {
  let west: Double
  let south: Double
  let east: Double
  let north: Double

  /// Whether each part is a number.
  let areNumbers: Bool

  /// Reads a text; the result is `nil` when it does not have four parts.
  init?(_ text: String) {
    // A hostile text may consist of millions of commas.
    var parts = text.utf8.split(
      separator: UInt8(ascii: ","), maxSplits: 5, omittingEmptySubsequences: false)
    // C++'s `getline` finds no part after the last comma.
    if parts.last?.isEmpty == true { parts.removeLast() }
    guard parts.count == 4 else { return nil }
    let numbers = parts.map { RendererNumber.real(String(decoding: $0, as: UTF8.self)) }
    areNumbers = !numbers.contains(nil)
    (west, south) = (numbers[0] ?? 0, numbers[1] ?? 0)
    (east, north) = (numbers[2] ?? 0, numbers[3] ?? 0)
  }

  /// Reads a JSON array; the result is `nil` when it does not consist of four numbers.
  init?(_ value: JSONDocument.Value, in json: JSONDocument) {
    guard value.elements.count == 4 else { return nil }
    self.init(value.elements.compactMap(json.number))
  }

  /// Creates bounds of four numbers; the result is `nil` for more or fewer.
  init?(_ numbers: [Double]) {
    guard numbers.count == 4 else { return nil }
    (west, south, east, north) = (numbers[0], numbers[1], numbers[2], numbers[3])
    areNumbers = true
  }

  /// The edges: west, south, east, north.
  var edges: [Double] { [west, south, east, north] }

  /// Whether the area lies across 180°.
  var crossesAntimeridian: Bool {
    west > east || (east > 180 || west < -180) && east - west < 360
  }

  /// Whether all edges are finite; with others, the document that MapLibre Native makes is no JSON.
  var areFinite: Bool { edges.allSatisfy(\.isFinite) }

  /// Whether MapLibre Native refuses it where it uses bounds at all.
  var isRefused: Bool { !areFinite || west > east || south > north }

  /// Whether all edges are on the earth.
  var isOnEarth: Bool {
    let (longitudes, latitudes) = (-180.0...180, -90.0...90)
    return longitudes.contains(west) && longitudes.contains(east) && latitudes.contains(south)
      && latitudes.contains(north)
  }

  /// Returns whether a tile lies in the area whole, where that does not cross 180°.
  func contains(_ tile: GeographicBounds) -> Bool {
    west <= tile.west && tile.east <= east && south <= tile.south && tile.north <= north
  }

  /// Returns whether the area and a tile have a point in common.
  func touches(_ tile: GeographicBounds) -> Bool {
    guard south <= tile.north, tile.south <= north else { return false }
    let isBetween = { (west: Double, east: Double) in west <= tile.east && tile.west <= east }
    guard west > east else {
      // The same area, one turn further.
      return isBetween(west, east) || isBetween(west + 360, east + 360)
        || isBetween(west - 360, east - 360)
    }
    return isBetween(west, 180) || isBetween(-180, east)
  }
}
