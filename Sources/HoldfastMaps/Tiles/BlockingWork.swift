import Dispatch
import HoldfastFiles

/// Work that blocks its thread, off the threads of Swift's tasks.
enum BlockingWork {
  static func run<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    // Values of the task are not seen on other threads.
    let fault = SystemCalls.fault
    return try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global(qos: .userInitiated).async {
        continuation.resume(
          with: Result { try SystemCalls.$fault.withValue(fault) { try body() } })
      }
    }
  }
}
