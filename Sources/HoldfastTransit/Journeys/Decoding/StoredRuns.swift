/// The runs of a pattern as far as a search needs them: their trips, starts, timings and services.
struct StoredRuns {
  /// The number of runs.
  let count: Int
  /// The trips of all runs, then their starts, timings and services, and their `wheelchair_accessible`
  /// if not all are blank.
  private let columns: [Int64]

  private static let wheelchairBit: UInt64 = 5

  init(_ reader: ByteReader, timings: Int) throws(DamagedBytes) {
    var reader = reader
    count = try reader.count(upTo: StoredPattern.Limit.runs)
    let stored = try reader.unsigned()
    let hasAccess = stored >> Self.wheelchairBit & 1 == 1
    var columns: [Int64] = []
    columns.reserveCapacity((hasAccess ? 5 : 4) * count)
    for _ in 0..<4 { try IntegerColumn.extend(&columns, by: count, from: &reader) }
    if hasAccess {
      for bit in 0..<Self.wheelchairBit where stored >> bit & 1 == 1 {
        try IntegerColumn.skip(count, in: &reader)
      }
      try IntegerColumn.extend(&columns, by: count, from: &reader)
    }
    self.columns = columns
    let numbers = columns.span
    for run in 0..<count {
      guard 1...Int64(UInt32.max) ~= numbers[run], Int32(exactly: numbers[count + run]) != nil,
        0..<Int64(timings) ~= numbers[2 * count + run],
        1...Int64(Int32.max) ~= numbers[3 * count + run]
      else { throw DamagedBytes() }
    }
  }

  func trip(_ run: Int) -> Int64 { columns[run] }

  func start(_ run: Int) -> Int32 { Int32(truncatingIfNeeded: columns[count + run]) }

  func timing(_ run: Int) -> Int { Int(columns[2 * count + run]) }

  func service(_ run: Int) -> Int32 { Int32(truncatingIfNeeded: columns[3 * count + run]) }

  /// Whether the feed says that wheelchairs can be on board.
  func isAccessible(_ run: Int) -> Bool {
    // A stored number is one more than the value.
    columns.count > 4 * count && columns[4 * count + run] == 2
  }

  /// The indices of the runs by their starts, and then in the order in which they are stored.
  var order: [Int] {
    var (keys, isSorted) = ([Int](), true)
    keys.reserveCapacity(count)
    for run in 0..<count {
      let key = Int(start(run)) << 32 | run
      if let last = keys.last, last > key { isSorted = false }
      keys.append(key)
    }
    if !isSorted { keys.sort() }
    var order = keys.mutableSpan
    for index in 0..<count { order[index] &= 0xffff_ffff }
    return keys
  }
}
