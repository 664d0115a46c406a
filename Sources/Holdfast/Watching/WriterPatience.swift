/// How long the own writer is waited for before a commit counts as another connection's: a pure state
/// machine.
///
/// Only the writer can tell an own commit from another's, and it cannot be asked while an access holds
/// it. Times are counted from any moment.
struct WriterPatience: Equatable, Sendable {
  /// How long the writer may take.
  var limit: Duration
  /// When the answer is overdue; `nil` while no answer is owed.
  private(set) var deadline: Duration?

  init(limit: Duration) {
    self.limit = limit
  }

  /// A commit was found that only the writer can tell from an own one.
  ///
  /// A later one does not extend the wait for the earlier one.
  mutating func begin(at now: Duration) {
    if deadline == nil { deadline = now + limit }
  }

  /// The writer has answered.
  ///
  /// - Returns: Whether an answer was owed.
  mutating func end() -> Bool {
    defer { deadline = nil }
    return deadline != nil
  }

  /// Whether the answer is overdue; then it is no longer owed.
  mutating func runsOut(at now: Duration) -> Bool {
    guard let deadline, now >= deadline else { return false }
    self.deadline = nil
    return true
  }
}
