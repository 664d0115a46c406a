import HoldfastFiles

extension TileImage {
  /// - SeeAlso: <https://www.w3.org/TR/png-3/>, section 5
  static func pngFault(_ bytes: [UInt8], _ inflater: ZlibInflater) -> String? {
    var position = 8
    var rows: PNGRows?
    var pixels: [UInt8] = []
    var (hasPalette, previous) = (false, "")
    // Each chunk: the length of its data, its type, the data, a checksum.
    while position + 12 <= bytes.count {
      let length = number(bytes, at: position, count: 4)
      let data = position + 8..<position + 8 + length
      guard data.upperBound + 4 <= bytes.count else { return isCut }
      let name = bytes[position + 4..<position + 8]
      let type = String(decoding: name, as: UTF8.self)
      if rows == nil, type != "IHDR" { return "it does not begin with a header" }
      guard name.allSatisfy({ (0x41...0x5A).contains($0 & 0xDF) }) else {
        return "a chunk has no name"
      }
      // "An upper case letter indicates a critical chunk"; others may have a wrong checksum, and are ignored.
      if bytes[position + 4] & 0x20 == 0 {
        let checksum = CRC32.checksum(of: bytes.span.extracting(position + 4..<data.upperBound))
        guard Int(checksum) == number(bytes, at: data.upperBound, count: 4) else {
          return "the checksum of its chunk \(type) is wrong"
        }
        switch type {
        case "IHDR":
          guard rows == nil, length == 13 else { return invalidHeader }
          if let fault = headerFault(bytes, at: data.lowerBound, &rows) { return fault }
        case "PLTE":
          // Images without a palette may have one that is suggested.
          hasPalette = (3...768).contains(length) && length.isMultiple(of: 3)
        case "IDAT":
          if rows?.needsPalette == true, !hasPalette { return "it has no palette" }
          // What follows another chunk is ignored.
          if pixels.isEmpty || previous == type { pixels += bytes[data] }
        case "IEND": return rows.flatMap { fault(inPixels: pixels, of: $0, inflater) }
        default: return "its chunk \(type) is not known"
        }
      }
      previous = type
      position = data.upperBound + 4
    }
    return isCut
  }

  /// Returns the width and the height that the header of a PNG states; `nil` for other bytes.
  static func pngSize(of bytes: [UInt8]) -> (width: Int, height: Int)? {
    guard TileFormat(imageWithFirstBytes: bytes) == .png, bytes.count >= 24 else { return nil }
    return (number(bytes, at: 16, count: 4), number(bytes, at: 20, count: 4))
  }

  private static let invalidHeader = "its header is not valid"

  private static func headerFault(
    _ bytes: [UInt8], at start: Int, _ rows: inout PNGRows?
  ) -> String? {
    let width = number(bytes, at: start, count: 4)
    let height = number(bytes, at: start + 4, count: 4)
    if let fault = fault(width: width, height: height) { return fault }
    rows = PNGRows(width, height, Array(bytes[start + 8..<start + 13]))
    return rows == nil ? invalidHeader : nil
  }

  private static func fault(
    inPixels pixels: [UInt8], of rows: PNGRows, _ inflater: ZlibInflater
  ) -> String? {
    var rows = rows
    do throws(InflationFault) {
      try inflater.inflateParts(pixels) { rows.read($0) }
    } catch {
      return "its pixels cannot be decompressed"
    }
    if rows.hasUnknownFilter { return "a row of its pixels has a filter that does not exist" }
    return rows.isComplete ? nil : "pixels are missing"
  }
}

/// The rows of pixels of a PNG, each with a byte that names its filter.
private struct PNGRows {
  /// Whether a pixel is a number in a palette.
  let needsPalette: Bool

  private(set) var hasUnknownFilter = false

  /// The images of which one consists: one, or the seven of an interlaced one.
  private var passes: [(rowByteCount: Int, rowCount: Int)]

  /// The bytes of the current row that follow.
  private var rest = 0

  /// Creates the rows of a header; `nil` for one that is not valid.
  ///
  /// - Parameters:
  ///   - width: The number of pixels of a row.
  ///   - height: The number of rows.
  ///   - kind: The bits of a sample, the kind of color, of compression, of filters, and of interlacing.
  init?(_ width: Int, _ height: Int, _ kind: [UInt8]) {
    let depths: [UInt8: (sampleCount: Int, bits: [UInt8])] = [
      0: (1, [1, 2, 4, 8, 16]), 2: (3, [8, 16]), 3: (1, [1, 2, 4, 8]), 4: (2, [8, 16]),
      6: (4, [8, 16]),
    ]
    guard let (sampleCount, bits) = depths[kind[1]], bits.contains(kind[0]), kind[2] == 0,
      kind[3] == 0, kind[4] <= 1
    else { return nil }
    needsPalette = kind[1] == 3
    let bitCount = sampleCount * Int(kind[0])
    func pass(_ columns: (first: Int, step: Int), _ rows: (first: Int, step: Int)) -> (Int, Int) {
      let columnCount = (width - columns.first + columns.step - 1) / columns.step
      let rowCount = (height - rows.first + rows.step - 1) / rows.step
      return (columnCount > 0 ? 1 + (columnCount * bitCount + 7) / 8 : 0, max(rowCount, 0))
    }
    // Adam7 (section 8.1).
    passes =
      kind[4] == 0
      ? [pass((0, 1), (0, 1))]
      : [
        pass((0, 8), (0, 8)), pass((4, 8), (0, 8)), pass((0, 4), (4, 8)), pass((2, 4), (0, 4)),
        pass((0, 2), (2, 4)), pass((1, 2), (0, 2)), pass((0, 1), (1, 2)),
      ]
    passes.removeAll { $0.rowByteCount == 0 || $0.rowCount == 0 }
    passes.reverse()
  }

  /// Whether all rows were read.
  var isComplete: Bool { rest == 0 && passes.isEmpty }

  /// Reads further bytes; returns whether others are needed.
  mutating func read(_ bytes: Span<UInt8>) -> Bool {
    var position = 0
    while position < bytes.count {
      if rest == 0 {
        // What follows the pixels is not needed.
        guard let pass = passes.last else { return false }
        if pass.rowCount == 1 {
          passes.removeLast()
        } else {
          passes[passes.count - 1].rowCount -= 1
        }
        rest = pass.rowByteCount - 1
        if bytes[position] > 4 { hasUnknownFilter = true }
        position += 1
      }
      let count = min(rest, bytes.count - position)
      (rest, position) = (rest - count, position + count)
    }
    return !hasUnknownFilter
  }
}
