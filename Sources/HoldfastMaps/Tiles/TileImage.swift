import HoldfastFiles

/// The structure of an image, which shows whether it is whole.
///
/// What MapLibre Native refuses was observed with its versions of 2025 and 2026, which read PNG by libpng, JPEG by
/// libjpeg and WebP by libwebp.
enum TileImage {
  /// Returns what is wrong with an image; `nil` for one that is whole as far as its structure says.
  ///
  /// The pixels of PNG are decompressed, checksums included; those of other formats are not decoded.
  static func fault(
    in bytes: [UInt8], _ format: TileFormat, with inflater: ZlibInflater
  ) -> String? {
    switch format {
    case .png: pngFault(bytes, inflater)
    case .jpg: jpegFault(bytes)
    case .webp: webPFault(bytes)
    case .pbf, .mlt: nil
    }
  }

  /// Returns what is wrong with an image of a style, whatever its name is; `nil` for one that is whole.
  static func fault(in bytes: [UInt8]) -> String? {
    guard let format = TileFormat(imageWithFirstBytes: bytes) else {
      return "it is no PNG, JPEG or WebP"
    }
    return fault(in: bytes, format, with: ZlibInflater())
  }

  static let isCut = "it breaks off"

  /// The longest side that graphics cards have room for; of a longer one, nothing is drawn.
  private static let longestSide = 16_384

  /// Returns what is wrong with the size of an image.
  static func fault(width: Int, height: Int) -> String? {
    if width < 1 || height < 1 { return "it has no pixels" }
    if width > longestSide || height > longestSide {
      return "it has \(width) × \(height) pixels, and a side may have \(longestSide)"
    }
    return nil
  }

  /// Returns a number of some bytes, the highest first.
  static func number(_ bytes: [UInt8], at start: Int, count: Int) -> Int {
    bytes[start..<start + count].reduce(0) { $0 << 8 | Int($1) }
  }

  /// Returns a number of some bytes, the lowest first.
  static func reversedNumber(_ bytes: [UInt8], at start: Int, count: Int) -> Int {
    bytes[start..<start + count].reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}
