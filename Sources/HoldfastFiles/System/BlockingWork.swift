package import Dispatch
import Synchronization

/// The threads on which awaited functions do work that blocks: Swift's cooperative ones must not.
package struct BlockingWork: Sendable {
  /// Work for which a person waits.
  package static let userInitiated = BlockingWork(on: .global(qos: .userInitiated))

  /// Work that takes long and for which nothing waits.
  package static let utility = BlockingWork(on: .global(qos: .utility))

  private let queue: DispatchQueue

  /// Work on a queue of the caller's own.
  package init(on queue: DispatchQueue) {
    self.queue = queue
  }

  /// Runs a closure on one of the threads, while the task is suspended.
  package func run<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    // A task-local value does not reach a queue.
    let fault = SystemCalls.fault
    return try await withCheckedThrowingContinuation { continuation in
      queue.async {
        continuation.resume(
          with: Result { try SystemCalls.$fault.withValue(fault, operation: body) })
      }
    }
  }

  /// Runs a closure that can ask whether the task was cancelled.
  package func run<Value: Sendable>(
    _ body: @escaping @Sendable (_ isCancelled: @escaping () -> Bool) throws -> Value
  ) async throws -> Value {
    let cancellation = Cancellation()
    return try await withTaskCancellationHandler {
      try await run { try body { cancellation.isCancelled.load(ordering: .relaxed) } }
    } onCancel: {
      cancellation.isCancelled.store(true, ordering: .relaxed)
    }
  }

  private final class Cancellation: Sendable {
    let isCancelled = Atomic(false)
  }
}
