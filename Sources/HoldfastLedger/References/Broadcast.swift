import Foundation
import Synchronization

/// The readers of a value's changes; each gets the latest value that it has not read.
final class Broadcast<Value: Sendable>: Sendable {
  private struct State {
    var latest: Value?
    var continuations: [UUID: AsyncStream<Value>.Continuation] = [:]
  }

  private let state = Mutex(State())

  init() {}

  deinit {
    for continuation in state.withLock({ $0.continuations }).values { continuation.finish() }
  }

  func send(_ value: Value) {
    state.withLock { state in
      state.latest = value
      for continuation in state.continuations.values { continuation.yield(value) }
    }
  }

  /// Returns a sequence that begins with the latest value.
  func values() -> AsyncStream<Value> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let key = UUID()
      // Before the continuation is known, because it may be ended at once.
      continuation.onTermination = { [weak self] _ in
        // Removed after the lock, because releasing a continuation ends it.
        _ = self?.state.withLock { $0.continuations.removeValue(forKey: key) }
      }
      state.withLock { state in
        state.continuations[key] = continuation
        if let latest = state.latest { continuation.yield(latest) }
      }
    }
  }
}
