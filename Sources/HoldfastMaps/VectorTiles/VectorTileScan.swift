import HoldfastFiles

/// A fast reader of vector tiles that are as the specification says, which are nearly all.
///
/// It makes nothing of what it reads. What it does not accept may be sound all the same: ``VectorTile`` says what is wrong,
/// if anything is.
///
/// - SeeAlso: <https://github.com/mapbox/vector-tile-spec/tree/master/2.1>
struct VectorTileScan: ~Copyable {
  /// The places of the layers' names.
  private(set) var names: [Range<Int>] = []

  private var partCount = 0

  /// The number of layers whose names are compared with each other; tiles with more are left to ``VectorTile``.
  private static let mostLayers = 256

  init() {}

  /// Returns whether a tile has layers and is without any fault or irregularity.
  mutating func accepts(_ bytes: Span<UInt8>) -> Bool {
    names.removeAll(keepingCapacity: true)
    partCount = 0
    var position = 0
    while position < bytes.count {
      guard Self.varint(bytes, &position, bytes.count) == Self.key(3, .bytes),
        let layer = Self.range(bytes, &position, bytes.count), accepts(bytes, layer: layer)
      else { return false }
    }
    return !names.isEmpty
  }

  // MARK: - Layers

  /// The parts of a layer, before its features are read.
  private struct Layer {
    var keyCount: UInt64 = 0
    var valueCount: UInt64 = 0
    var hasName = false
    var hasVersion = false
    /// The coordinates that are drawn; `nil` before the extent is known.
    var coordinates: ClosedRange<Int64>?
  }

  private mutating func accepts(_ bytes: Span<UInt8>, layer range: Range<Int>) -> Bool {
    guard let layer = parts(bytes, in: range), layer.hasName, layer.hasVersion,
      layer.coordinates != nil
    else { return false }
    // The features again, because the keys and values to which they refer usually follow them.
    var position = range.lowerBound
    while position < range.upperBound {
      let key = Self.varint(bytes, &position, range.upperBound)
      if key & 7 == VectorTileReader.WireType.varint.rawValue {
        _ = Self.varint(bytes, &position, range.upperBound)
      } else if let part = Self.range(bytes, &position, range.upperBound) {
        if key == Self.key(2, .bytes), !Self.accepts(bytes, feature: part, of: layer) {
          return false
        }
      }
    }
    return true
  }

  /// Reads the fields of a layer; `nil` for what is not regular.
  private mutating func parts(_ bytes: Span<UInt8>, in range: Range<Int>) -> Layer? {
    var layer = Layer()
    var position = range.lowerBound
    while position < range.upperBound {
      partCount += 1
      guard partCount <= ReadingLimit.tileParts.most else { return nil }
      switch Self.varint(bytes, &position, range.upperBound) {
      case Self.key(1, .bytes):
        guard !layer.hasName, names.count < Self.mostLayers,
          let name = Self.range(bytes, &position, range.upperBound), Self.isText(bytes, name),
          isNew(bytes, name)
        else { return nil }
        names.append(name)
        layer.hasName = true
      case Self.key(2, .bytes):
        guard Self.range(bytes, &position, range.upperBound) != nil else { return nil }
      case Self.key(3, .bytes):
        guard let key = Self.range(bytes, &position, range.upperBound), Self.isText(bytes, key)
        else { return nil }
        layer.keyCount += 1
      case Self.key(4, .bytes):
        guard let value = Self.range(bytes, &position, range.upperBound),
          Self.accepts(bytes, value: value)
        else { return nil }
        layer.valueCount += 1
      case Self.key(5, .varint):
        let extent = Self.varint(bytes, &position, range.upperBound)
        guard layer.coordinates == nil, (1...0xFFFF_FFFF).contains(extent) else { return nil }
        layer.coordinates = VectorTileLayer.drawnCoordinates(extent: extent)
      case Self.key(15, .varint):
        guard !layer.hasVersion, (1...2).contains(Self.varint(bytes, &position, range.upperBound))
        else { return nil }
        layer.hasVersion = true
      default: return nil
      }
    }
    return layer
  }

