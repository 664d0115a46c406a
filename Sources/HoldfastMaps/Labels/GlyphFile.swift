/// A file of glyphs: stacks of fonts, each with the glyphs of a range of characters.
///
/// - SeeAlso: <https://github.com/mapbox/node-fontnik/blob/master/proto/glyphs.proto>
enum GlyphFile {
  /// Returns why MapLibre Native refuses a map that reads the file; `nil` for one that it reads.
  ///
  /// A file without a byte has no glyphs, and is read.
  static func fault(in bytes: [UInt8]) -> String? {
    do throws(VectorTileFault) {
      var file = VectorTileReader(bytes)
      while let field = try file.nextField() {
        guard field.number == 1 else {
          try file.skip(field)
          continue
        }
        try readStack(bytes, try file.range(field))
      }
      return nil
    } catch {
      // The first bytes of a member (RFC 1952, section 2.3.1).
      if bytes.starts(with: [0x1F, 0x8B]) { return "it is compressed by gzip" }
      return error == .truncated ? error.description : "it has no glyphs"
    }
  }

  private static func readStack(
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

  private static func readGlyph(
    _ bytes: [UInt8], _ range: Range<Int>
  ) throws(VectorTileFault) {
    var glyph = VectorTileReader(bytes, in: range)
    while let field = try glyph.nextField() {
      switch field.number {
      case 2: _ = try glyph.range(field)
      // The character, the width, the height, the place and the distance to the next one.
      case 1, 3...7: _ = try glyph.number(field)
      default: try glyph.skip(field)
      }
    }
  }
}
