/// The coordinate reference system that a tileset names for its tiles.
///
/// Both formats are made for Web Mercator, and maps draw nothing else. QGIS and other tools cut tiles of any
/// system, and name it in `crs`.
///
/// - SeeAlso: <https://github.com/mapbox/mbtiles-spec/blob/master/1.3/spec.md>, "Tiles"
enum TileProjection {
  /// The name of the row or member.
  static let key = "crs"

  /// The numbers of EPSG and Esri for Web Mercator, also those that were used before it had one.
  private static let webMercator: Set = [3857, 3785, 900913, 102100, 102113]

  /// Returns the system that a text names, such as `EPSG:4326`, if it is not Web Mercator; `nil` for a text that names
  /// none that is known.
  static func other(_ text: String?) -> String? {
    guard let text else { return nil }
    // "EPSG:4326", "urn:ogc:def:crs:EPSG::4326" or "http://www.opengis.net/def/crs/EPSG/0/4326".
    let parts = text.uppercased().split { $0 == ":" || $0 == "/" }
    let isNumbered = parts.count == 1 || parts.contains("EPSG") || parts.contains("ESRI")
    if isNumbered, let number = parts.last.flatMap({ Int($0) }) {
      return webMercator.contains(number) ? nil : text
    }
    return parts.last == "CRS84" ? text : nil
  }
}