  private func isNew(_ bytes: Span<UInt8>, _ name: Range<Int>) -> Bool {
    names.allSatisfy { known in
      known.count != name.count
        || (0..<name.count).contains {
          bytes[known.lowerBound + $0] != bytes[name.lowerBound + $0]
        }
    }
  }

  /// Returns whether a value is exactly one of the types that the specification lists.
  private static func accepts(_ bytes: Span<UInt8>, value range: Range<Int>) -> Bool {
    var position = range.lowerBound
    switch varint(bytes, &position, range.upperBound) {
    case key(1, .bytes):
      guard let text = Self.range(bytes, &position, range.upperBound), isText(bytes, text) else {
        return false
      }
    case key(2, .fixed32): position += 4
    case key(3, .fixed64): position += 8
    case key(4, .varint), key(5, .varint), key(6, .varint), key(7, .varint):
      guard varint(bytes, &position, range.upperBound) != failed else { return false }
    default: return false
    }
    return position == range.upperBound
  }

  // MARK: - Features

  private static func accepts(
    _ bytes: Span<UInt8>, feature range: Range<Int>, of layer: Layer
  ) -> Bool {
    var position = range.lowerBound
    var (hasTags, type): (Bool, UInt64) = (false, 0)
    var geometry: Range<Int>?
    while position < range.upperBound {
      switch varint(bytes, &position, range.upperBound) {
      case key(1, .varint):
        guard varint(bytes, &position, range.upperBound) != failed else { return false }
      case key(2, .bytes):
        guard !hasTags, let tags = Self.range(bytes, &position, range.upperBound),
          accepts(bytes, tags: tags, of: layer)
        else { return false }
        hasTags = true
      case key(3, .varint):
        guard type == 0 else { return false }
        type = varint(bytes, &position, range.upperBound)
      case key(4, .bytes):
        guard geometry == nil, let part = Self.range(bytes, &position, range.upperBound) else {
          return false
        }
        geometry = part
      default: return false
      }
    }
    guard let geometry, let limits = layer.coordinates else { return false }
    switch type {
    case 1: return acceptsPoints(bytes, geometry, limits)
    case 2: return acceptsParts(bytes, geometry, limits, areClosed: false)
    case 3: return acceptsParts(bytes, geometry, limits, areClosed: true)
    default: return false
    }
  }

  private static func accepts(
    _ bytes: Span<UInt8>, tags range: Range<Int>, of layer: Layer
  ) -> Bool {
    var position = range.lowerBound
    while position < range.upperBound {
      guard varint(bytes, &position, range.upperBound) < layer.keyCount,
        varint(bytes, &position, range.upperBound) < layer.valueCount
      else { return false }
    }
    return true
  }

  /// The commands of a geometry (section 4.3.1).
  private static let (moveTo, lineTo, closePath): (UInt64, UInt64, UInt64) = (1, 2, 7)

  /// Returns whether a geometry is one command for all points.
  private static func acceptsPoints(
    _ bytes: Span<UInt8>, _ range: Range<Int>, _ limits: ClosedRange<Int64>
  ) -> Bool {
    var position = range.lowerBound
    var (x, y): (Int64, Int64) = (0, 0)
    let command = varint(bytes, &position, range.upperBound)
    guard command <= 0xFFFF_FFFF, command & 7 == moveTo, command >> 3 > 0 else { return false }
    return advance(&x, &y, command >> 3, limits, bytes, &position, range.upperBound)
      && position == range.upperBound
  }

