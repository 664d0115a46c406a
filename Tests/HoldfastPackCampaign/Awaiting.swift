import Dispatch
import Synchronization

/// Runs asynchronous work, blocking until it ends.
func awaiting<Value: Sendable>(
  _ work: @escaping @Sendable () async throws -> Value
) throws -> Value {
  let isDone = DispatchSemaphore(value: 0)
  let result = Mutex<Result<Value, any Error>?>(nil)
  Task.detached {
    let outcome: Result<Value, any Error>
    do { outcome = .success(try await work()) } catch { outcome = .failure(error) }
    result.withLock { $0 = outcome }
    isDone.signal()
  }
  isDone.wait()
  guard let result = result.withLock({ $0 }) else { throw CancellationError() }
  return try result.get()
}
