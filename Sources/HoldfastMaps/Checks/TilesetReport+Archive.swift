import HoldfastFiles

extension TilesetReport {
  /// Reads a whole archive.
  ///
  /// - Parameters:
  ///   - archive: The archive.
  ///   - styles: The styles whose layers are compared with those of the tiles.
  ///   - isCancelled: Whether the examination is to end.
  /// - Throws: `FileError` when it cannot be read; `CancellationError`.
  init(
    _ archive: ArchiveContent, for styles: [MapStyle], isCancelled: () -> Bool = { false }
  ) throws {
    let (file, header) = (archive.file, archive.file.header)
    let metadata = try ArchiveExamination.Metadata(file)
    let bounds = metadata.bounds ?? RendererBounds(header.degrees)
    var tiles = TileExamination(header, bounds: bounds)
    tiles.findTexts(
      of: styles, forFileNamed: file.path.text, deepest: archive.metadata.maximumZoom)
    var damage = ProblemList()
    var order = ContentOrder(comparesZoomLevels: !styles.isEmpty)
    do {
      try tiles.readAll(hasEqualTiles: false) { add in
        try file.forEachEntry { entry in
          if isCancelled() { throw CancellationError() }
          try add { batch in
            do {
              switch order.add(entry) {
              case .new: batch.add(entry, try file.content(of: entry))
              case .atOtherZoom:
                batch.add(entry, try file.content(of: entry), isAtOtherZoom: true)
              case .known: batch.add(entry, .known)
              }
            } catch let fault as PMTilesFault {
              batch.add(entry, .unreadable(reason: fault.reason))
            }
          }
          if order.isRepeating(header.tileData.length) { throw Repeating() }
        }
      }
      order.isComplete = true
    } catch let error as MapError where error.code == .damaged {
      damage.add(.damagedArchive(error.message))
    } catch is Repeating {
      damage.add(.repeatedContent)
    }
    tiles.finish()
    var list = tiles.unreadable
    if let problem = TilesetProblem.wrongName(file.path.text, .pmtiles) { list.add(problem) }
    list.add(damage)
    list.add(tiles.problems)
    list.add(ArchiveExamination(header, metadata, tiles, order).problems)
    self.init(
      tileCount: tiles.tileCount, list,
      tiles.findings(
        of: styles, forFileNamed: file.path.text, archive.metadata.vectorLayers))
  }

  private struct Repeating: Error {}
}
