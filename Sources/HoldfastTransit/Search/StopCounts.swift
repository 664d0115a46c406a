/// A count for each stop, 0 unless another one was set.
///
/// Nearly all stops have small numbers, whose counts are in an array: a country's search index looks up
/// millions.
struct StopCounts: Sendable {
  /// The counts of the stops with the numbers below a limit.
  private var small: [Int]
  private var others: [Int64: Int] = [:]

  /// Creates counts of 0.
  ///
  /// - Parameter limit: The number below which counts are quickly found.
  init(below limit: Int) {
    small = [Int](repeating: 0, count: limit)
  }

  subscript(sid: Int64) -> Int {
    get { small.indices.contains(Int(sid)) ? small[Int(sid)] : others[sid] ?? 0 }
    set {
      if small.indices.contains(Int(sid)) {
        small[Int(sid)] = newValue
      } else {
        others[sid] = newValue
      }
    }
  }
}
