extension TileImage {
  /// - SeeAlso: ITU-T T.81, annex B
  static func jpegFault(_ bytes: [UInt8]) -> String? {
    var position = 2
    var (hasFrame, hasTables, hasScan) = (false, false, false)
    while position + 4 <= bytes.count {
      guard bytes[position] == 0xFF else { return "a marker is missing" }
      let marker = bytes[position + 1]
      switch marker {
      // A byte that fills, and markers without a length.
      case 0xFF: position += 1
      case 0x01, 0xD0...0xD7: position += 2
      case 0xD9: return hasScan ? nil : "it has no pixels"
      default:
        let length = number(bytes, at: position + 2, count: 2)
        let start = position + 4
        position += 2 + length
        guard length >= 2, position <= bytes.count else { return isCut }
        switch marker {
        case 0xDB: hasTables = true
        // A frame; other numbers in this row are tables and what no decoder reads.
        case 0xC0...0xCF where ![0xC4, 0xC8, 0xCC].contains(marker):
          if let fault = frameFault(bytes[start..<position], marker) { return fault }
          hasFrame = true
        // The scan: pixels, in which 0xFF is followed by zero or a marker.
        case 0xDA:
          guard hasFrame, hasTables else { return "its pixels have no header, or no tables" }
          guard let next = endOfScan(bytes, from: position) else { return isCut }
          hasScan = true
          position = next
        default: break
        }
      }
    }
    let isEnded =
      position + 2 <= bytes.count && bytes[position] == 0xFF && bytes[position + 1] == 0xD9
    guard isEnded else { return isCut }
    return hasScan ? nil : "it has no pixels"
  }

  /// Returns what is wrong with a frame: the bits of a sample, the height, the width, and the number of colors.
  private static func frameFault(_ frame: ArraySlice<UInt8>, _ marker: UInt8) -> String? {
    // Baseline, extended and progressive, each coded by Huffman's codes or arithmetically.
    guard [0xC0, 0xC1, 0xC2, 0xC9, 0xCA].contains(marker) else {
      return "it is lossless or in several resolutions, which is not read"
    }
    guard frame.count >= 6 else { return isCut }
    let frame = Array(frame)
    guard frame[0] == 8, [1, 3, 4].contains(frame[5]) else {
      return "it has \(frame[5]) colors of \(frame[0]) bits"
    }
    return fault(
      width: number(frame, at: 3, count: 2), height: number(frame, at: 1, count: 2))
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
}
