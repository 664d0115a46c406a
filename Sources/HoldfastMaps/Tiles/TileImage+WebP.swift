extension TileImage {
  /// - SeeAlso: RFC 9649, section 2
  static func webPFault(_ bytes: [UInt8]) -> String? {
    let length = reversedNumber(bytes, at: 4, count: 4)
    // Of an odd number of bytes the last one is a padding, which is left out sometimes.
    guard length + 8 <= bytes.count + (length.isMultiple(of: 2) ? 0 : 1), length >= 12 else {
      return isCut
    }
    let end = min(length + 8, bytes.count)
    var position = 12
    var canvas: (width: Int, height: Int)?
    // Each chunk: its name, the length of its data, the data, and a byte after an odd number of them.
    while position + 8 <= end {
      let count = reversedNumber(bytes, at: position + 4, count: 4)
      let start = position + 8
      guard count <= end - start else { return isCut }
      switch String(decoding: bytes[position..<position + 4], as: UTF8.self) {
      case "VP8X":
        guard canvas == nil, count >= 10 else { return "its header is not valid" }
        if bytes[start] & 2 != 0 { return "it is an animation" }
        canvas = (
          1 + reversedNumber(bytes, at: start + 4, count: 3),
          1 + reversedNumber(bytes, at: start + 7, count: 3)
        )
      case "VP8 ":
        return webPFault(lossySize(bytes[start..<start + count]), in: canvas)
      case "VP8L":
        return webPFault(losslessSize(bytes[start..<start + count]), in: canvas)
      // Others stand only behind the header that says that there are some.
      default: if canvas == nil { return "it has no pixels" }
      }
      position = start + count + count % 2
    }
    return "it has no pixels"
  }

  private static func webPFault(
    _ size: (width: Int, height: Int)?, in canvas: (width: Int, height: Int)?
  ) -> String? {
    guard let size, canvas.map({ $0 == size }) ?? true else { return "its header is not valid" }
    return fault(width: size.width, height: size.height)
  }

  /// Returns the size of an image with losses; `nil` when its header is not valid.
  ///
  /// - SeeAlso: RFC 6386, section 9.1
  private static func lossySize(_ frame: ArraySlice<UInt8>) -> (width: Int, height: Int)? {
    let frame = Array(frame)
    guard frame.count >= 10 else { return nil }
    let tag = reversedNumber(frame, at: 0, count: 3)
    // A key frame of a known version, which is shown, and whose first part is there.
    guard tag & 1 == 0, tag >> 1 & 7 <= 3, tag >> 4 & 1 == 1, tag >> 5 < frame.count,
      frame[3..<6] == [0x9D, 0x01, 0x2A]
    else { return nil }
    return (
      reversedNumber(frame, at: 6, count: 2) & 0x3FFF,
      reversedNumber(frame, at: 8, count: 2) & 0x3FFF
    )
  }

  /// Returns the size of an image without losses; `nil` when its header is not valid.
  ///
  /// - SeeAlso: RFC 9649, section 3.4
  private static func losslessSize(_ frame: ArraySlice<UInt8>) -> (width: Int, height: Int)? {
    let frame = Array(frame)
    guard frame.count >= 5, frame[0] == 0x2F else { return nil }
    let bits = reversedNumber(frame, at: 1, count: 4)
    guard bits >> 29 == 0 else { return nil }
    return (1 + bits & 0x3FFF, 1 + bits >> 14 & 0x3FFF)
  }
}
