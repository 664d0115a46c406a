import Foundation
import HoldfastTestSupport

/// Files of glyphs in which each character is a square.
///
/// - SeeAlso: <https://github.com/mapbox/node-fontnik/blob/master/proto/glyphs.proto>
enum SampleGlyphs {
  private typealias Bytes = VectorTileBytes

  /// Writes the file of a range of 256 characters.
  ///
  /// - Parameters:
  ///   - first: The first character.
  ///   - fonts: The fonts, as they stand in the URL.
  ///   - folder: The folder of all fonts.
  /// - Throws: A `CocoaError` when the file cannot be written.
  static func write(_ first: UInt64, _ fonts: String, to folder: URL) throws {
    let place = folder.appending(path: fonts)
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    let range = "\(first)-\(first + 255)"
    var stack = Bytes.bytes(1, Array(fonts.utf8)) + Bytes.bytes(2, Array(range.utf8))
    let square = [UInt8](repeating: 255, count: 18 * 18)
    for character in first..<first + 256 {
      // Width and height without a border of three pixels, then the offsets and the advance.
      let glyph =
        Bytes.number(1, character) + Bytes.bytes(2, square) + Bytes.number(3, 12)
        + Bytes.number(4, 12) + Bytes.number(5, 0) + Bytes.number(6, 7) + Bytes.number(7, 14)
      stack += Bytes.bytes(3, glyph)
    }
    try Data(Bytes.bytes(1, stack)).write(to: place.appending(path: "\(range).pbf"))
  }
}
