/// A zip archive of stored files, valid or with one false field.
struct ZipFile {
  struct Entry {
    var name: String
    var bytes: [UInt8]
    var flags: UInt16 = 0
    var method: UInt16 = 0
    /// The size that the archive states, if it is false.
    var size: UInt64?
    var crc: UInt32?

    init(_ name: String, _ bytes: [UInt8]) {
      self.name = name
      self.bytes = bytes
    }
  }

  var entries: [Entry]

  init(_ entries: [Entry]) { self.entries = entries }

  /// - SeeAlso: <https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT>
  var bytes: [UInt8] {
    var archive: [UInt8] = []
    var directory: [UInt8] = []
    for entry in entries {
      let offset = UInt32(archive.count)
      let name = Array(entry.name.utf8)
      var common: [UInt8] = []
      common += Self.bytes(entry.flags) + Self.bytes(entry.method)
      common += Self.bytes(UInt16(0)) + Self.bytes(UInt16(0x5A21))
      common += Self.bytes(entry.crc ?? Self.crc(entry.bytes))
      common += Self.bytes(UInt32(entry.bytes.count))
      let size = entry.size ?? UInt64(entry.bytes.count)
      // A size of more than 32 bits is stored in the zip64 extra field.
      let isLong = size >= UInt64(UInt32.max)
      let extra =
        isLong ? Self.bytes(UInt16(1)) + Self.bytes(UInt16(8)) + Self.bytes(size) : []
      common += Self.bytes(isLong ? .max : UInt32(size))
      common += Self.bytes(UInt16(name.count)) + Self.bytes(UInt16(extra.count))
      archive += Self.bytes(UInt32(0x0403_4B50)) + Self.bytes(UInt16(20)) + common
      archive += name + extra + entry.bytes
      directory += Self.bytes(UInt32(0x0201_4B50)) + Self.bytes(UInt16(20))
      directory += Self.bytes(UInt16(20)) + common
      directory += [UInt8](repeating: 0, count: 10) + Self.bytes(offset) + name + extra
    }
    let start = UInt32(archive.count)
    archive += directory + Self.bytes(UInt32(0x0605_4B50)) + Self.bytes(UInt32(0))
    archive += Self.bytes(UInt16(entries.count)) + Self.bytes(UInt16(entries.count))
    archive += Self.bytes(UInt32(directory.count)) + Self.bytes(start) + Self.bytes(UInt16(0))
    return archive
  }

  private static func bytes<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    (0..<Number.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }

  private static func crc(_ bytes: [UInt8]) -> UInt32 {
    var crc = ~UInt32(0)
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 {
        let isOdd = crc & 1 == 1
        crc >>= 1
        if isOdd { crc ^= 0xEDB8_8320 }
      }
    }
    return ~crc
  }
}
