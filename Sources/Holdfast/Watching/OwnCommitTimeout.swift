/// The time limit for the writer to recognize a commit as its own: a pure state machine.
///
/// After that a commit counts as another connection's. Only the writer can recognize own
/// commits, and it cannot be queried while an access holds it. Times are counted from an arbitrary
/// moment.
struct OwnCommitTimeout: Equatable, Sendable {
  /// The time within which the writer must answer.
  var limit: Duration
  /// The time at which the answer is overdue; `nil` while no answer is due.
  private(set) var deadline: Duration?

  init(limit: Duration) {
    self.limit = limit
  }

  /// Records a commit that only the writer can attribute.
  ///
  /// A later one does not extend the wait for the earlier one.
  mutating func begin(at now: Duration) {
    if deadline == nil { deadline = now + limit }
  }

  /// Records that the writer is free to answer, and only waits for the processor.
  ///
  /// No access of the app holds it back from here on, but perhaps an observation that computes its value on the
  /// writer's queue, or a loaded machine. The answer is still due, ten times as long.
  mutating func extend(at now: Duration) {
    if deadline != nil { deadline = now + limit * 10 }
  }

  /// Records the answer of the writer.
  ///
  /// - Returns: Whether an answer was due.
  mutating func end() -> Bool {
    defer { deadline = nil }
    return deadline != nil
  }

  /// Returns whether the answer is overdue, in which case it is no longer due.
  mutating func runsOut(at now: Duration) -> Bool {
    guard let deadline, now >= deadline else { return false }
    self.deadline = nil
    return true
  }
}
