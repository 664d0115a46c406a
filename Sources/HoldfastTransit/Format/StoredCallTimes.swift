/// The times of all timings at some calls of a pattern.
///
/// The times at the calls after them are not decoded.
struct StoredCallTimes {
  /// The number of timings.
  let count: Int
  /// The arrivals of all timings, call by call.
  private(set) var arrivals: [Int32] = []
  /// The departures in the same order; empty if all equal the arrivals.
  private(set) var departures: [Int32] = []

  /// Decodes the times.
  ///
  /// - Parameters:
  ///   - bytes: The bytes of the column `timings`.
  ///   - calls: The number of calls of the pattern.
  ///   - places: The indices of some calls, sorted.
  ///   - codes: An array whose values do not matter, and whose memory is used.
  /// - Throws: ``DamagedBytes`` when the bytes that are read are not what a writer makes.
  init(
    _ bytes: [UInt8], calls: Int, at places: [Int], using codes: inout [Int64]
  ) throws(DamagedBytes) {
    var reader = ByteReader(bytes)
    count = try reader.count(upTo: StoredPattern.Limit.timings(ofCalls: calls))
    let content = try reader.unsigned()
    guard content <= 3 else { throw DamagedBytes() }
    guard let last = places.last else { return }
    arrivals.reserveCapacity(count * places.count)
    if content & 2 != 0 {
      // Blank times are computed from those before and after them.
      let times = try StoredTimes(ByteReader(bytes), calls: calls, using: &codes)
      for place in places {
        for timing in 0..<count {
          arrivals.append(times.arrivals[timing * calls + place])
          departures.append(times.departures[timing * calls + place])
        }
      }
      return
    }
    let hasDwell = content & 1 != 0
    let (size, wanted, first) = (count * calls, count * (last + 1), min(count, count * calls))
    codes.removeAll(keepingCapacity: true)
    try IntegerColumn.extend(&codes, by: first, from: &reader)
    try IntegerColumn.extend(&codes, by: wanted - first, of: size - first, from: &reader)
    if hasDwell {
      departures.reserveCapacity(count * places.count)
      try IntegerColumn.extend(&codes, by: wanted, of: size, from: &reader)
    }
    try add(codes.span, from: hasDwell ? wanted : nil, at: places)
  }

  /// Adds up the differences, of which those to one call of all timings lie next to each other.
  private mutating func add(
    _ codes: Span<Int64>, from dwell: Int?, at places: [Int]
  ) throws(DamagedBytes) {
    var sums = [Int64](repeating: 0, count: count)
    var times = sums.mutableSpan
    var call = 0
    for place in places {
      while call <= place {
        for timing in 0..<count { times[timing] &+= codes[call * count + timing] }
        if call == place {
          for timing in 0..<count { arrivals.append(try StoredTimes.offset(times[timing])) }
        }
        if let dwell {
          for timing in 0..<count { times[timing] &+= codes[dwell + call * count + timing] }
          if call == place {
            for timing in 0..<count { departures.append(try StoredTimes.offset(times[timing])) }
          }
        }
        call += 1
      }
    }
  }
}
