import Holdfast
import HoldfastFiles

/// Writes tiles into a PMTiles archive, whose parts lie in their usual order.
///
/// - SeeAlso: <https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md>
struct PMTilesWriter {
  private let tiles: ConvertedTiles
  private let selection: GeographicBounds?
  private let path: FilePath

  /// The entries of a leaf directory, if the root does not hold all; more when there are too many leaves.
  private static let firstLeafCount = 4096

  init(_ tiles: ConvertedTiles, in selection: GeographicBounds?, at path: FilePath) {
    (self.tiles, self.selection, self.path) = (tiles, selection, path)
  }

  /// Writes the archive.
  func run(_ progress: (Double) throws -> Void) throws -> TilesetConversion.Report {
    guard !tiles.runs.isEmpty else { throw MapError.noTiles(tiles.source.path) }
    let places = places
    let entries = tiles.runs.map { run in
      PMTilesDirectory.Entry(
        tileID: run.tileID, runLength: run.count, offset: places[run.content],
        length: tiles.contents[run.content].byteCount)
    }
    let (root, leaves) = Self.directories(entries)
    let metadata = GzipDeflater.deflate(tiles.source.description.archiveJSON)
    var header = PMTilesHeader()
    var end = UInt64(PMTilesHeader.byteCount)
    func section(_ length: Int) -> PMTilesHeader.Section {
      defer { end += UInt64(length) }
      return PMTilesHeader.Section(offset: end, length: UInt64(length))
    }
    header.rootDirectory = section(root.count)
    header.metadata = section(metadata.count)
    header.leafDirectories = section(leaves.count)
    header.tileData = section(tiles.contents.reduce(0) { $0 + Int($1.byteCount) })
    header.addressedTileCount = UInt64(tiles.tileCount)
    header.tileEntryCount = UInt64(entries.count)
    header.tileContentCount = UInt64(tiles.contents.count)
    header.isClustered = true
    header.tileType = tiles.source.description.tileType
    header.tileCompression = tiles.source.encoding.compressesByGzip ? .gzip : .none
    if let zoomLevels = tiles.zoomLevels {
      (header.minimumZoom, header.maximumZoom) = (zoomLevels.lowerBound, zoomLevels.upperBound)
    }
    header.bounds = tiles.bounds(in: selection)
    header.firstView = tiles.center(in: header.bounds)
    try write([header.bytes, root, metadata, leaves], progress)
    return TilesetConversion.Report(
      tileCount: tiles.tileCount, contentCount: tiles.contents.count, losses: tiles.losses)
  }

  /// The place of each content among the tiles.
  private var places: [UInt64] {
    var end: UInt64 = 0
    return tiles.contents.map { content in
      defer { end += UInt64(content.byteCount) }
      return end
    }
  }

  /// Returns the root directory, which lies in the first bytes of the archive, and the others, compressed.
  static func directories(
    _ entries: [PMTilesDirectory.Entry]
  ) -> (root: [UInt8], leaves: [UInt8]) {
    let most = PMTilesHeader.rootByteCount - PMTilesHeader.byteCount
    // A root of more entries does not fit, whatever they are.
    if entries.count <= most {
      let root = GzipDeflater.deflate(PMTilesDirectory(entries).bytes)
      if root.count <= most { return (root, []) }
    }
    var leafCount = firstLeafCount
    while true {
      var root: [PMTilesDirectory.Entry] = []
      var leaves: [UInt8] = []
      for start in stride(from: 0, to: entries.count, by: leafCount) {
        let leaf = entries[start..<min(start + leafCount, entries.count)]
        let bytes = GzipDeflater.deflate(PMTilesDirectory(Array(leaf)).bytes)
        root.append(
          PMTilesDirectory.Entry(
            tileID: entries[start].tileID, runLength: 0, offset: UInt64(leaves.count),
            length: UInt32(bytes.count)))
        leaves += bytes
      }
      let bytes = GzipDeflater.deflate(PMTilesDirectory(root).bytes)
      if bytes.count <= most { return (bytes, leaves) }
      leafCount *= 2
    }
  }

  private func write(_ parts: [[UInt8]], _ progress: (Double) throws -> Void) throws {
    do {
      let file = try SystemCalls.openFile(path.text, for: .createNew)
      var buffer: [UInt8] = []
      for part in parts {
        buffer += part
        try Self.flush(&buffer, to: file, upTo: 1 << 20)
      }
      for (position, content) in tiles.contents.enumerated() {
        if position.isMultiple(of: 1024) {
          try progress(0.5 + Double(position) / Double(2 * tiles.contents.count))
        }
        buffer += try tiles.bytes(of: content)
        try Self.flush(&buffer, to: file, upTo: 1 << 20)
      }
      try Self.flush(&buffer, to: file, upTo: 0)
      try file.close()
    } catch let error as Errno {
      throw FileError.couldNotReplace(path, error)
    }
  }

  private static func flush(
    _ buffer: inout [UInt8], to file: borrowing OpenFile, upTo most: Int
  ) throws(Errno) {
    guard buffer.count > most else { return }
    try SystemCalls.writeBytes(file, buffer, count: buffer.count)
    buffer.removeAll(keepingCapacity: true)
  }
}