  /// Returns whether a geometry is lines or rings, each a position and others to which it goes on.
  private static func acceptsParts(
    _ bytes: Span<UInt8>, _ range: Range<Int>, _ limits: ClosedRange<Int64>, areClosed: Bool
  ) -> Bool {
    guard !range.isEmpty else { return false }
    var position = range.lowerBound
    var (x, y): (Int64, Int64) = (0, 0)
    while position < range.upperBound {
      guard varint(bytes, &position, range.upperBound) == 1 << 3 | moveTo,
        advance(&x, &y, 1, limits, bytes, &position, range.upperBound)
      else { return false }
      let command = varint(bytes, &position, range.upperBound)
      guard command <= 0xFFFF_FFFF, command & 7 == lineTo, command >> 3 > (areClosed ? 1 : 0),
        advance(&x, &y, command >> 3, limits, bytes, &position, range.upperBound)
      else { return false }
      if areClosed, varint(bytes, &position, range.upperBound) != 1 << 3 | closePath {
        return false
      }
    }
    return true
  }

  /// Reads steps; returns whether all are there and no coordinate lies outside of the limits.
  @inline(__always)
  private static func advance(
    _ x: inout Int64, _ y: inout Int64, _ count: UInt64, _ limits: ClosedRange<Int64>,
    _ bytes: Span<UInt8>, _ position: inout Int, _ end: Int
  ) -> Bool {
    // Each step has two bytes or more.
    guard count <= UInt64(end - position) / 2 else { return false }
    for _ in 0..<count {
      let (east, south) = (varint(bytes, &position, end), varint(bytes, &position, end))
      guard east <= 0xFFFF_FFFF, south <= 0xFFFF_FFFF else { return false }
      // Both stay within few more bits than the limits have.
      x &+= step(east)
      y &+= step(south)
      guard limits.contains(x), limits.contains(y) else { return false }
    }
    return true
  }

  @inline(__always)
  private static func step(_ number: UInt64) -> Int64 {
    Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
  }

  // MARK: - Numbers and texts

  /// The mark of a number that cannot be read; as a number that is read it is not accepted either.
  private static let failed = UInt64.max

  private static func key(_ number: UInt64, _ type: VectorTileReader.WireType) -> UInt64 {
    number << 3 | type.rawValue
  }

  /// Reads an integer of a variable length.
  @inline(__always)
  private static func varint(_ bytes: Span<UInt8>, _ position: inout Int, _ end: Int) -> UInt64 {
    guard position < end else { return failed }
    let byte = bytes[position]
    position += 1
    if byte < 0x80 { return UInt64(byte) }
    return rest(of: UInt64(byte & 0x7F), bytes, &position, end)
  }

  @inline(__always)
  private static func rest(
    of first: UInt64, _ bytes: Span<UInt8>, _ position: inout Int, _ end: Int
  ) -> UInt64 {
    var (value, shift) = (first, UInt64(7))
    while position < end {
      let byte = bytes[position]
      position += 1
      // After nine bytes of seven bits, one bit is left.
      guard shift < 63 || byte <= 1 else { return failed }
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
    return failed
  }

  /// Reads the length of a part, and returns its place.
  @inline(__always)
  private static func range(
    _ bytes: Span<UInt8>, _ position: inout Int, _ end: Int
  ) -> Range<Int>? {
    let count = varint(bytes, &position, end)
    guard count <= UInt64(end - position) else { return nil }
    let range = position..<position + Int(count)
    position = range.upperBound
    return range
  }

  /// Returns whether bytes are UTF-8.
  ///
  /// - SeeAlso: RFC 3629, section 4
  private static func isText(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
    var position = range.lowerBound
    while position < range.upperBound {
      let first = bytes[position]
      position += 1
      guard first >= 0x80 else { continue }
      let count: Int
      switch first {
      case 0xC2...0xDF: count = 1
      case 0xE0...0xEF: count = 2
      case 0xF0...0xF4: count = 3
      default: return false
      }
      guard count <= range.upperBound - position else { return false }
      let second = bytes[position]
      // Not a longer form of another character, no half of a pair, and nothing past U+10FFFF.
      let least: UInt8 = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80
      let most: UInt8 = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF
      guard least <= second, second <= most else { return false }
      for index in position + 1..<position + count where bytes[index] & 0xC0 != 0x80 {
        return false
      }
      position += count
    }
    return true
  }
}
