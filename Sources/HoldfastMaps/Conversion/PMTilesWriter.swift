import Holdfast
import HoldfastFiles

/// Writes tiles into a PMTiles archive.
///
/// The parts of a small archive lie in their usual order. In one whose contents do not fit into memory, they follow the
/// room for the root directory, and the leaf directories follow them, because they are known last: "The only two
/// restrictions are that the Header is at the start of the archive, and the Root Directory MUST be contained in the first
/// 16,384 bytes".
///
/// - SeeAlso: <https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md>
struct PMTilesWriter {
  private var tiles: ConvertedTiles
  private let selection: TileSelection
  private let path: FilePath

  /// The entries of a leaf directory, if the root does not hold all; more when there are too many leaves.
  private static let firstLeafCount = 4096

  init(_ tiles: ConvertedTiles, of selection: TileSelection, at path: FilePath) {
    (self.tiles, self.selection, self.path) = (tiles, selection, path)
  }

  /// Writes the archive.
  mutating func run(_ progress: (Double) throws -> Void) throws -> TilesetConversion.Report {
    let metadata = GzipDeflater.deflate(tiles.source.description.archiveJSON)
    // Where the contents begin if they are written before the directories are known.
    let room = UInt64(PMTilesHeader.rootByteCount + metadata.count)
    let output = ArchiveOutput(at: path, from: room)
    try tiles.readAll(in: selection, progress) { try output.append($0) }
    guard !tiles.runs.isEmpty else {
      throw MapError.noTiles(tiles.source.path, isPart: selection.isPart)
    }
    let entries = tiles.runs.map { run in
      let content = tiles.contents[Int(run.content)]
      return PMTilesDirectory.Entry(
        tileID: run.tileID, runLength: run.count, offset: content.offset,
        length: content.byteCount)
    }
    let (root, leaves) = Self.directories(entries)
    let place = ConvertedPlace(of: tiles, in: selection, for: .pmtiles)
    var header = header(entries, place)
    var end = UInt64(PMTilesHeader.byteCount)
    func section(_ length: some BinaryInteger) -> PMTilesHeader.Section {
      defer { end += UInt64(length) }
      return PMTilesHeader.Section(offset: end, length: UInt64(length))
    }
    header.rootDirectory = section(root.count)
    if output.hasWritten {
      // The contents are where they are; the leaf directories follow them.
      end = UInt64(PMTilesHeader.rootByteCount)
      header.metadata = section(metadata.count)
      header.tileData = section(tiles.byteCount)
      header.leafDirectories = section(leaves.count)
      try output.append(leaves[...])
      try output.finish(beginning: header.bytes + root, metadata, at: header.metadata.offset)
    } else {
      header.metadata = section(metadata.count)
      header.leafDirectories = section(leaves.count)
      header.tileData = section(tiles.byteCount)
      try output.finish(after: header.bytes + root + metadata + leaves)
    }
    return TilesetConversion.Report(
      tileCount: tiles.tileCount, contentCount: tiles.contents.count,
      losses: tiles.losses + tiles.source.description.archiveLosses, changes: place.changes)
  }

  /// The header, without the places of the archive's parts.
  private func header(
    _ entries: [PMTilesDirectory.Entry], _ place: ConvertedPlace
  ) -> PMTilesHeader {
    var header = PMTilesHeader()
    header.addressedTileCount = UInt64(tiles.tileCount)
    header.tileEntryCount = UInt64(entries.count)
    header.tileContentCount = UInt64(tiles.contents.count)
    header.isClustered = true
    header.tileType = tiles.source.description.tileType
    header.tileCompression = tiles.source.encoding.compressesByGzip ? .gzip : .none
    if let zoomLevels = tiles.zoomLevels {
      (header.minimumZoom, header.maximumZoom) = (zoomLevels.lowerBound, zoomLevels.upperBound)
    }
    header.bounds = place.bounds
    header.firstView = place.center
    return header
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
}
