import HoldfastSQLite
import Synchronization

/// Ends the access of a cancelled task, and never the access that comes after it.
final class Cancellation: Sendable {
  private enum State {
    case notStarted
    case running(Database.Interruption)
    case cancelled
    case ended
  }

  private let state = Mutex(State.notStarted)

  /// Interrupts the access if it runs, and keeps it from running if it does not yet.
  func cancel() {
    state.withLock { state in
      switch state {
      case .running(let interruption):
        interruption()
        state = .cancelled
      case .notStarted:
        state = .cancelled
      case .cancelled, .ended:
        break
      }
    }
  }

  /// Runs the access; throws `CancellationError` in place of what the interruption caused.
  func interrupting<Value>(_ database: Database, _ body: () throws -> Value) throws -> Value {
    let interruption = database.interruption
    try state.withLock { state in
      if case .cancelled = state { throw CancellationError() }
      state = .running(interruption)
    }
    let result = Result { try body() }
    let wasCancelled = state.withLock { state in
      defer { state = .ended }
      if case .cancelled = state { return true }
      return false
    }
    interruption.reset()
    switch result {
    case .success(let value):
      // What was committed before the cancellation arrived stays committed, and is told.
      return value
    case .failure(let error):
      throw wasCancelled && error is DatabaseError ? CancellationError() : error
    }
  }
}
