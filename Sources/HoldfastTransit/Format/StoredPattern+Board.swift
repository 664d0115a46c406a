/// What a board needs of a pattern, without the rest of its row.
extension StoredPattern {
  /// A call at a stop that a board has.
  struct Place: Sendable {
    /// The index of the call in the pattern.
    let index: Int
    let pickupType: Int16?
    let dropOffType: Int16?
  }

  /// What starts a trip on its way.
  struct Start: Sendable {
    let tid: Int64
    let start: Int32
    let timing: Int32
    let service: Int32
  }

  /// Decodes the calls at some stops.
  ///
  /// - Parameters:
  ///   - bytes: The bytes of the column `calls`.
  ///   - codes: An array whose values do not matter, and whose memory is used.
  ///   - isWanted: Whether a board has a stop.
  /// - Returns: The calls in their order, and the number of all calls.
  /// - Throws: `DamagedBytes` when the bytes that are read are not what a writer makes.
  static func places(
    _ bytes: [UInt8], using codes: inout [Int64], where isWanted: (Int64) -> Bool
  ) throws(DamagedBytes) -> (places: [Place], count: Int) {
    var reader = ByteReader(bytes)
    let count = try reader.count(upTo: Limit.calls)
    let stored = try reader.unsigned()
    guard stored < CallColumn.distance.bit << 1 else { throw DamagedBytes() }
    try IntegerColumn.read(count, from: &reader, into: &codes)
    var wanted: [Int] = []
    for index in 0..<count where isWanted(codes[index]) { wanted.append(index) }
    let hasPickups = stored & CallColumn.pickupType.bit != 0
    let hasDropOffs = stored & CallColumn.dropOffType.bit != 0
    // The two columns come after the stops and their numbers in the trip, and before all others.
    if hasPickups || hasDropOffs { try IntegerColumn.skip(count, in: &reader) }
    let pickups = codes.count
    if hasPickups { try IntegerColumn.extend(&codes, by: count, from: &reader) }
    let dropOffs = codes.count
    if hasDropOffs { try IntegerColumn.extend(&codes, by: count, from: &reader) }
    var places: [Place] = []
    places.reserveCapacity(wanted.count)
    for index in wanted {
      places.append(
        Place(
          index: index, pickupType: hasPickups ? try small(codes[pickups + index]) : nil,
          dropOffType: hasDropOffs ? try small(codes[dropOffs + index]) : nil))
    }
    return (places, count)
  }

  /// Decodes the starts of all runs, in the order of ``runs(_:timings:)``.
  ///
  /// - Parameters:
  ///   - bytes: The bytes of the column `runs`.
  ///   - timings: The number of the pattern's timings.
  ///   - codes: An array whose values do not matter, and whose memory is used.
  /// - Returns: The starts, sorted, each with the number of its trip.
  /// - Throws: `DamagedBytes` when the bytes that are read are not what a writer makes.
  static func starts(
    _ bytes: [UInt8], timings: Int, using codes: inout [Int64]
  ) throws(DamagedBytes) -> [Start] {
    var reader = ByteReader(bytes)
    let count = try reader.count(upTo: Limit.runs)
    guard try reader.unsigned() < RunColumn.bikesAllowed.bit << 1 else { throw DamagedBytes() }
    codes.removeAll(keepingCapacity: true)
    for _ in 0..<4 { try IntegerColumn.extend(&codes, by: count, from: &reader) }
    var starts: [Start] = []
    starts.reserveCapacity(count)
    var isSorted = true
    for run in 0..<count {
      let next = Start(
        tid: codes[run], start: try number(codes[count + run]),
        timing: try number(codes[2 * count + run]), service: try number(codes[3 * count + run]))
      guard next.tid > 0, 0..<timings ~= Int(next.timing), next.service > 0 else {
        throw DamagedBytes()
      }
      if isSorted, let last = starts.last, next.precedes(last) { isSorted = false }
      starts.append(next)
    }
    if !isSorted { starts.sort { $0.precedes($1) } }
    return starts
  }
}

extension StoredPattern.Start {
  fileprivate func precedes(_ other: Self) -> Bool {
    start == other.start ? tid < other.tid : start < other.start
  }
}
