import HoldfastFiles

extension TilesetReport {
  /// Reads a whole archive.
  ///
  /// - Parameters:
  ///   - archive: The archive.
  ///   - styles: The styles whose layers are compared with those of the tiles.
  /// - Throws: `FileError` when it cannot be read.
  init(_ archive: ArchiveContent, for styles: [MapStyle]) throws {
    let (file, header) = (archive.file, archive.file.header)
    let metadata = try ArchiveExamination.Metadata(file)
    let bounds = metadata.bounds ?? RendererBounds(header.degrees)
    var tiles = TileExamination(header, bounds: bounds)
    tiles.findTexts(
      of: styles, forFileNamed: file.path.text, deepest: archive.metadata.maximumZoom)
    var list = ProblemList()
    var order = ContentOrder()
    do {
      try file.forEachEntry { entry in
        var content: [UInt8]?
        do {
          if order.add(entry) { content = try file.content(of: entry) }
        } catch let fault as PMTilesFault {
          list.add(
            .unreadableTile(TileCoordinate(tileID: entry.tileID), because: fault.reason))
        }
        tiles.examine(entry, content)
        if order.isRepeating(header.tileData.length) { throw Repeating() }
      }
      order.isComplete = true
    } catch let error as MapError where error.code == .damaged {
      list.add(.damagedArchive(error.message))
    } catch is Repeating {
      list.add(.repeatedContent)
    }
    tiles.finish()
    list.add(tiles.problems)
    list.add(ArchiveExamination(header, metadata, tiles, order).problems)
    self.init(
      tileCount: tiles.tileCount, list,
      tiles.findings(
        of: styles, forFileNamed: file.path.text, archive.metadata.vectorLayers))
  }

  private struct Repeating: Error {}
}
