import Synchronization

/// Tells when values that were read from a region must be read again.
///
/// It goes round: a change in the region makes a reading due; commits that come while it goes on
/// are kept, because the reading may not have seen them, and are compared with the region the
/// reading found when it is over. So none is lost, even if each reading finds another region, and
/// many commits between two readings cause one.
package final class RegionWatch: ChangeFollower {
  private enum Phase {
    /// Nothing has changed since the last reading.
    case idle
    /// A reading is to come; it will see all that is committed before it begins.
    case due
    /// A reading goes on, and these commits may have come too late for it.
    case reading(TransactionChanges)
  }

  private struct State {
    var region = DatabaseRegion()
    var phase = Phase.due

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
  private let feed: ChangeFeed
  private let onChange: @Sendable () -> Void

  /// Creates a watch whose first reading is due.
  ///
  /// - Parameters:
  ///   - feed: Where it will follow.
  ///   - onChange: Called when a reading has become due, on the thread that committed.
  package init(on feed: ChangeFeed, onChange: @escaping @Sendable () -> Void) {
    self.feed = feed
    self.onChange = onChange
  }

  /// Notes that a reading begins; called before it has its snapshot.
  package func beginReading() {
    state.withLock { $0.phase = .reading(TransactionChanges()) }
  }

  /// Notes that the reading is over.
  ///
  /// - Parameter region: What was read, the same as before when `nil`.
  /// - Returns: Whether the next reading is due at once.
  package func endReading(_ region: DatabaseRegion?) -> Bool {
    if region?.namesRows == true { feed.nameRows() }
    return state.withLock { state in
      if let region, region != state.region {
        state.region = region
        state.lastStatement = nil
      }
      guard case .reading(let late) = state.phase, late.touch(state.region) else {
        state.phase = .idle
        return false
      }
      state.phase = .due
      return true
    }
  }

  package func didCommit(_ changes: TransactionChanges, _ db: Database?) {
    let isDue = state.withLock { state in
      switch state.phase {
      case .due:
        return false
      case .reading(var late):
        late.insert(contentsOf: changes)
        state.phase = .reading(late)
        return false
      case .idle:
        guard state.isTouched(by: changes) else { return false }
        state.phase = .due
        return true
      }
    }
    if isDue { onChange() }
  }
}
