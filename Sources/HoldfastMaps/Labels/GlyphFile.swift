/// A file of glyphs: stacks of fonts, each with the glyphs of a range of characters.
///
/// - SeeAlso: <https://github.com/mapbox/node-fontnik/blob/master/proto/glyphs.proto>
struct GlyphFile {
  /// The characters that have a glyph.
  private(set) var characters = GlyphSet()

  /// Why MapLibre Native refuses a map that reads the file; `nil` for one that it reads.
  private(set) var fault: String?

  /// Reads a file.
  ///
  /// One without a byte has no glyphs, and is read.
  init(_ bytes: [UInt8]) {
    do throws(VectorTileFault) {
      var file = VectorTileReader(bytes)
      while let field = try file.nextField() {
        guard field.number == 1 else {
          try file.skip(field)
          continue
        }
        try readStack(bytes, try file.range(field))
      }
    } catch {
      // The first bytes of a member (RFC 1952, section 2.3.1).
      let isCompressed = bytes.starts(with: [0x1F, 0x8B])
      fault =
        isCompressed
        ? "it is compressed by gzip"
        : error == .truncated ? error.description : "it has no glyphs"
    }
  }

  private mutating func readStack(
    _ bytes: [UInt8], _ range: Range<Int>
  ) throws(VectorTileFault) {
    var stack = VectorTileReader(bytes, in: range)
    while let field = try stack.nextField() {
      guard field.number == 3 else {
        try stack.skip(field)
        continue
      }
      try readGlyph(bytes, try stack.range(field))
    }
  }

  private mutating func readGlyph(
    _ bytes: [UInt8], _ range: Range<Int>
  ) throws(VectorTileFault) {
    var glyph = VectorTileReader(bytes, in: range)
    while let field = try glyph.nextField() {
      switch field.number {
      case 2: _ = try glyph.range(field)
      case 1: characters.insert(Int(truncatingIfNeeded: try glyph.number(field)) & 255)
      // The width, the height, the place and the distance to the next one.
      case 3...7: _ = try glyph.number(field)
      default: try glyph.skip(field)
      }
    }
  }
}
