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
    let sourceRuns = try source.runs(in: selection)
    var numbers: [ContentKey: Int] = [:]
    var places: [ConversionSource.Run.Place: Int] = [:]
    // Equal tiles often follow each other, as those of an ocean do.
    var last: (bytes: [UInt8], number: Int)?
    for (position, run) in sourceRuns.enumerated() {
      if position.isMultiple(of: 4096) {
        try progress(Double(position) / Double(2 * sourceRuns.count))
      }
      if let known = run.place.flatMap({ places[$0] }) {
        append(run, known)
        continue
      }
      let bytes = try source.tile(run.tileID)
      guard let bytes, !bytes.isEmpty else {
        emptyCount += Int(run.count)
        continue
      }
      let number: Int
      if let last, last.bytes == bytes {
        number = last.number
      } else {
        number = self.number(of: bytes, run.tileID, &numbers)
        last = (bytes, number)
      }
      if let place = run.place { places[place] = number }
      append(run, number)
    }
    self.zoomLevels = sourceRuns.first.flatMap { first in
      guard let low = TileCoordinate(tileID: first.tileID)?.z,
        let high = sourceRuns.last.flatMap({ TileCoordinate(tileID: $0.tileID + $0.count - 1)?.z })
      else { return nil }
      return low...high
    }
  }

  /// Returns the number of a content, which is new unless an equal one has one.
  private mutating func number(
    of bytes: [UInt8], _ tileID: UInt64, _ numbers: inout [ContentKey: Int]
  ) -> Int {
    let key = ContentKey(bytes)
    if let known = numbers[key] { return known }
    numbers[key] = contents.count
    contents.append(Content(tileID: tileID, byteCount: UInt32(bytes.count)))
    return contents.count - 1
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

  private mutating func append(_ run: ConversionSource.Run, _ content: Int) {
    tileCount += Int(run.count)
    // A source has fewer tiles than the number has room for; see `ReadingLimit.convertedTiles`.
    let count = UInt32(run.count)
    if let last = runs.last, last.content == content,
      last.tileID + UInt64(last.count) == run.tileID
    {
      runs[runs.count - 1].count += count
    } else {
      runs.append(Run(tileID: run.tileID, count: count, content: content))
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

  /// Calls a closure with the squares of a square that are kept whole, in the order of their numbers.
  ///
  /// - Parameters:
  ///   - square: The square.
  ///   - searched: The number of squares that were looked at, which is increased.
  ///   - body: Called with each square that is kept.
  /// - Throws: Whatever `body` throws.
  func visit(
    _ square: TileSquare, _ searched: inout UInt64, _ body: (TileSquare) throws -> Void
  ) rethrows {
    searched += 1
    guard zoomLevels?.contains(square.zoom) ?? true else { return }
    guard let bounds else { return try body(square) }
    // What a tile touches, one of the tiles in it touches.
    guard touches(square.tile) else { return }
    let tile = square.tile.bounds
    let isInside =
      bounds.west <= tile.west && tile.east <= bounds.east && bounds.south <= tile.south
      && tile.north <= bounds.north
    if square.depth == 0 || isInside { return try body(square) }
    for quarter in square.quarters { try visit(quarter, &searched, body) }
  }

  func contains(_ coordinate: TileCoordinate) -> Bool {
    (zoomLevels?.contains(coordinate.z) ?? true) && touches(coordinate)
  }

  private func touches(_ coordinate: TileCoordinate) -> Bool {
    guard let bounds else { return true }
    let tile = coordinate.bounds
    // A tile that only touches the area has nothing of it, unless the area is a point or a line.
    let isBeside = tile.east <= bounds.west || tile.west >= bounds.east && bounds.west < bounds.east
    let isAboveOrBelow =
      tile.north <= bounds.south || tile.south >= bounds.north && bounds.south < bounds.north
    return !isBeside && !isAboveOrBelow
  }
}
