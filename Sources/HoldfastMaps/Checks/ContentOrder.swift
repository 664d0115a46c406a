/// Which contents the entries of an archive refer to, in the order of their tiles.
struct ContentOrder {
  private struct Place: Hashable {
    var offset: UInt64
    var length: UInt32
  }

  /// The number of places that are remembered, of 16 bytes each; contents that are not remembered are examined again.
  private static let mostPlaces = 1 << 20

  private(set) var entryCount = 0

  /// Whether the contents lie one after the other, each where a tile has it first.
  private(set) var isClustered = true

  /// Whether all entries were seen.
  var isComplete = false

  private var end: UInt64 = 0
  private var places: Set<Place> = []
  private var hasForgotten = false
  private var examinedByteCount: UInt64 = 0

  /// The number of different contents; `nil` when there are too many to be counted.
  var contentCount: Int? { hasForgotten ? nil : places.count }

  /// Adds an entry.
  ///
  /// - Returns: Whether its content was not seen yet, as far as is remembered.
  mutating func add(_ entry: PMTilesDirectory.Entry) -> Bool {
    entryCount += 1
    let place = Place(offset: entry.offset, length: entry.length)
    if places.contains(place) { return false }
    if entry.offset > end { isClustered = false }
    if entry.offset < end, !hasForgotten { isClustered = false }
    if entry.offset == end { end += UInt64(entry.length) }
    if places.count < Self.mostPlaces { places.insert(place) } else { hasForgotten = true }
    examinedByteCount += UInt64(entry.length)
    return true
  }

  /// Whether more was examined than an archive with that many bytes of tiles can need.
  func isRepeating(_ byteCount: UInt64) -> Bool {
    examinedByteCount / 4 > byteCount + 1 << 24
  }
}
