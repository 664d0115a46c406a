import Holdfast

/// The stops of the calls of patterns, and how riders board there, pattern by pattern.
struct StoredCalls: Sendable {
  /// The number of the stop of each call; 0 if there is none.
  private(set) var sids: [Int32] = []
  private(set) var access: [UInt8] = []
  /// The number of calls of each pattern.
  private(set) var counts: [Int32] = []

  /// The largest number of calls in all patterns, which bounds the memory that damage can claim.
  static let most = 1 << 24

  /// Decodes the calls of patterns.
  ///
  /// - Parameters:
  ///   - pids: The numbers of the patterns.
  ///   - blobs: The calls of these and others, by the same indices.
  ///   - path: The path of the database.
  /// - Throws: ``TransitError`` with `.damaged`.
  init(_ pids: ArraySlice<Int64>, _ blobs: BlobList, _ path: String?) throws(TransitError) {
    // The numbers of a pattern, whose memory is used again.
    var codes: [Int64] = []
    for (index, pid) in zip(pids.indices, pids) {
      do throws(DamagedBytes) {
        try append(blobs.reader(index), using: &codes)
      } catch {
        throw .damaged(path: path, table: "patterns", row: pid)
      }
    }
  }

  /// Decodes the first columns of a pattern's calls; the others do not matter for a search.
  private mutating func append(
    _ reader: ByteReader, using codes: inout [Int64]
  ) throws(DamagedBytes) {
    var reader = reader
    let count = try reader.count(upTo: StoredPattern.Limit.calls)
    guard sids.count + count <= Self.most else { throw DamagedBytes() }
    let stored = try reader.unsigned()
    // The numbers of the stops, and then what is said of boarding and alighting, if anything is.
    codes.removeAll(keepingCapacity: true)
    try IntegerColumn.extend(&codes, by: count, from: &reader)
    try IntegerColumn.skip(count, in: &reader)
    let (hasPickups, hasDropOffs) = (stored & 1 != 0, stored & 2 != 0)
    if hasPickups { try IntegerColumn.extend(&codes, by: count, from: &reader) }
    if hasDropOffs { try IntegerColumn.extend(&codes, by: count, from: &reader) }
    let start = sids.count
    sids.append(contentsOf: repeatElement(0, count: count))
    access.append(contentsOf: repeatElement(0, count: count))
    counts.append(Int32(count))
    try Self.find(
      codes.span, count, hasPickups: hasPickups, hasDropOffs: hasDropOffs, from: start, &sids,
      &access)
  }

  /// Finds the stops of the last calls, and how riders board and alight there.
  private static func find(
    _ codes: Span<Int64>, _ count: Int, hasPickups: Bool, hasDropOffs: Bool, from start: Int,
    _ sids: inout [Int32], _ access: inout [UInt8]
  ) throws(DamagedBytes) {
    let lastColumn = codes.count - count
    var sids = sids.mutableSpan
    var access = access.mutableSpan
    for call in 0..<count where codes[call] != 0 {
      guard let sid = Int32(exactly: codes[call]) else { throw DamagedBytes() }
      sids[start + call] = sid
      // A stored number is one more than the value, of which 1 means "not available".
      let isClosed = hasPickups && codes[count + call] == 2 || call == count - 1
      let isExitClosed = hasDropOffs && codes[lastColumn + call] == 2 || call == 0
      access[start + call] =
        (isClosed ? 0 : JourneyPatterns.Access.boarding)
        | (isExitClosed ? 0 : JourneyPatterns.Access.alighting)
    }
  }
}
