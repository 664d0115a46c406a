import Dispatch
import HoldfastSQLite
import Synchronization

/// The cancellation of one access: interrupts that access, and never the one after it.
final class Cancellation: Sendable {
  private enum State {
    case notStarted
    case running(Database.Interruption)
    /// Cancelled, and running until it notices.
    case interrupted(Database.Interruption)
    case cancelled
    case ended
  }

  private let state = Mutex(State.notStarted)

  /// Interrupts the access if it is running, and prevents it if it has not started.
  func cancel() {
    let isInterrupted = state.withLock { state in
      switch state {
      case .running(let interruption):
        interruption()
        state = .interrupted(interruption)
        return true
      case .notStarted:
        state = .cancelled
        return false
      case .interrupted, .cancelled, .ended:
        return false
      }
    }
    if isInterrupted { interruptAgain() }
  }

  /// Interrupts again and again until the access ends: SQLite forgets an interruption that arrives right before the
  /// first step of a statement.
  ///
  /// - SeeAlso: <https://www.sqlite.org/c3ref/interrupt.html>
  private func interruptAgain() {
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(10)) { [self] in
      let isRunning = state.withLock { state in
        guard case .interrupted(let interruption) = state else { return false }
        interruption()
        return true
      }
      if isRunning { interruptAgain() }
    }
  }

  /// Runs the access, and throws `CancellationError` in place of the error of the interruption.
  fileprivate func interrupting<Value>(
    _ database: Database, _ body: () throws -> Value
  ) throws -> Value {
    let interruption = database.interruption
    try state.withLock { state in
      if case .cancelled = state { throw CancellationError() }
      state = .running(interruption)
    }
    let result = Result { try body() }
    let wasCancelled = state.withLock { state in
      defer { state = .ended }
      if case .interrupted = state { return true }
      return false
    }
    interruption.reset()
    switch result {
    case .success(let value):
      // What was committed before the cancellation arrived stays committed, and is reported.
      return value
    case .failure(let error):
      throw wasCancelled && error is DatabaseError ? CancellationError() : error
    }
  }
}

extension Cancellation? {
  /// Runs the access, which the cancellation interrupts if there is one.
  ///
  /// - Throws: `CancellationError` if it was interrupted; else whatever `body` throws.
  func interrupting<Value>(_ database: Database, _ body: () throws -> Value) throws -> Value {
    guard let cancellation = self else { return try body() }
    return try cancellation.interrupting(database, body)
  }
}
