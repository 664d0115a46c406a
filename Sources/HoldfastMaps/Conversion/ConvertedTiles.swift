import Foundation
import Holdfast
import HoldfastFiles

/// The tiles of a tileset in the order of PMTiles, each with the number of its content, as a conversion writes them.
struct ConvertedTiles {
  /// Consecutive tiles with the same content.
  struct Run {
    var tileID: UInt64
    var count: UInt32
    var content: Int
  }

  /// A content, which is read again when it is written.
  struct Content {
    /// The tile that has it first.
    var tileID: UInt64
    var byteCount: UInt32
  }

  let source: ConversionSource
  private(set) var runs: [Run] = []
  private(set) var contents: [Content] = []
  private(set) var tileCount = 0

  /// The tiles that neither format can hold: those without bytes.
  private(set) var emptyCount = 0

  /// The zoom levels and the area of the tiles.
  private(set) var zoomLevels: ClosedRange<Int>?

  /// Reads all tiles once.
  init(
    at path: FilePath, bounds: GeographicBounds?, zoomLevels: ClosedRange<Int>?,
    progress: (Double) throws -> Void
  ) throws {
    source = try ConversionSource(at: path)
    let selection = TileSelection(bounds: bounds, zoomLevels: zoomLevels)
    let tileIDs = try source.tileIDs(in: selection)
    var numbers: [ContentKey: Int] = [:]
    var last: (content: ContentKey, number: Int)?
    for (position, tileID) in tileIDs.enumerated() {
      if position.isMultiple(of: 4096) {
        try progress(Double(position) / Double(2 * tileIDs.count))
      }
      let bytes = try source.tile(tileID)
      guard let bytes, !bytes.isEmpty else {
        emptyCount += 1
        continue
      }
      let key = ContentKey(bytes)
      let number: Int
      if let last, last.content == key {
        number = last.number
      } else if let known = numbers[key] {
        number = known
      } else {
        number = contents.count
        numbers[key] = number
        contents.append(Content(tileID: tileID, byteCount: UInt32(bytes.count)))
      }
      last = (key, number)
      append(tileID, number)
    }
    tileCount = tileIDs.count - emptyCount
    self.zoomLevels = tileIDs.first.flatMap { first in
      guard let low = TileCoordinate(tileID: first)?.z,
        let high = tileIDs.last.flatMap({ TileCoordinate(tileID: $0)?.z })
      else { return nil }
      return low...high
    }
  }

  /// Returns a content once more.
  ///
  /// - Throws: ``MapError`` with `.damaged` when the tileset has changed meanwhile.
  func bytes(of content: Content) throws -> [UInt8] {
    guard let bytes = try source.tile(content.tileID), bytes.count == Int(content.byteCount) else {
      throw MapError.changedMeanwhile(source.path)
    }
    return bytes
  }

  /// What the new file does not keep, in sentences.
  var losses: [String] {
    source.description.losses
      + (emptyCount > 0 ? ["\(emptyCount) tiles without bytes, which draw nothing."] : [])
  }

  private mutating func append(_ tileID: UInt64, _ content: Int) {
    if let last = runs.last, last.content == content, last.tileID + UInt64(last.count) == tileID,
      last.count < .max
    {
      runs[runs.count - 1].count += 1
    } else {
      runs.append(Run(tileID: tileID, count: 1, content: content))
    }
  }
}

/// Half of the SHA-256 digest of a content, and its length: two contents never have the same by chance.
private struct ContentKey: Hashable {
  private let high: UInt64
  private let low: UInt64
  private let byteCount: UInt32

  init(_ bytes: [UInt8]) {
    var hasher = SHA256()
    hasher.update(bytes)
    let digest = hasher.finalize().bytes
    func number(_ range: Range<Int>) -> UInt64 {
      digest[range].reduce(0) { $0 << 8 | UInt64($1) }
    }
    (high, low, byteCount) = (number(0..<8), number(8..<16), UInt32(bytes.count))
  }
}

/// The tiles that a conversion keeps.
struct TileSelection {
  var bounds: GeographicBounds?
  var zoomLevels: ClosedRange<Int>?

  /// Whether all tiles are kept.
  var keepsAll: Bool { bounds == nil && zoomLevels == nil }

  func contains(_ coordinate: TileCoordinate) -> Bool {
    guard zoomLevels?.contains(coordinate.z) ?? true else { return false }
    guard let bounds else { return true }
    let tile = coordinate.bounds
    // A tile that only touches the area has nothing of it, unless the area is a point or a line.
    let isBeside = tile.east <= bounds.west || tile.west >= bounds.east && bounds.west < bounds.east
    let isAboveOrBelow =
      tile.north <= bounds.south || tile.south >= bounds.north && bounds.south < bounds.north
    return !isBeside && !isAboveOrBelow
  }
}
