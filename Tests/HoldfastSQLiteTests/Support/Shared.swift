import Synchronization

/// A mutable value that several owners share.
final class Shared<Value: Sendable>: Sendable {
  private let state: Mutex<Value>

  init(_ value: Value) {
    state = Mutex(value)
  }

  var value: Value { state.withLock { $0 } }

  func change(_ body: (inout Value) -> Void) {
    state.withLock { body(&$0) }
  }
}
