/// An area of the earth, in degrees of WGS 84.
///
/// It does not cross the antimeridian: `west` is at most `east`.
///
/// - SeeAlso: TileJSON 3.0.0, "bounds"
public struct GeographicBounds: Hashable, Sendable {
  /// The western edge, as a longitude from −180 to 180.
  public let west: Double
  /// The southern edge, as a latitude from −90 to 90.
  public let south: Double
  /// The eastern edge, as a longitude from −180 to 180.
  public let east: Double
  /// The northern edge, as a latitude from −90 to 90.
  public let north: Double

  /// Creates an area.
  ///
  /// The result is `nil` when an edge is out of range, or when the edges are in the wrong order.
  public init?(west: Double, south: Double, east: Double, north: Double) {
    let longitudes = -180.0...180
    let latitudes = -90.0...90
    guard longitudes.contains(west), longitudes.contains(east), west <= east,
      latitudes.contains(south), latitudes.contains(north), south <= north
    else { return nil }
    (self.west, self.south, self.east, self.north) = (west, south, east, north)
  }

  /// Creates an area from four numbers with commas: west, south, east, north.
  init?(_ text: String) {
    guard let numbers = [Double](4, separatedByCommas: text) else { return nil }
    self.init(west: numbers[0], south: numbers[1], east: numbers[2], north: numbers[3])
  }

  /// The edges in the order of MBTiles and TileJSON: west, south, east, north.
  public var edges: [Double] { [west, south, east, north] }
}

/// A view of a map: a point in degrees of WGS 84, and a zoom level.
public struct MapCenter: Hashable, Sendable {
  /// The longitude, from −180 to 180.
  public let longitude: Double
  /// The latitude, from −90 to 90.
  public let latitude: Double
  /// The zoom level.
  public let zoom: Int

  /// Creates a view.
  ///
  /// The result is `nil` when a number is out of range.
  public init?(longitude: Double, latitude: Double, zoom: Int) {
    guard (-180.0...180).contains(longitude), (-90.0...90).contains(latitude),
      (0...TileCoordinate.maximumZoom).contains(zoom)
    else { return nil }
    (self.longitude, self.latitude, self.zoom) = (longitude, latitude, zoom)
  }

  /// Creates a view from three numbers with commas: longitude, latitude, zoom level.
  init?(_ text: String) {
    guard let numbers = [Double](3, separatedByCommas: text),
      let zoom = Int(exactly: numbers[2])
    else { return nil }
    self.init(longitude: numbers[0], latitude: numbers[1], zoom: zoom)
  }
}

extension [Double] {
  /// Creates the finite numbers of a text; `nil` when one cannot be read, or there are more or fewer.
  init?(_ count: Int, separatedByCommas text: String) {
    self = []
    // A hostile text may consist of millions of commas.
    let parts = text.utf8.split(
      separator: UInt8(ascii: ","), maxSplits: count, omittingEmptySubsequences: false)
    guard parts.count == count else { return nil }
    for part in parts {
      let digits = Substring(part).trimmingPrefix(while: \.isWhitespace)
        .reversed().drop(while: \.isWhitespace).reversed()
      guard let number = Double(String(digits)), number.isFinite else { return nil }
      append(number)
    }
  }
}
