import HoldfastFiles

extension TileExamination {
  /// Reads tiles on several threads, and adds what is found in the order of the tiles.
  ///
  /// - Parameters:
  ///   - hasEqualTiles: Whether equal tiles may be added several times, as by rows of MBTiles.
  ///   - body: Called once with a function that adds tiles to a batch. When it throws, what was found until then is added.
  /// - Throws: Whatever `body` throws.
  mutating func readAll(
    hasEqualTiles: Bool,
    _ body: (_ add: ((inout TileBatch) throws -> Void) throws -> Void) throws -> Void
  ) throws {
    let sound = TileReading.SoundContents()
    let pipeline = OrderedPipeline<TileBatch, TileReading.Result>(
      mostCost: TileBatch.mostByteCount
    ) { [labels] in
      let reading = TileReading(labels, sound, hasEqualTiles: hasEqualTiles)
      return { reading.read($0) }
    }
    var batch = TileBatch()
    let end = Result {
      try body { fill in
        try fill(&batch)
        guard batch.isFull else { return }
        pipeline.add(batch, cost: batch.cost) { add($0) }
        batch = TileBatch()
      }
    }
    if !batch.isEmpty { pipeline.add(batch, cost: batch.cost) { add($0) } }
    pipeline.finish { add($0) }
    try end.get()
  }
}
