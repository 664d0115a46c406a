/// Which contents the entries of an archive refer to, in the order of their tiles.
struct ContentOrder {
  private struct Place: Hashable {
    var offset: UInt64
    var length: UInt32
  }

  /// The number of places that are remembered, of 24 bytes each; contents that are not remembered are examined again.
  private static let mostPlaces = 1 << 20

  /// Whether contents are examined again at each zoom level.
  private let comparesZoomLevels: Bool

  private(set) var entryCount = 0

  /// Whether the contents lie one after the other, each where a tile has it first.
  private(set) var isClustered = true

  /// Whether all entries were seen.
  var isComplete = false

  private var end: UInt64 = 0
  /// The places, each with a bit for each zoom level where it was met, if these are compared.
  private var places: [Place: UInt32] = [:]
  private var hasForgotten = false
  private var examinedByteCount: UInt64 = 0

  /// The number of different contents; `nil` when there are too many to be counted.
  var contentCount: Int? { hasForgotten ? nil : places.count }

  init(comparesZoomLevels: Bool) { self.comparesZoomLevels = comparesZoomLevels }

  /// Whether a content was met.
  enum Novelty {
    case new, atOtherZoom, known
  }

  /// Adds an entry.
  ///
  /// - Returns: Whether its content was met before, and at its zoom levels, as far as is remembered.
  mutating func add(_ entry: PMTilesDirectory.Entry) -> Novelty {
    entryCount += 1
    let place = Place(offset: entry.offset, length: entry.length)
    let zoomLevels = comparesZoomLevels ? entry.zoomLevels.map(Array.init) ?? [] : []
    let zoomBits: UInt32 = zoomLevels.reduce(0) { $0 | 1 << UInt32($1) }
    if let known = places[place] {
      if known | zoomBits == known { return .known }
      places[place] = known | zoomBits
      return .atOtherZoom
    }
    if entry.offset > end { isClustered = false }
    if entry.offset < end, !hasForgotten { isClustered = false }
    if entry.offset == end { end += UInt64(entry.length) }
    if places.count < Self.mostPlaces { places[place] = zoomBits } else { hasForgotten = true }
    examinedByteCount += UInt64(entry.length)
    return .new
  }

  /// Whether more was examined than an archive with that many bytes of tiles can need.
  func isRepeating(_ byteCount: UInt64) -> Bool {
    examinedByteCount / 4 > byteCount + 1 << 24
  }
}
