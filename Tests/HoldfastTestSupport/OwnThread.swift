import Foundation

/// Runs a blocking closure on a thread of its own, so that it holds no other task up.
///
/// - Parameter body: What runs there.
/// - Returns: What `body` returns.
/// - Throws: What `body` throws.
public func onOwnThread<Value: Sendable>(
  _ body: @escaping @Sendable () throws -> Value
) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread {
      continuation.resume(with: Result { try body() })
    }
  }
}

/// Suspends the task until the condition holds; ends the process after a minute.
///
/// - Parameter condition: Looked at again and again, with other tasks running in between.
public func until(_ condition: @Sendable () -> Bool) async {
  let start = ContinuousClock.now
  while !condition() {
    guard ContinuousClock.now - start < .seconds(60) else {
      fatalError("What was waited for did not happen within a minute.")
    }
    await Task.yield()
  }
}
