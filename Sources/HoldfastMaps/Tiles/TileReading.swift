import Holdfast
import HoldfastFiles
import Synchronization

/// Reads the tiles of batches on one thread.
///
/// What it finds depends on the tiles only, and not on which thread reads them.
final class TileReading {
  /// A batch that was read.
  struct Result: Sendable {
    var items: [TileBatch.Item]
    /// The findings in the items that have bytes, in their order.
    var findings: [TileFinding] = []
    /// The names of layers that the thread had not met before.
    var layers: [ExactText] = []
    /// Whether there are others, whose names have too many bytes.
    var hasMoreLayers = false
    /// The needs of the labels of each style.
    var needs: [LabelNeeds] = []
  }

  /// The contents in which nothing is wrong, shared by all threads so that equal ones are not read again.
  final class SoundContents: Sendable {
    /// The number of contents that are remembered, of 32 bytes each.
    private static let most = 1 << 18

    private let contents = Mutex<[ContentKey: TileFinding.Known]>([:])

    fileprivate subscript(_ key: ContentKey) -> TileFinding.Known? { contents.withLock { $0[key] } }

    fileprivate func remember(_ key: ContentKey, _ finding: TileFinding.Known) {
      contents.withLock { if $0.count < Self.most { $0[key] = finding } }
    }

    /// Held while a tile is read that takes much memory, so that one is in memory at a time.
    fileprivate let large = Mutex(())
  }

  /// The bytes of a tile's content that each thread has room for.
  private static let roomByteCount = 4 << 20

  /// The bytes of a tile that every thread reads at the same time as others, if it is not compressed.
  private static let smallByteCount = 64 << 10

  /// The bytes of the names of layers that each thread has room for; real tilesets have a few thousand.
  private static let mostNameByteCount = 1 << 20

  private let inflater = ZlibInflater()
  private var room: [UInt8] = []
  private var scan = VectorTileScan()
  private var names: Set<[UInt8]> = []
  private var nameByteCount = 0
  private var labels: [LabelExamination]
  private let sound: SoundContents?
  private let shared: SoundContents

  /// - Parameters:
  ///   - labels: What finds the texts of styles.
  ///   - sound: What all threads know.
  ///   - hasEqualTiles: Whether equal tiles may be read several times.
  init(_ labels: [LabelExamination], _ sound: SoundContents, hasEqualTiles: Bool) {
    self.labels = labels
    shared = sound
    // A label may be drawn at some zoom levels only, so that each place is looked at.
    self.sound = hasEqualTiles && labels.isEmpty ? sound : nil
  }

  /// Reads a batch.
  func read(_ batch: TileBatch) -> Result {
    var result = Result(items: batch.items)
    result.findings.reserveCapacity(batch.items.count)
    for item in batch.items {
      switch item.content {
      case .bytes(let range):
        result.findings.append(read(batch.bytes, range, at: item.zoomLevels, &result))
      case .atOtherZoom(let range):
        // Only for its labels: what is wrong with it was found before.
        _ = readAnew(batch.bytes, range, at: item.zoomLevels, &result)
      case .known, .null, .otherType, .unreadable: break
      }
    }
    for index in labels.indices { result.needs.append(labels[index].takeNeeds()) }
    return result
  }

  private func read(
    _ bytes: [UInt8], _ range: Range<Int>, at zoomLevels: ClosedRange<Int>?, _ result: inout Result
  ) -> TileFinding {
    guard let sound else { return readAnew(bytes, range, at: zoomLevels, &result) }
    let key = ContentKey(bytes.span.extracting(range))
    if let known = sound[key] { return known.finding }
    let finding = readAnew(bytes, range, at: zoomLevels, &result)
    if let known = TileFinding.Known(finding) { sound.remember(key, known) }
    return finding
  }

  private func readAnew(
    _ bytes: [UInt8], _ range: Range<Int>, at zoomLevels: ClosedRange<Int>?, _ result: inout Result
  ) -> TileFinding {
    let stored = bytes.span.extracting(range)
    let compression = Self.compression(of: stored)
    if compression == .none {
      if stored.count <= Self.roomByteCount, accepts(stored, &result) {
        return TileFinding(sound: .vector(remark: nil, fault: nil), compression)
      }
      // Images as maps have them.
      if stored.count <= Self.smallByteCount {
        return examine(TileContent(Array(bytes[range]), with: inflater), at: zoomLevels, &result)
      }
    } else {
      // Of its own while it is read.
      var room: [UInt8] = []
      swap(&room, &self.room)
      defer { swap(&room, &self.room) }
      if let count = inflater.inflateWhole(stored, into: &room, most: Self.roomByteCount) {
        let content = room.span.extracting(..<count)
        if accepts(content, &result) {
          return TileFinding(sound: .vector(remark: nil, fault: nil), compression)
        }
        if Self.compression(of: content) == .none {
          let content = TileContent(inflated: Array(room[..<count]), compression, with: inflater)
          return examine(content, at: zoomLevels, &result)
        }
      }
    }
    return shared.large.withLock { _ in
      examine(TileContent(Array(bytes[range]), with: inflater), at: zoomLevels, &result)
    }
  }

  private static func compression(of bytes: Span<UInt8>) -> TileCompression {
    bytes.count < 2 ? .none : TileCompression(firstBytesOf: [bytes[0], bytes[1]])
  }

  /// Returns whether content is a vector tile in which nothing is wrong, and no label is looked for.
  private func accepts(_ content: Span<UInt8>, _ result: inout Result) -> Bool {
    guard labels.isEmpty, scan.accepts(content) else { return false }
    for range in scan.names {
      note(range.map { content[$0] }, &result)
    }
    return true
  }

  /// Adds the name of a layer that the thread had not met before, as long as there are not too many.
  private func note(_ name: [UInt8], _ result: inout Result) {
    guard !names.contains(name) else { return }
    guard nameByteCount + name.count <= Self.mostNameByteCount else {
      result.hasMoreLayers = true
      return
    }
    nameByteCount += name.count
    names.insert(name)
    result.layers.append(ExactText(String(decoding: name, as: UTF8.self)))
  }

  private func examine(
    _ content: TileContent, at zoomLevels: ClosedRange<Int>?, _ result: inout Result
  ) -> TileFinding {
    if case .vector(let vectorTile) = content.kind {
      for layer in vectorTile.layers {
        note(Array(layer.name.utf8), &result)
        for index in labels.indices {
          for zoom in zoomLevels.map(Array.init) ?? [] {
            labels[index].examine(layer, atZoom: zoom)
          }
        }
      }
    }
    return TileFinding(content)
  }
}

extension TileFinding {
  /// A finding of a tile in which nothing is wrong.
  struct Known: Sendable {
    private enum Content {
      case image(TileFormat)
      case vector
    }

    private let content: Content
    private let compression: TileCompression

    /// The result is `nil` for any other finding.
    init?(_ finding: TileFinding) {
      guard finding.isSound else { return nil }
      compression = finding.compression
      switch finding.kind {
      case .image(let format): content = .image(format)
      case .vector: content = .vector
      case .empty, .brokenImage, .mapLibreTile, .brokenVector, .brokenCompression, .nested, .other:
        return nil
      }
    }

    var finding: TileFinding {
      switch content {
      case .image(let format): TileFinding(sound: .image(format), compression)
      case .vector: TileFinding(sound: .vector(remark: nil, fault: nil), compression)
      }
    }
  }
}
