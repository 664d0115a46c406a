import Foundation
import HoldfastFiles
import Synchronization

/// The open file of a PMTiles archive: its header, its directories, and the bytes of its tiles.
///
/// It is read at places, so that several threads read it at a time. The directories that were read last stay in
/// memory.
final class PMTilesFile: Sendable {
  let path: FilePath
  let header: PMTilesHeader
  let root: PMTilesDirectory

  private let file: OpenFile
  private let leaves = Mutex(DirectoryCache())

  /// The number of directories between the root and a tile; others make none or one.
  private static let mostLevels = 4

  /// Opens an archive.
  ///
  /// - Throws: ``MapError`` with `.notFound`, `.invalidTileset` or `.damaged`; `FileError`.
  init(at path: FilePath) throws {
    self.path = path
    guard let byteCount = try path.byteCount() else {
      throw MapError.notFound(path, Errno.notFound)
    }
    do throws(Errno) {
      file = try SystemCalls.openFile(path.text, for: .read)
    } catch {
      throw FileError.couldNotRead(path, error)
    }
    do {
      let first = try Self.bytes(
        of: file, at: path,
        PMTilesHeader.Section(offset: 0, length: UInt64(PMTilesHeader.byteCount)),
        isWhole: false)
      header = try PMTilesHeader(first, fileByteCount: byteCount)
      let stored = try Self.bytes(of: file, at: path, header.rootDirectory)
      root = try PMTilesDirectory(
        Self.inflated(stored, header, upTo: TilesetLimits.directoryByteCount))
    } catch let fault as PMTilesFault {
      // Only the root was read.
      throw fault == .noEntries
        ? MapError.archiveWithoutTiles(path.name)
        : MapError.notAnArchive(path.name, because: fault.reason)
    }
  }

  // MARK: - Metadata

  /// Returns the JSON of the archive; an empty object for one without metadata.
  func metadata() throws -> [UInt8] {
    try explained("its metadata") {
      if header.metadata.length == 0 { return Array("{}".utf8) }
      guard header.metadata.length <= UInt64(TilesetLimits.listByteCount) else {
        throw PMTilesFault("its metadata have \(header.metadata.length) bytes")
      }
      return try Self.inflated(
        Self.bytes(of: file, at: path, header.metadata), header, upTo: TilesetLimits.listByteCount)
    }
  }

  // MARK: - Tiles

  /// Returns the bytes of a tile, which are not copied; `nil` when the archive has none there.
  func tile(_ tileID: UInt64) throws -> Data? {
    try explained("the tile \(tileID)") {
      try entry(for: tileID).map(data)
    }
  }

  /// Returns the entry of a tile; `nil` when the archive has none there.
  private func entry(for tileID: UInt64) throws -> PMTilesDirectory.Entry? {
    var directory = root
    for _ in 0..<Self.mostLevels {
      guard let entry = directory.entry(for: tileID) else { return nil }
      guard entry.isDirectory else { return entry }
      directory = try leaf(entry)
    }
    throw PMTilesFault("a directory is more than \(Self.mostLevels) levels below the root")
  }

  /// Returns the bytes of the tiles of an entry, or an error that names the file.
  func tileContent(of entry: PMTilesDirectory.Entry) throws -> [UInt8] {
    try explained("the tile \(entry.tileID)") { try content(of: entry) }
  }

  /// Returns the bytes of the tiles of an entry.
  func content(of entry: PMTilesDirectory.Entry) throws -> [UInt8] {
    try Self.bytes(of: file, at: path, place(of: entry, in: header.tileData))
  }

  /// Returns the bytes of the tiles of an entry, in the memory into which they are read.
  private func data(of entry: PMTilesDirectory.Entry) throws -> Data {
    let place = try Self.range(place(of: entry, in: header.tileData))
    do throws(Errno) {
      let data = try SystemCalls.readData(file, at: place.lowerBound, count: place.count)
      if data.count == place.count { return data }
    } catch {
      throw FileError.couldNotRead(path, error)
    }
    throw PMTilesFault(Self.isTooShort)
  }

  /// Returns the contents of the first entries, up to a number of them.
  func firstContents(_ most: Int) throws -> [[UInt8]] {
    struct Enough: Error {}
    var contents: [[UInt8]] = []
    do {
      try forEachEntry { entry in
        contents.append(try content(of: entry))
        if contents.count == most { throw Enough() }
      }
    } catch is Enough {}
    return contents
  }

