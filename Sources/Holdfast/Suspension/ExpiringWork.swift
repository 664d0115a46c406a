import HoldfastSQLite
import Synchronization

/// One piece of work in a lease, for which the system gives time that may end too early.
final class ExpiringWork<Value: Sendable>: Sendable {
  private enum State {
    case waiting, running, expired, ended
  }

  private let database: any DatabaseWriter
  private let work: @Sendable () throws -> Value
  private let finish: @Sendable (Result<Value, any Error>) -> Void
  private let state = Mutex(State.waiting)

  /// Prepares the work.
  ///
  /// - Parameters:
  ///   - database: What the work uses; it can be suspended.
  ///   - work: What is done.
  ///   - finish: Called once, with what became of it.
  init(
    on database: any DatabaseWriter, _ work: @escaping @Sendable () throws -> Value,
    finish: @escaping @Sendable (Result<Value, any Error>) -> Void
  ) {
    self.database = database
    self.work = work
    self.finish = finish
  }

  /// Does as the system says.
  ///
  /// - Parameter isExpiring: False when there is time for the work, true when it is nearly over or
  ///   when there is none; the latter may come from another thread while the work goes on.
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
        // A suspension ends the leases that it finds; this one may have begun after it.
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
    // It ends the work's accesses; their errors end the work.
    database.suspend()
    if before == .waiting { finish(.failure(suspended)) }
  }

  private var suspended: DatabaseError { .suspended(path: database.path ?? "") }
}
