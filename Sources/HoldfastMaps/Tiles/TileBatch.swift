import Holdfast
import HoldfastFiles

/// Consecutive tiles of a tileset, which one thread reads.
struct TileBatch: Sendable {
  /// A row of a tileset, or an entry of an archive.
  struct Item: Sendable {
    /// Where the tile is.
    enum Place: Sendable {
      case tile(TileCoordinate)
      /// A zoom level, a column and a row that are no place.
      case illegal([DatabaseValue])
      case entry(PMTilesDirectory.Entry)
    }

    enum Content: Sendable {
      /// The place of the bytes in those of the batch.
      case bytes(Range<Int>)
      /// The bytes were read with another entry.
      case known
      /// The place of bytes that were read with an entry of another zoom level, where labels may differ.
      case atOtherZoom(Range<Int>)
      case null
      case otherType(String)
      case unreadable(reason: String)
    }

    var place: Place
    var content: Content

    /// The zoom levels of the tiles; `nil` where none can be.
    var zoomLevels: ClosedRange<Int>? {
      switch place {
      case .tile(let coordinate): coordinate.z...coordinate.z
      case .illegal: nil
      case .entry(let entry): entry.zoomLevels
      }
    }
  }

  /// The number of bytes with which a batch is full.
  private static let fullByteCount = 1 << 18

  /// The number of tiles with which a batch is full.
  private static let fullCount = 512

  /// The bytes of batches that are in memory besides the last one.
  static let mostByteCount = 8 << 20

  private(set) var bytes: [UInt8] = []
  private(set) var items: [Item] = []

  var isEmpty: Bool { items.isEmpty }
  var isFull: Bool { bytes.count >= Self.fullByteCount || items.count >= Self.fullCount }

  /// The bytes that the batch takes in memory, nearly.
  var cost: Int { bytes.count + items.count * 64 }

  init() {
    bytes.reserveCapacity(Self.fullByteCount + Self.fullByteCount / 4)
  }

  /// Adds a row: zoom level, column, row and tile, and whether a reader finds these numbers.
  mutating func add(_ row: Row) throws {
    let values = try (0..<3).map { try row.decode(DatabaseValue.self, atIndex: $0) }
    let isFound = try row.decode(Bool?.self, atIndex: 4)
    let coordinate = isFound == true ? TileExamination.coordinate(values) : nil
    // What is no place at all is kept as it is, to be named.
    let place = coordinate.map(Item.Place.tile) ?? .illegal(values)
    let start = bytes.count
    if row.appendBlob(atIndex: 3, to: &bytes) {
      items.append(Item(place: place, content: .bytes(start..<bytes.count)))
    } else {
      let value = try row.decode(DatabaseValue.self, atIndex: 3)
      items.append(
        Item(place: place, content: value.isNull ? .null : .otherType(value.typeName)))
    }
  }

  /// Adds an entry of an archive.
  mutating func add(_ entry: PMTilesDirectory.Entry, _ content: Item.Content) {
    items.append(Item(place: .entry(entry), content: content))
  }

  /// Adds an entry of an archive with its bytes.
  ///
  /// - Parameters:
  ///   - entry: The entry.
  ///   - content: The bytes.
  ///   - isAtOtherZoom: Whether an entry of another zoom level has them, too.
  mutating func add(
    _ entry: PMTilesDirectory.Entry, _ content: [UInt8], isAtOtherZoom: Bool = false
  ) {
    let start = bytes.count
    bytes += content
    let range = start..<bytes.count
    add(entry, isAtOtherZoom ? .atOtherZoom(range) : .bytes(range))
  }
}
