import Synchronization

/// Tells when values that were read from a region must be read again.
///
/// It goes round: a change in the region makes a reading due; commits that come while it goes on
/// are kept, because the reading may not have seen them, and are compared with the region the
/// reading found when it is over. So none is lost, even if each reading finds another region, and
/// many commits between two readings cause one.
package final class RefetchState: Sendable {
  private enum Phase {
    /// Nothing has changed since the last reading.
    case idle
    /// A reading is to come; it will see all that is committed before it begins.
    case due
    /// A reading goes on, and these commits may have come too late for it.
    case reading(TransactionChanges)
    case postponed
  }

  /// When values are to be read again.
  package enum Next: Sendable {
    /// When something changes.
    case later
    /// At once: a commit came while they were read.
    case atOnce
    /// After a while: commits come faster than values are read.
    case afterPause
  }

  private struct State {
    var region = DatabaseRegion()
    var phase = Phase.due

    /// How many commits came during readings, since the last one that none overtook.
    var overtakingCount = 0
    /// The same at the beginning of the reading that goes on.
    var earlierOvertakingCount = 0
    /// Whether the value is being delivered, so that no later commit overtakes the reading.
    var isDelivering = false

    // One small statement that is run again and again is compared once.
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

  /// Creates a watch whose first reading is due.
  package init() {}

  /// Notes that a reading begins; called before it has its snapshot.
  package func beginReading() {
    state.withLock { state in
      state.phase = .reading(TransactionChanges())
      state.earlierOvertakingCount = state.overtakingCount
      state.isDelivering = false
    }
  }

  /// Notes the region of the reading that goes on.
  ///
  /// - Parameter region: What was read.
  /// - Returns: Whether it is another one than before.
  package func follow(_ region: DatabaseRegion) -> Bool {
    state.withLock { state in
      guard region != state.region else { return false }
      state.region = region
      state.lastStatement = nil
      return true
    }
  }

  /// Notes that the value that was read is delivered from now on.
  ///
  /// Whoever receives it may write at once. That is no commit that comes faster than values are read:
  /// the value was still the newest one when it came.
  package func beginDelivery() {
    state.withLock { $0.isDelivering = true }
  }

  /// Notes that the reading is over and its value delivered.
  ///
  /// - Returns: When the next one is due.
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

  /// Ends a reading that could not be done; the next change, of whatever, makes it due.
  ///
  /// - Returns: Whether there was one already.
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

  /// Looks at a commit.
  ///
  /// - Parameter changes: What it changed.
  /// - Returns: Whether a reading has become due because of it.
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
