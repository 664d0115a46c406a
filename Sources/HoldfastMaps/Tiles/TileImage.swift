import HoldfastFiles

/// The structure of an image, which shows whether it is whole.
enum TileImage {
  /// Returns what is wrong with an image; `nil` for one that is whole as far as its structure says.
  ///
  /// The pixels of PNG are decompressed, checksum included; other formats are not decoded.
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

  private static let isCut = "it breaks off"

  /// - SeeAlso: <https://www.w3.org/TR/png-3/>, section 5
  private static func pngFault(_ bytes: [UInt8], _ inflater: ZlibInflater) -> String? {
    var position = 8
    var pixels: [UInt8] = []
    var isFirst = true
    // Each chunk: the length of its data, its type, the data, a checksum.
    while position + 12 <= bytes.count {
      let length = bytes[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
      let type = bytes[position + 4..<position + 8]
      guard length <= bytes.count - position - 12 else { return isCut }
      if isFirst, !type.elementsEqual("IHDR".utf8) { return "it does not begin with a header" }
      isFirst = false
      if type.elementsEqual("IDAT".utf8) { pixels += bytes[position + 8..<position + 8 + length] }
      if type.elementsEqual("IEND".utf8) {
        do throws(InflationFault) {
          _ = try inflater.inflate(pixels, most: ReadingLimit.tileContent.most)
          return nil
        } catch {
          return "its pixels cannot be decompressed"
        }
      }
      position += 12 + length
    }
    return isCut
  }

  /// - SeeAlso: ITU-T T.81, annex B
  private static func jpegFault(_ bytes: [UInt8]) -> String? {
    var position = 2
    while position + 4 <= bytes.count {
      guard bytes[position] == 0xFF else { return "a marker is missing" }
      let marker = bytes[position + 1]
      switch marker {
      // A byte that fills, and markers without a length.
      case 0xFF: position += 1
      case 0x01, 0xD0...0xD7: position += 2
      case 0xD9: return nil
      default:
        let length = Int(bytes[position + 2]) << 8 | Int(bytes[position + 3])
        position += 2 + length
        guard length >= 2, position <= bytes.count else { return isCut }
        // The scan: pixels, in which 0xFF is followed by zero or a marker.
        guard marker == 0xDA else { continue }
        guard let next = endOfScan(bytes, from: position) else { return isCut }
        position = next
      }
    }
    let isEnded =
      position + 2 <= bytes.count && bytes[position] == 0xFF && bytes[position + 1] == 0xD9
    return isEnded ? nil : isCut
  }

  /// Returns the place of the marker that follows a scan; `nil` when there is none.
  private static func endOfScan(_ bytes: [UInt8], from start: Int) -> Int? {
    var position = start
    while position + 1 < bytes.count {
      let next = bytes[position + 1]
      if bytes[position] == 0xFF, next != 0, next != 0xFF, !(0xD0...0xD7).contains(next) {
        return position
      }
      position += 1
    }
    return nil
  }

  /// - SeeAlso: RFC 9649, section 2.4
  private static func webPFault(_ bytes: [UInt8]) -> String? {
    let length = bytes[4..<8].reversed().reduce(0) { $0 << 8 | Int($1) }
    // Of an odd number of bytes the last one is a padding, which is left out sometimes.
    return length + 8 <= bytes.count + (length.isMultiple(of: 2) ? 0 : 1) && length >= 12
      ? nil : isCut
  }
}
