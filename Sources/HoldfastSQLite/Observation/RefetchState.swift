import Synchronization

/// The state that decides when a value must be fetched again after its region changed.
///
/// A change in the region makes a fetch due. Commits during a fetch are kept, because the fetch may
/// not see them, and are compared at its end with the region that it read. So no commit is missed,
/// even if each fetch reads another region, and many commits between two fetches cause one.
package final class RefetchState: Sendable {
  private enum Phase {
    /// No change since the last fetch.
    case idle
    /// A fetch is due; it will see all commits before it begins.
    case due
    /// A fetch is running, and these commits may have come too late for it.
    case reading(TransactionChanges)
    case postponed
  }

  /// The time of the next fetch.
  package enum Next: Sendable {
    /// When the region changes.
    case later
    /// At once: the region changed during the last fetch.
    case atOnce
    /// After a pause: commits come faster than values are fetched.
    case afterPause
  }

  private struct State {
    var region = DatabaseRegion()
    var phase = Phase.due

    /// The number of commits during fetches, since the last fetch without one.
    var overtakingCount = 0
    /// ``overtakingCount`` at the beginning of the running fetch.
    var earlierOvertakingCount = 0
    /// Whether the value is being delivered, so that later commits do not overtake the fetch.
    var isDelivering = false

    // A small statement that runs repeatedly is compared once.
    var lastStatement: StatementEffects?
    var lastAnswer = false

    mutating func isTouched(by changes: TransactionChanges) -> Bool {
      guard changes.count == 1, let part = changes.parts.first, part.rowIDs == nil else {
        return changes.touch(region)
      }
      if part.effects !== lastStatement {
        lastStatement = part.effects
        lastAnswer = part.touches(region)
      }
      return lastAnswer
    }
  }

  private let state = Mutex(State())

  /// Creates a state whose first fetch is due.
  package init() {}

  /// Records that a fetch begins; call it before the fetch has its snapshot.
  package func beginReading() {
    state.withLock { state in
      state.phase = .reading(TransactionChanges())
      state.earlierOvertakingCount = state.overtakingCount
      state.isDelivering = false
    }
  }

  /// Records the region of the running fetch.
  ///
  /// - Parameter region: The region that was read.
  /// - Returns: Whether it differs from the previous one.
  package func setRegion(_ region: DatabaseRegion) -> Bool {
    state.withLock { state in
      guard region != state.region else { return false }
      state.region = region
      state.lastStatement = nil
      return true
    }
  }

  /// Records that delivery of the fetched value begins.
  ///
  /// Its receiver may write at once. Such a commit does not count as one that comes faster than
  /// values are fetched: the value was still the newest one when it was delivered.
  package func beginDelivery() {
    state.withLock { $0.isDelivering = true }
  }

  /// Records that the fetch has ended and its value was delivered.
  ///
  /// - Returns: When the next fetch is due.
  package func endReading() -> Next {
    state.withLock { state in
      if state.overtakingCount == state.earlierOvertakingCount { state.overtakingCount = 0 }
      guard case .reading(let late) = state.phase, late.touch(state.region) else {
        state.phase = .idle
        state.overtakingCount = 0
        return .later
      }
      state.phase = .due
      return state.overtakingCount > 1 ? .afterPause : .atOnce
    }
  }

  /// Ends a fetch that could not run; the next change of any region makes it due.
  ///
  /// - Returns: Whether there was a change already.
  package func postpone() -> Bool {
    state.withLock { state in
      guard case .reading(let late) = state.phase, !late.isEmpty else {
        state.phase = .postponed
        return false
      }
      state.phase = .due
      return true
    }
  }

  /// Records a commit.
  ///
  /// - Parameter changes: The changes of the commit.
  /// - Returns: Whether it made a fetch due.
  package func becomesDue(by changes: TransactionChanges) -> Bool {
    state.withLock { state in
      switch state.phase {
      case .due:
        return false
      case .reading(var late):
        late.insert(contentsOf: changes)
        if !state.isDelivering { state.overtakingCount += 1 }
        state.phase = .reading(late)
        return false
      case .postponed:
        state.phase = .due
        return true
      case .idle:
        guard state.isTouched(by: changes) else { return false }
        state.phase = .due
        return true
      }
    }
  }
}
