import Dispatch
import Synchronization

/// A value that is read concurrently with later writes.
///
/// ``DatabaseWriter/concurrentRead(_:)`` returns one.
public final class DatabaseFuture<Value: Sendable>: Sendable {
  private enum State {
    case pending([CheckedContinuation<Result<Value, any Error>, Never>])
    case done(Result<Value, any Error>)
  }

  private let state = Mutex(State.pending([]))
  private let isDone = DispatchGroup()

  init() {
    isDone.enter()
  }

  /// Stores the result and resumes everything that waits for it; called once.
  func resolve(_ result: Result<Value, any Error>) {
    let waiting = state.withLock { state in
      defer { state = .done(result) }
      if case .pending(let waiting) = state { return waiting }
      return []
    }
    isDone.leave()
    for continuation in waiting { continuation.resume(returning: result) }
  }

  /// Blocks the caller's thread until the value is available.
  ///
  /// - Returns: The return value of the reading closure.
  /// - Throws: `DatabaseError` when there was no connection; whatever the closure threw.
  @available(
    *, noasync,
    message:
      "Write `try await value`, which blocks no thread; at the top level of main.swift, in a function."
  )
  public func wait() throws -> Value {
    isDone.wait()
    guard case .done(let result) = state.withLock({ $0 }) else {
      preconditionFailure("The group is left after the result was stored.")
    }
    return try result.get()
  }

  /// The return value of the reading closure; the task is suspended until it is available.
  ///
  /// - Throws: `DatabaseError` when there was no connection; whatever the closure threw.
  public var value: Value {
    get async throws {
      try await withCheckedContinuation { continuation in
        let result: Result<Value, any Error>? = state.withLock { state in
          switch state {
          case .done(let result): return result
          case .pending(let waiting):
            state = .pending(waiting + [continuation])
            return nil
          }
        }
        if let result { continuation.resume(returning: result) }
      }.get()
    }
  }
}
