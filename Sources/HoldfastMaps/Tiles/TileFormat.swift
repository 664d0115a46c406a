public import Foundation
import HoldfastFiles

/// The format of a tile's content, as its first bytes show it.
public enum TileFormat: String, Hashable, Sendable, CaseIterable {
  /// An image in PNG.
  case png
  /// An image in JPEG.
  case jpg
  /// An image in WebP.
  case webp
  /// A Mapbox Vector Tile, usually compressed.
  case pbf
  /// A MapLibre Tile, which this module recognizes and does not read.
  ///
  /// - SeeAlso: <https://maplibre.org/maplibre-tile-spec/specification/>
  case mlt

  /// Whether the content is an image.
  public var isImage: Bool {
    switch self {
    case .png, .jpg, .webp: true
    case .pbf, .mlt: false
    }
  }

  /// The bytes of compressed content that are looked at.
  private static let beginningByteCount = 64

  /// Creates the format of a tile; the result is `nil` for anything else, such as an empty tile.
  ///
  /// Of compressed content, the beginning is decompressed. That the rest is whole is not known.
  ///
  /// - Parameter data: The tile's bytes, as stored.
  public init?(firstBytesOf data: Data) {
    let isCompressed = TileCompression(firstBytesOf: data) != .none
    // Much shorter than most tiles: the beginning of the content is in their first bytes.
    var content = [UInt8](data.prefix(isCompressed ? 4096 : Self.beginningByteCount))
    if isCompressed {
      let inflated = ZlibInflater().beginning(of: content, count: Self.beginningByteCount)
      // Such a length of its first layer, 120 bytes, makes a MapLibre tile begin like zlib.
      if !inflated.isEmpty || !Self.beginsWithMapLibreLayer(content) { content = inflated }
    }
    if let image = Self(imageWithFirstBytes: content) {
      self = image
    } else if Self.beginsWithLayer(content, byteCount: isCompressed ? nil : data.count) {
      self = .pbf
    } else if Self.beginsWithMapLibreLayer(content) {
      self = .mlt
    } else {
      return nil
    }
  }

  /// Creates the format of an image; the result is `nil` for other bytes.
  init?(imageWithFirstBytes start: [UInt8]) {
    if start.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else if start.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpg
    } else if start.count >= 12, start.starts(with: Array("RIFF".utf8)),
      start[8..<12].elementsEqual("WEBP".utf8)
    {
      self = .webp
    } else {
      return nil
    }
  }

  /// Creates the format that metadata names: "pbf", "jpg", "png", "webp" or a media type.
  ///
  /// - Parameter name: The value of `format`, in lower or upper case.
  /// - SeeAlso: <https://github.com/mapbox/mbtiles-spec/blob/master/1.3/spec.md>, "Metadata"
  init?(declared name: String) {
    switch name.lowercased() {
    case "png", "image/png": self = .png
    case "jpg", "jpeg", "image/jpeg", "image/jpg": self = .jpg
    case "webp", "image/webp": self = .webp
    case "pbf", "mvt", "application/x-protobuf", "application/vnd.mapbox-vector-tile": self = .pbf
    case "mlt", "application/vnd.maplibre-tile", "application/vnd.maplibre-vector-tile":
      self = .mlt
    default: return nil
    }
  }

  /// Returns whether bytes begin with a layer of a vector tile, inside of it if its length is known.
  ///
  /// A tile is a message whose field 3 is a layer: key `0x1A`, then the length of the layer.
  ///
  /// - SeeAlso: <https://github.com/mapbox/vector-tile-spec/tree/master/2.1>
  private static func beginsWithLayer(_ bytes: [UInt8], byteCount: Int?) -> Bool {
    guard bytes.first == 0x1A, let length = length(bytes, at: 1) else { return false }
    return length.value > 0 && length.value <= byteCount.map { $0 - length.end } ?? .max
  }

  /// Returns whether bytes begin with a layer of a MapLibre tile: its length, the number 1 that
  /// says how the layer is written, and its name behind the length of that.
  static func beginsWithMapLibreLayer(_ bytes: [UInt8]) -> Bool {
    guard let layer = length(bytes, at: 0), layer.end < bytes.count, bytes[layer.end] == 1,
      let name = length(bytes, at: layer.end + 1), name.value > 0,
      name.value <= bytes.count - name.end, name.end + name.value <= layer.end + layer.value
    else { return false }
    return String(validating: bytes[name.end..<name.end + name.value], as: UTF8.self) != nil
  }

  /// Returns a length of at most five bytes, and the place after it.
  private static func length(_ bytes: [UInt8], at start: Int) -> (value: Int, end: Int)? {
    var length = 0
    for (index, byte) in bytes.dropFirst(start).prefix(5).enumerated() {
      length |= Int(byte & 0x7F) << (7 * index)
      if byte < 0x80 { return (length, start + index + 1) }
    }
    return nil
  }
}

/// How a tile's or a grid's content is compressed, as its first bytes show it.
public enum TileCompression: String, Hashable, Sendable, CaseIterable {
  /// Not at all, or in the way of the image's own format.
  case none
  /// By gzip, which MBTiles requires for vector tiles and grids.
  case gzip
  /// By zlib, as some tools store grids.
  case zlib

  /// Returns how content is compressed.
  ///
  /// - Parameter data: The bytes, as stored.
  /// - SeeAlso: RFC 1952, section 2.3.1; RFC 1950, section 2.2.
  public init(firstBytesOf data: Data) { self.init(firstBytesOf: [UInt8](data.prefix(2))) }

  /// Returns how content is compressed.
  init(firstBytesOf bytes: [UInt8]) {
    guard bytes.count >= 2 else {
      self = .none
      return
    }
    // zlib: method 8 in the low bits, a window of at most 32 KiB, and a check sum in the second byte.
    let isZlib =
      bytes[0] & 0x0F == 8 && bytes[0] >> 4 <= 7
      && (Int(bytes[0]) << 8 | Int(bytes[1])).isMultiple(of: 31)
    self = bytes[0] == 0x1F && bytes[1] == 0x8B ? .gzip : isZlib ? .zlib : .none
  }
}
