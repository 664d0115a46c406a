/// A rule for changes between vehicles at two stops: a row of `transfers.txt`.
struct TransferRule {
  /// A route or a trip that a rule names; 0 for any.
  struct Side: Hashable, Comparable {
    var rid: Int64 = 0
    /// The trip, of which ``rid`` is the route.
    var tid: Int64 = 0

    /// By route, the route itself before its trips.
    static func < (lhs: Side, rhs: Side) -> Bool { (lhs.rid, lhs.tid) < (rhs.rid, rhs.tid) }
  }

  /// How a change is possible.
  enum Way: Hashable {
    case walk
    /// The departing vehicle waits.
    case timed
    case seconds(Int32)
    case impossible
  }

  /// The way that one of several rules gives, of which the most specific one counts.
  struct Choice {
    /// Where there is no rule.
    static let none = Choice(priority: -1, way: .walk)

    /// Greater for the rule that counts.
    let priority: Int64
    let way: Way

    /// Returns the one that counts of two.
    func or(_ other: Choice) -> Choice { other.priority > priority ? other : self }
  }

  let from: Side
  let to: Side
  let choice: Choice

  /// Creates a rule.
  ///
  /// - Parameters:
  ///   - from: Whose riders change.
  ///   - to: Where they change to.
  ///   - way: How.
  ///   - stopRank: How many of the two stops the row names themselves, and not by their stations.
  ///   - row: The number of the row, of which the first one counts among equals.
  init(from: Side, to: Side, way: Way, stopRank: Int, row: Int) {
    (self.from, self.to) = (from, to)
    let rank = Self.specificity(from, to) * 3 + stopRank
    choice = Choice(
      priority: Int64(rank) << 32 | Int64(UInt32.max - UInt32(clamping: row)), way: way)
  }

  private init(from: Side, to: Side, _ choice: Choice) {
    (self.from, self.to, self.choice) = (from, to, choice)
  }

  /// The same rule for a search backward.
  var reversed: TransferRule { TransferRule(from: to, to: from, choice) }

  /// The order of the specification: two trips, a trip and a route, a trip, two routes, a route,
  /// only stops.
  private static func specificity(_ from: Side, _ to: Side) -> Int {
    let trips = (from.tid == 0 ? 0 : 1) + (to.tid == 0 ? 0 : 1)
    let routes = (from.tid == 0 && from.rid != 0 ? 1 : 0) + (to.tid == 0 && to.rid != 0 ? 1 : 0)
    return switch (trips, routes) {
    case (2, _): 5
    case (1, 1): 4
    case (1, _): 3
    case (_, 2): 2
    case (_, 1): 1
    default: 0
    }
  }
}
