import HoldfastSQLite
import Synchronization

/// Work in a lease, for which the system grants time that may expire early.
final class ExpiringWork<Value: Sendable>: Sendable {
  private enum State {
    case waiting, running, expired, ended
  }

  private let database: any DatabaseWriter
  private let work: @Sendable () throws -> Value
  private let finish: @Sendable (Result<Value, any Error>) -> Void
  private let state = Mutex(State.waiting)

  /// Creates the work without starting it.
  ///
  /// - Parameters:
  ///   - database: The database that the work uses; it must be suspendable.
  ///   - work: The work.
  ///   - finish: Called once, with the result.
  init(
    on database: any DatabaseWriter, _ work: @escaping @Sendable () throws -> Value,
    finish: @escaping @Sendable (Result<Value, any Error>) -> Void
  ) {
    self.database = database
    self.work = work
    self.finish = finish
  }

  /// Runs or expires the work, as the system requests.
  ///
  /// - Parameter isExpiring: `false` when there is time for the work; `true` when the time is
  ///   nearly over or none is granted. The latter may be passed on another thread while the work
  ///   runs.
  func callAsFunction(isExpiring: Bool) {
    if isExpiring { expire() } else { run() }
  }

  private func run() {
    let isFirst = state.withLock { state in
      guard state == .waiting else { return false }
      state = .running
      return true
    }
    guard isFirst else { return }
    let result = Result {
      try database.withBackgroundLease {
        // A suspension ends the existing leases; this one may have begun after it.
        guard state.withLock({ $0 == .running }) else { throw suspended }
        return try work()
      }
    }
    state.withLock { $0 = .ended }
    finish(result)
  }

  private func expire() {
    let before = state.withLock { state in
      defer { if state != .ended { state = .expired } }
      return state
    }
    guard before != .ended else { return }
    // Ends the accesses of the work, whose errors end the work.
    database.suspend()
    if before == .waiting { finish(.failure(suspended)) }
  }

  private var suspended: DatabaseError { .suspended(path: database.path ?? "") }
}