  /// Calls the closure with each entry for tiles, in the order of their numbers, while few are in memory.
  func forEachEntry(_ body: (PMTilesDirectory.Entry) throws -> Void) throws {
    var levels = [(directory: root, next: 0)]
    var last: UInt64?
    try explained("its directory") {
      while let level = levels.last {
        guard level.next < level.directory.entries.count else {
          levels.removeLast()
          continue
        }
        levels[levels.count - 1].next += 1
        let entry = level.directory.entries[level.next]
        if entry.isDirectory {
          guard levels.count < Self.mostLevels else {
            throw PMTilesFault("a directory is more than \(Self.mostLevels) levels below the root")
          }
          levels.append((try readLeaf(entry), 0))
        } else {
          // Otherwise two directories could refer to each other's tiles again and again.
          guard last.map({ $0 < entry.tileID }) ?? true else {
            throw PMTilesFault("two of its entries have the same tile")
          }
          last = entry.tileID + UInt64(entry.runLength) - 1
          try body(entry)
        }
      }
    }
  }

  // MARK: - Directories

  private func leaf(_ entry: PMTilesDirectory.Entry) throws -> PMTilesDirectory {
    if let known = leaves.withLock({ $0.directory(at: entry.offset) }) { return known }
    let directory = try readLeaf(entry)
    leaves.withLock { $0.keep(directory, at: entry.offset) }
    return directory
  }

  private func readLeaf(_ entry: PMTilesDirectory.Entry) throws -> PMTilesDirectory {
    let stored = try Self.bytes(of: file, at: path, place(of: entry, in: header.leafDirectories))
    let directory = try PMTilesDirectory(
      Self.inflated(stored, header, upTo: TilesetLimits.directoryByteCount))
    guard let first = directory.entries.first, first.tileID >= entry.tileID else {
      throw PMTilesFault("a directory has tiles before those of its entry")
    }
    return directory
  }

  private func place(
    of entry: PMTilesDirectory.Entry, in section: PMTilesHeader.Section
  ) throws -> PMTilesHeader.Section {
    let (end, isTooLarge) = entry.offset.addingReportingOverflow(UInt64(entry.length))
    guard !isTooLarge, end <= section.length else {
      throw PMTilesFault("an entry lies past the bytes that the header names")
    }
    // The header was compared with the length of the file.
    return PMTilesHeader.Section(
      offset: section.offset + entry.offset, length: UInt64(entry.length))
  }

  // MARK: - Bytes

  private static func bytes(
    of file: borrowing OpenFile, at path: FilePath, _ section: PMTilesHeader.Section,
    isWhole: Bool = true
  ) throws -> [UInt8] {
    let place = try range(section)
    do throws(Errno) {
      let bytes = try SystemCalls.readBytes(file, at: place.lowerBound, count: place.count)
      if bytes.count == place.count || !isWhole { return bytes }
    } catch {
      throw FileError.couldNotRead(path, error)
    }
    throw PMTilesFault(isTooShort)
  }

  private static let isTooShort = "it is shorter than its header says"

  /// Returns the places of the bytes of a section, of which there are not too many to be read.
  private static func range(_ section: PMTilesHeader.Section) throws -> Range<Int> {
    guard let count = Int(exactly: section.length), let offset = Int(exactly: section.offset),
      count <= TilesetLimits.valueByteCount, offset <= Int.max - count
    else { throw PMTilesFault("a part of it has \(section.length) bytes") }
    return offset..<offset + count
  }

  private static func inflated(
    _ bytes: [UInt8], _ header: PMTilesHeader, upTo most: Int
  ) throws -> [UInt8] {
    switch header.internalCompression {
    case .none: return bytes
    case .gzip:
      do throws(InflationFault) {
        return try ZlibInflater().inflate(bytes, most: most).bytes
      } catch {
        throw PMTilesFault("gzip of its directories or metadata is broken (\(error))")
      }
    case .unknown, .brotli, .zstd:
      throw PMTilesFault(
        "its directories are compressed by \(header.internalCompression.name), and only gzip is read"
      )
    }
  }

  private func explained<Value>(
    _ item: @autoclosure () -> String, _ body: () throws -> Value
  ) throws -> Value {
    do {
      return try body()
    } catch let fault as PMTilesFault {
      throw MapError.damagedArchive(path.name, reading: item(), because: fault.reason)
    }
  }
}

/// The leaf directories that were read last.
private struct DirectoryCache {
  /// The number of entries that are kept, of 24 bytes each.
  private static let mostEntries = 1 << 17

  private var directories: [UInt64: (directory: PMTilesDirectory, use: Int)] = [:]
  private var entryCount = 0
  private var use = 0

  mutating func directory(at offset: UInt64) -> PMTilesDirectory? {
    guard let found = directories[offset]?.directory else { return nil }
    use += 1
    directories[offset]?.use = use
    return found
  }

  mutating func keep(_ directory: PMTilesDirectory, at offset: UInt64) {
    guard directory.entries.count <= Self.mostEntries, directories[offset] == nil else { return }
    use += 1
    directories[offset] = (directory, use)
    entryCount += directory.entries.count
    while entryCount > Self.mostEntries,
      let oldest = directories.min(by: { $0.value.use < $1.value.use })
    {
      entryCount -= oldest.value.directory.entries.count
      directories[oldest.key] = nil
    }
  }
}
