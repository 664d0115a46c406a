import Foundation
import Holdfast
import HoldfastFiles

/// The tiles of a tileset in the order of PMTiles, each with the number of its content, as a conversion writes them.
struct ConvertedTiles {
  /// Consecutive tiles with the same content.
  struct Run {
    var tileID: UInt64
    var count: UInt32
    var content: Int32
  }

  /// A content of one tile or of several.
  struct Content {
    /// The place among the contents, in the order of the first tiles.
    var offset: UInt64
    var byteCount: UInt32
  }

  let source: ConversionSource
  private(set) var runs: [Run] = []
  private(set) var contents: [Content] = []
  private(set) var tileCount = 0

  /// The number of bytes of all contents.
  var byteCount: UInt64 {
    contents.last.map { $0.offset + UInt64($0.byteCount) } ?? 0
  }

  /// The tiles that neither format can hold: those without bytes.
  private(set) var emptyCount = 0

  /// The rows that are the place of no tile.
  private(set) var misplacedCount = 0

  /// The contents that were met.
  private let known = KnownContents()

  /// The number of each content of which another one may be equal, by what tells it from others.
  private var numbers: [ContentKey: Int32] = [:]

  /// The runs as they are read, and of each content the first one.
  private var sourceRuns: [ConversionSource.Run] = []
  private var firstRuns: [Int32] = []

  /// The number of the content at each place of an archive; -1 for one without bytes.
  private var numbersOfPlaces: [Int32] = []

  /// Prepares to read a tileset.
  init(at path: FilePath) throws { source = try ConversionSource(at: path) }

  /// The zoom levels of the tiles.
  var zoomLevels: ClosedRange<Int>? {
    guard let first = runs.first, let last = runs.last,
      let low = TileCoordinate(tileID: first.tileID)?.z,
      let high = TileCoordinate(tileID: last.tileID + UInt64(last.count) - 1)?.z
    else { return nil }
    return low...high
  }

  // MARK: - Reading

  /// Reads all tiles once, in the order of their numbers.
  ///
  /// - Parameters:
  ///   - selection: The tiles that are kept.
  ///   - progress: Called with the part that is done; it ends the reading by throwing.
  ///   - write: Called with the bytes of each content that is not equal to an earlier one, in the order of ``contents``.
  /// - Throws: ``MapError``, `DatabaseError` or `FileError` when the tileset cannot be read; whatever the closures throw.
  mutating func readAll(
    in selection: TileSelection, _ progress: (Double) throws -> Void,
    write: (ArraySlice<UInt8>) throws -> Void
  ) throws {
    (sourceRuns, misplacedCount) = try source.runs(in: selection)
    let sourceRuns = sourceRuns
    let pipeline = OrderedPipeline<ConversionBatch, ConversionBatch>(
      mostCost: ConversionBatch.mostByteCount
    ) { [encoding = source.encoding, known] in
      { $0.prepared(encoding, known) }
    }
    var places: [Place: Int] = [:]
    var start = 0
    while start < sourceRuns.count {
      try progress(Double(start) / Double(sourceRuns.count))
      var batch = ConversionBatch()
      // One access to the tileset for each batch, of which it is not known how many tiles fill it.
      try source.read(sourceRuns[start...].prefix(ConversionBatch.fullCount)) { run, append in
        guard !batch.isFull else { return }
        var item = ConversionBatch.Item(run: run, number: start)
        start += 1
        if source.isArchive {
          let place = Place(offset: run.offset, length: run.length)
          if let known = places[place] {
            item.place = known
            batch.items.append(item)
            return
          }
          item.place = places.count
          places[place] = places.count
        }
        let first = batch.bytes.count
        if try append(&batch.bytes) { item.range = first..<batch.bytes.count }
        batch.items.append(item)
      }
      try pipeline.add(batch, cost: batch.cost) { try add($0, write) }
    }
    try pipeline.finish { try add($0, write) }
    (numbers, self.sourceRuns, firstRuns) = ([:], [], [])
    try progress(1)
  }

