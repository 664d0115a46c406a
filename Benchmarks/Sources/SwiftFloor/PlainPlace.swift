/// A row of the fixture as a Swift value.
package struct PlainPlace {
  package var id: Int64
  package var name: String
  package var code: String?
  package var lat: Double
  package var lon: Double
  package var flag: Bool

  package init(id: Int64, name: String, code: String?, lat: Double, lon: Double, flag: Bool) {
    self.id = id
    self.name = name
    self.code = code
    self.lat = lat
    self.lon = lon
    self.flag = flag
  }

  /// The sum that C makes of a place.
  var sum: UInt64 {
    UInt64(id) &+ UInt64(name.utf8.count) &+ UInt64(code?.utf8.count ?? 0)
      &+ (lat + lon > 1000 ? 1 : 0) &+ (flag ? 1 : 0)
  }
}
