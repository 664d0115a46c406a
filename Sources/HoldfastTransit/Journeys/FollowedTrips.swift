/// The soonest trip that a search has followed through each call of the patterns.
///
/// A later round follows a pattern again only from where riders catch a sooner trip: all others reach
/// nothing sooner than the trip that was followed. Only patterns of which a search needs one unit are
/// here; those of the others remain as if nothing was followed.
struct FollowedTrips {
  /// The place of the trip in the order in which the search meets the trips of the unit, for each call
  /// of all patterns; empty for a search that follows every trip again.
  var orders: [Int32]
  /// The label of the trip before it at each call: who is there later catches no sooner trip.
  var limits: [Int32]
  /// The patterns of which the search needs several units.
  private var shared: MarkedIndices

  /// - Parameters:
  ///   - callCount: The number of calls of all patterns.
  ///   - patternCount: The number of patterns.
  ///   - shared: The patterns that have several units at the outset.
  init(callCount: Int, patternCount: Int, shared: some Sequence<Int>) {
    orders = [Int32](repeating: .max, count: callCount)
    limits = orders
    self.shared = MarkedIndices(upTo: patternCount)
    for pattern in shared { self.shared.insert(pattern) }
  }

  /// Whether the search has needed no more than one unit of a pattern.
  func hasOneUnit(_ pattern: Int) -> Bool { !shared.contains(pattern) }

  /// Forgets what was followed of a pattern of which the search needs another unit.
  mutating func share(_ pattern: Int, _ range: Range<Int>) {
    guard !orders.isEmpty, hasOneUnit(pattern) else { return }
    shared.insert(pattern)
    for call in range { (orders[call], limits[call]) = (.max, .max) }
  }
}
