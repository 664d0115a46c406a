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
    guard labels.slots == 1, question.reachedBefore == nil else { return }
    if round > 0 { reached.exits.append(labels.exitLabels) }
    reached.entries.append(labels.entryLabels)
  }

  /// Lets riders leave vehicles in a round only where the search before has entered some with the rides
  /// that are left.
  ///
  /// Where that search has entered later than this one leaves, no journey of both leads.
  mutating func limitExits(_ round: Int) {
    guard let (rides, seconds, before) = left(after: round) else { return }
    labels.limitExits(to: seconds, without: before.entries[rides])
  }

  /// Lets riders enter vehicles in a round, from the second one on, only where the search before has left
  /// some.
  mutating func limitEntries(_ round: Int) {
    guard let (rides, seconds, before) = left(after: round) else { return }
    labels.limitEntries(to: seconds, without: before.exits[rides])
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