  /// The place of a content in an archive.
  private struct Place: Hashable {
    var offset: UInt64
    var length: UInt32
  }

  private mutating func add(
    _ batch: ConversionBatch, _ write: (ArraySlice<UInt8>) throws -> Void
  ) throws {
    for item in batch.items {
      // Places are numbered in the order in which they are read.
      if let place = item.place, place < numbersOfPlaces.count {
        add(item.run, numbersOfPlaces[place])
        continue
      }
      let number = try number(of: item, in: batch, write)
      if item.place != nil { numbersOfPlaces.append(number) }
      add(item.run, number)
    }
  }

  /// Returns the number of a content, which is new unless an equal one has one; -1 for one without bytes.
  private mutating func number(
    of item: ConversionBatch.Item, in batch: ConversionBatch,
    _ write: (ArraySlice<UInt8>) throws -> Void
  ) throws -> Int32 {
    guard let range = item.range, !range.isEmpty else { return -1 }
    // There are fewer contents than tiles; see `ReadingLimit.convertedTiles`.
    let number = Int32(contents.count)
    if let first = known[item.hint] {
      if !first.hasKey {
        numbers[try key(ofContent: first.number)] = first.number
        known[item.hint] = KnownContents.Entry(number: first.number, hasKey: true)
      }
      let key = item.key ?? ContentKey(batch.bytes.span.extracting(range))
      if let equal = numbers[key] { return equal }
      numbers[key] = number
    } else {
      known[item.hint] = KnownContents.Entry(number: number)
    }
    contents.append(Content(offset: byteCount, byteCount: UInt32(range.count)))
    firstRuns.append(Int32(item.number))
    try write(batch.bytes[range])
    return number
  }

  /// Reads a content again, and returns what tells it from others.
  private func key(ofContent number: Int32) throws -> ContentKey {
    let index = Int(firstRuns[Int(number)])
    var bytes: [UInt8] = []
    try source.read(sourceRuns[index...index]) { _, append in _ = try append(&bytes) }
    let stored = source.encoding.changed(bytes, in: bytes.indices) ?? bytes
    return ContentKey(stored.span)
  }

  private mutating func add(_ run: ConversionSource.Run, _ content: Int32) {
    guard content >= 0 else {
      emptyCount += Int(run.count)
      return
    }
    tileCount += Int(run.count)
    if let last = runs.last, last.content == content,
      last.tileID + UInt64(last.count) == run.tileID
    {
      runs[runs.count - 1].count += run.count
    } else {
      runs.append(Run(tileID: run.tileID, count: run.count, content: content))
    }
  }

  /// Sentences about the metadata, tiles and rows that the new file does not keep.
  var losses: [String] {
    source.description.losses
      + (emptyCount > 0 ? ["\(emptyCount) tiles without bytes, which draw nothing."] : [])
      + (misplacedCount > 0
        ? ["\(misplacedCount) rows whose zoom level, column and row are the place of no tile."]
        : [])
  }
}

/// The tiles that a conversion keeps.
struct TileSelection {
  var bounds: GeographicBounds?
  var zoomLevels: ClosedRange<Int>?

  /// Whether tiles may be left out.
  var isPart: Bool { bounds != nil || zoomLevels != nil }

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
    return Self.overlap(tile.west...tile.east, bounds.west...bounds.east)
      && Self.overlap(tile.south...tile.north, bounds.south...bounds.north)
  }

  /// Returns whether a tile has a part of an area, along one axis.
  private static func overlap(
    _ tile: ClosedRange<Double>, _ area: ClosedRange<Double>
  ) -> Bool {
    // A tile that only touches the area has nothing of it, unless the area is a point or a line.
    area.lowerBound < area.upperBound
      ? tile.lowerBound < area.upperBound && area.lowerBound < tile.upperBound
      : tile.overlaps(area)
  }
}
