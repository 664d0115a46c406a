/// A directory of a PMTiles archive: where the tiles of some numbers are, or the directories that know it.
///
/// - SeeAlso: <https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md>, "Directories"
struct PMTilesDirectory: Hashable, Sendable {
  /// An entry for consecutive tiles with one content, or for a directory.
  struct Entry: Hashable, Sendable {
    /// The number of the first tile.
    var tileID: UInt64
    /// The number of tiles; 0 for a directory.
    var runLength: UInt32
    /// The place in the tiles of the archive, or in its leaf directories.
    var offset: UInt64
    /// The number of bytes.
    ///
    /// The specification demands one or more; MapLibre Native shows a tile without any as blank.
    var length: UInt32

    var isDirectory: Bool { runLength == 0 }

    /// The zoom levels of the tiles, as far as there are such; `nil` when the first is past the last one.
    var zoomLevels: ClosedRange<Int>? {
      guard let first = TileCoordinate.zoomLevel(ofTileID: tileID) else { return nil }
      let last = TileCoordinate.zoomLevel(ofTileID: tileID + UInt64(max(runLength, 1)) - 1)
      return first...(last ?? TileCoordinate.maximumZoom)
    }
  }

  /// The entries, by the numbers of their tiles.
  var entries: [Entry]

  init(_ entries: [Entry]) { self.entries = entries }

  /// Returns the entry that a tile has, or the directory that may have one.
  func entry(for tileID: UInt64) -> Entry? {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].tileID <= tileID { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return nil }
    let entry = entries[low - 1]
    return entry.isDirectory || tileID - entry.tileID < UInt64(entry.runLength) ? entry : nil
  }

  // MARK: - Reading

  /// Reads a directory, not compressed.
  ///
  /// - Throws: ``PMTilesFault`` for what the specification excludes, and for more entries than
  ///   ``TilesetLimits/directoryEntryCount``.
  init(_ bytes: [UInt8]) throws(PMTilesFault) {
    var reader = Reader(bytes: bytes)
    let count = try reader.number()
    guard count > 0 else { throw .noEntries }
    // Each entry has four numbers of one byte or more.
    guard count <= UInt64(bytes.count) / 4,
      count <= UInt64(TilesetLimits.directoryEntryCount)
    else { throw PMTilesFault("a directory has \(count) entries in \(bytes.count) bytes") }
    entries = []
    entries.reserveCapacity(Int(count))
    var last: UInt64 = 0
    for index in 0..<Int(count) {
      let (tileID, isTooLarge) = last.addingReportingOverflow(try reader.number())
      guard !isTooLarge, index == 0 || tileID > last else {
        throw PMTilesFault("a directory's entries are not in the order of their tiles")
      }
      entries.append(Entry(tileID: tileID, runLength: 0, offset: 0, length: 0))
      last = tileID
    }
    for index in entries.indices {
      entries[index].runLength = try reader.number32("tiles of an entry")
      guard
        !entries[index].tileID.addingReportingOverflow(UInt64(entries[index].runLength)).overflow
      else {
        throw PMTilesFault("an entry has tiles past the last number")
      }
    }
    for index in entries.indices {
      entries[index].length = try reader.number32("bytes of an entry")
      guard entries[index].length > 0 || !entries[index].isDirectory else {
        throw PMTilesFault("a directory has no bytes")
      }
    }
    var end: UInt64 = 0
    for index in entries.indices {
      let number = try reader.number()
      guard number > 0 || index > 0 else { throw PMTilesFault("the first entry has no place") }
      let offset = number == 0 ? end : number - 1
      let (next, isTooLarge) = offset.addingReportingOverflow(UInt64(entries[index].length))
      guard !isTooLarge else { throw PMTilesFault("an entry lies past the last place") }
      (entries[index].offset, end) = (offset, next)
    }
    guard reader.isAtEnd else { throw PMTilesFault("something follows the entries of a directory") }
  }

  /// Numbers in little pieces of seven bits, of which the last has no high bit.
  private struct Reader {
    let bytes: [UInt8]
    var position = 0

    var isAtEnd: Bool { position == bytes.count }

    mutating func number() throws(PMTilesFault) -> UInt64 {
      var number: UInt64 = 0
      for shift in stride(from: UInt64(0), to: 70, by: 7) {
        guard position < bytes.count else { throw PMTilesFault("a directory is cut off") }
        let byte = bytes[position]
        position += 1
        guard shift < 63 || byte <= 1 else { break }
        number |= UInt64(byte & 0x7F) << shift
        if byte < 0x80 { return number }
      }
      throw PMTilesFault("a directory has a number of more than 64 bits")
    }

    mutating func number32(_ item: String) throws(PMTilesFault) -> UInt32 {
      let number = try number()
      guard let small = UInt32(exactly: number) else {
        throw PMTilesFault("the number of \(item) is \(number)")
      }
      return small
    }
  }

  // MARK: - Writing

  /// The bytes of the directory, not compressed.
  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    func append(_ number: UInt64) {
      var rest = number
      while rest >= 0x80 {
        bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
        rest >>= 7
      }
      bytes.append(UInt8(rest))
    }
    append(UInt64(entries.count))
    var last: UInt64 = 0
    for entry in entries {
      append(entry.tileID - last)
      last = entry.tileID
    }
    for entry in entries { append(UInt64(entry.runLength)) }
    for entry in entries { append(UInt64(entry.length)) }
    var end: UInt64?
    for entry in entries {
      append(entry.offset == end ? 0 : entry.offset + 1)
      end = entry.offset + UInt64(entry.length)
    }
    return bytes
  }
}
