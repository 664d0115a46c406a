/// Some of the 256 characters of a file of glyphs.
struct GlyphSet: Hashable, Sendable {
  private var bits: SIMD4<UInt64> = .zero

  /// Adds a character, by its place among those of the file.
  mutating func insert(_ index: Int) { bits[index >> 6] |= 1 << UInt64(index & 63) }

  mutating func formUnion(_ other: GlyphSet) { bits |= other.bits }

  func subtracting(_ other: GlyphSet) -> GlyphSet {
    var rest = self
    rest.bits &= ~other.bits
    return rest
  }

  /// The places of the characters, in ascending order.
  var indexes: [Int] { (0..<256).filter { bits[$0 >> 6] >> UInt64($0 & 63) & 1 == 1 } }
}
