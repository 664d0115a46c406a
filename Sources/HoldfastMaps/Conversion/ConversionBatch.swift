import HoldfastFiles

/// The contents of some tiles on their way from one tileset to another.
struct ConversionBatch: Sendable {
  /// A run of tiles.
  struct Item: Sendable {
    var run: ConversionSource.Run
    /// The number of the run.
    var number: Int
    /// The number of the place of the content, if an archive says it.
    var place: Int?
    /// The bytes of the content in those of the batch; `nil` when there are none, or they were read with another run.
    var range: Range<Int>?
    /// A hash that equal contents have in common; known when the batch was prepared.
    var hint: UInt64 = 0
    /// The key that tells the content from others, if another one may be equal.
    var key: ContentKey?
  }

  /// The number of bytes with which a batch is full.
  static let fullByteCount = 1 << 18

  /// The number of runs with which a batch is full.
  static let fullCount = 256

  /// The bytes of batches that are in memory besides the last one.
  static let mostByteCount = 4 << 20

  var bytes: [UInt8] = []
  var items: [Item] = []

  var isFull: Bool { bytes.count >= Self.fullByteCount || items.count >= Self.fullCount }
  var cost: Int { bytes.count + items.count * 64 }

  init() { bytes.reserveCapacity(Self.fullByteCount + Self.fullByteCount / 4) }

  /// Returns the batch with the bytes as the new file stores them, and what tells them from others.
  func prepared(_ encoding: TileEncoding, _ known: KnownContents) -> ConversionBatch {
    let changes = items.map { item in item.range.flatMap { encoding.changed(bytes, in: $0) } }
    var batch = self
    if changes.contains(where: { $0 != nil }) {
      batch.bytes = []
      for (index, item) in items.enumerated() {
        guard let range = item.range else { continue }
        let start = batch.bytes.count
        if let change = changes[index] {
          batch.bytes += change
        } else {
          batch.bytes += bytes[range]
        }
        batch.items[index].range = start..<batch.bytes.count
      }
    }
    batch.items = batch.items.map { item in
      guard let range = item.range, !range.isEmpty else { return item }
      var item = item
      let content = batch.bytes.span.extracting(range)
      item.hint = KnownContents.hint(of: content)
      if known.contains(item.hint) { item.key = ContentKey(content) }
      return item
    }
    return batch
  }
}
