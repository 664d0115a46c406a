/// The calls of trips whose rows are not adjacent in `stop_times.txt`, in 32 bytes each.
struct ScatteredCalls {
  struct Row {
    var trip: UInt32
    var stop: UInt32
    var sequence: Int32
    var arrival: Int32
    var departure: Int32
    /// The number of the detail without its distance, which few rows share.
    var detail: UInt32
    var distanceBits: UInt64
  }

  // One array would need twice its size while it grows.
  private static let chunkBits = 16
  private static let chunkSize = 1 << chunkBits

  private var chunks: [[Row]] = []
  private(set) var count = 0

  mutating func append(_ row: Row) {
    if count & (Self.chunkSize - 1) == 0 {
      chunks.append([])
      chunks[chunks.count - 1].reserveCapacity(Self.chunkSize)
    }
    chunks[chunks.count - 1].append(row)
    count += 1
  }

  subscript(index: Int) -> Row {
    get { chunks[index >> Self.chunkBits][index & (Self.chunkSize - 1)] }
    set { chunks[index >> Self.chunkBits][index & (Self.chunkSize - 1)] = newValue }
  }

  /// Brings the rows of each trip together, in place, and returns where each trip's begin.
  ///
  /// - Parameter tripCount: The number of trips.
  /// - Returns: The index of each trip's first row, and ``count`` at the end.
  mutating func groupByTrip(_ tripCount: Int) -> [Int] {
    var starts = [Int](repeating: 0, count: tripCount + 1)
    for index in 0..<count { starts[Int(self[index].trip) + 1] += 1 }
    for trip in 0..<tripCount { starts[trip + 1] += starts[trip] }
    // Each row is moved to the next free place of its trip, until the row at hand is at home.
    var next = starts
    for trip in 0..<tripCount {
      while next[trip] < starts[trip + 1] {
        let here = next[trip]
        let row = self[here]
        let home = Int(row.trip)
        if home != trip {
          self[here] = self[next[home]]
          self[next[home]] = row
        }
        next[home] += 1
      }
    }
    return starts
  }
}
