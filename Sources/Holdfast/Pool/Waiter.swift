import Dispatch
import Synchronization

/// A thread or a task that waits for an outcome.
final class Waiter<Outcome: Sendable>: Sendable, Equatable {
  private let resume: @Sendable (Outcome) -> Void

  /// Creates a waiter.
  ///
  /// - Parameter resume: Called once, with the outcome, on the thread that ends the wait.
  init(resume: @escaping @Sendable (Outcome) -> Void) {
    self.resume = resume
  }

  /// Ends the wait; called once.
  func end(_ outcome: Outcome) {
    resume(outcome)
  }

  static func == (lhs: Waiter, rhs: Waiter) -> Bool { lhs === rhs }

  /// Blocks the calling thread until the wait ends.
  ///
  /// - Parameter enqueue: Adds the waiter to a queue, or ends its wait immediately.
  /// - Returns: The outcome that ``end(_:)`` was given.
  static func wait(_ enqueue: (Waiter) -> Void) -> Outcome {
    let thread = BlockedThread<Outcome>()
    enqueue(Waiter(resume: thread.unblock))
    return thread.wait()
  }

  /// Suspends the task until the wait ends.
  ///
  /// - Parameters:
  ///   - enqueue: Adds the waiter to a queue, or ends its wait immediately.
  ///   - leave: Called when the task is cancelled; ends the wait if the waiter is still queued.
  /// - Returns: The outcome that ``end(_:)`` was given.
  static func wait(
    _ enqueue: @Sendable (Waiter) -> Void, onCancel leave: @Sendable (Waiter) -> Void
  ) async -> Outcome {
    let enqueued = Mutex<Waiter?>(nil)
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let waiter = Waiter { continuation.resume(returning: $0) }
        enqueued.withLock { $0 = waiter }
        enqueue(waiter)
        // The task may have been cancelled before there was a waiter to remove from the queue.
        if Task.isCancelled { leave(waiter) }
      }
    } onCancel: {
      if let waiter = enqueued.withLock({ $0 }) { leave(waiter) }
    }
  }
}

/// A thread that is blocked until there is an outcome.
private final class BlockedThread<Outcome: Sendable>: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)
  private let outcome = Mutex<Outcome?>(nil)

  func unblock(_ outcome: Outcome) {
    self.outcome.withLock { $0 = outcome }
    semaphore.signal()
  }

  func wait() -> Outcome {
    while true {
      semaphore.wait()
      if let outcome = outcome.withLock({ $0 }) { return outcome }
    }
  }
}
