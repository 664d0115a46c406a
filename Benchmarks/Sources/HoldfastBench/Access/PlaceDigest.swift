/// A digest that changes when any value or the order of any two places changes.
///
/// It is the same as that of `floor_places_digest`, so that rows read by either side can be
/// compared.
struct PlaceDigest {
  private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  init(_ places: some Sequence<Place>) {
    for place in places {
      mix(UInt64(bitPattern: place.id))
      mix(place.name)
      mix(place.code)
      mix(place.lat.bitPattern)
      mix(place.lon.bitPattern)
      mix(place.flag ? 1 : 0)
    }
  }

  private mutating func mix(_ bits: UInt64) {
    value = (value ^ bits) &* 0x100_0000_01b3
  }

  private mutating func mix(_ text: String?) {
    for byte in text?.utf8 ?? "".utf8 {
      mix(UInt64(byte))
    }
    mix(text == nil ? 0x100 : 0x101)
  }
}
