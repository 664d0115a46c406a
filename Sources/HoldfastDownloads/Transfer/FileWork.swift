import Dispatch
import HoldfastFiles
import Synchronization

/// The threads on which files are used: they may block, which Swift's cooperative ones must not.
struct FileWork: Sendable {
  private let queue = DispatchQueue(label: "holdfast.downloads.files", attributes: .concurrent)
  // A task-local value does not reach a queue.
  private let fault = SystemCalls.fault

  func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await BlockingWork(on: queue).run { try withFault(body) }
  }

  /// Runs the closure with the fault that was planted where this value was made.
  func withFault<Value>(_ body: () throws -> Value) rethrows -> Value {
    try SystemCalls.$fault.withValue(fault, operation: body)
  }
}

/// A value with one owner that is passed through closures.
final class Handover<Value: ~Copyable & Sendable>: Sendable {
  private let value: Mutex<Value?>

  init(_ value: consuming sending Value) {
    self.value = Mutex(value)
  }

  /// Returns the value, once.
  func take() -> Value? {
    value.withLock { $0.take() }
  }
}
