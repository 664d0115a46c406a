extension JourneySearch {
  /// What a search has reached, and at which labels at the earliest.
  struct Reached {
    /// The instant of label 0, in seconds since 1970.
    let instant: Int
    /// By the number of rides, the label at each node where riders then enter a vehicle.
    fileprivate(set) var entries: [[Int32]] = []
    /// By the number of rides less one, the label at each node where riders have then left a vehicle.
    fileprivate(set) var exits: [[Int32]] = []
  }

  /// Notes what the rounds so far have reached, unless nothing will ask for it.
  ///
  /// A search of a window is not improved, and one that improves a journey is the last one.
  mutating func noteReached(after round: Int) {
    guard slots == 1, question.reachedBefore == nil else { return }
    if round > 0 { reached.exits.append(Self.exitLabels(labels, count: exitCount)) }
    reached.entries.append(entryLabels)
  }

  private static func exitLabels(_ labels: [Int32], count: Int) -> [Int32] {
    var exitLabels = [Int32](repeating: 0, count: count)
    var list = exitLabels.mutableSpan
    let labels = labels.span
    for node in 0..<count { list[node] = labels[2 &* node &+ 1] }
    return exitLabels
  }

  /// Lets riders leave vehicles in a round only where the search before has entered some with the rides
  /// that are left.
  ///
  /// Where that search has entered later than this one leaves, no journey of both leads.
  mutating func limitExits(_ round: Int) {
    guard let (rides, seconds, before) = left(after: round) else { return }
    Self.limit(&labels, from: 1, by: 2, to: seconds, without: before.entries[rides])
  }

  /// Lets riders enter vehicles in a round, from the second one on, only where the search before has left
  /// some.
  mutating func limitEntries(_ round: Int) {
    guard let (rides, seconds, before) = left(after: round) else { return }
    Self.limit(&entryLabels, from: 0, by: 1, to: seconds, without: before.exits[rides])
  }

  /// Lowers labels so that each is at most a number together with one of the search before.
  private static func limit(
    _ list: inout [Int32], from first: Int, by stride: Int, to seconds: Int32,
    without before: [Int32]
  ) {
    let before = before.span
    var labels = list.mutableSpan
    for node in before.indices {
      let place = first &+ stride &* node
      labels[place] = min(labels[place], seconds &- before[node] &+ 1)
    }
  }

  /// Returns the number of rides that are left after a round, and what a label of this search and one of
  /// the search before may be together.
  private func left(after round: Int) -> (rides: Int, seconds: Int32, before: Reached)? {
    question.reachedBefore.map { before in
      (
        question.rideLimit - round,
        Int32(clamping: sign * (before.instant - question.instant)), before
      )
    }
  }
}
