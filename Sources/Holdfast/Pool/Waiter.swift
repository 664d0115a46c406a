import Dispatch
import Synchronization

/// A thread or a task that waits for one outcome.
final class Waiter<Outcome: Sendable>: Sendable, Equatable {
  private let resume: @Sendable (Outcome) -> Void

  /// Creates a waiter.
  ///
  /// - Parameter resume: Is called once, with the outcome, on the thread that ends the waiting.
  init(resume: @escaping @Sendable (Outcome) -> Void) {
    self.resume = resume
  }

  /// Ends the waiting; called once.
  func end(_ outcome: Outcome) {
    resume(outcome)
  }

  static func == (lhs: Waiter, rhs: Waiter) -> Bool { lhs === rhs }

  /// Blocks the calling thread until the waiting ends.
  ///
  /// - Parameter enqueue: Puts the waiter into a queue, or ends it at once.
  /// - Returns: The outcome.
  static func wait(_ enqueue: (Waiter) -> Void) -> Outcome {
    let thread = BlockedThread<Outcome>()
    enqueue(Waiter(resume: thread.unblock))
    return thread.wait()
  }

  /// Suspends the task until the waiting ends.
  ///
  /// - Parameters:
  ///   - enqueue: Puts the waiter into a queue, or ends it at once.
  ///   - leave: Is called when the task is cancelled; ends the waiter if it is still in the queue.
  /// - Returns: The outcome.
  static func wait(
    _ enqueue: @Sendable (Waiter) -> Void, onCancel leave: @Sendable (Waiter) -> Void
  ) async -> Outcome {
    let enqueued = Mutex<Waiter?>(nil)
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let waiter = Waiter { continuation.resume(returning: $0) }
        enqueued.withLock { $0 = waiter }
        enqueue(waiter)
        // The cancellation may have come before there was a waiter to take out of the queue.
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
