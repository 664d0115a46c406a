import Synchronization

/// A value behind a lock that Thread Sanitizer understands.
///
/// A `Mutex` that is contended is handed over inside of Swift's library and the kernel (Swift 6.3
/// on Linux), where the sanitizer does not look: it then takes every use of the value for a race.
/// The atomic beside the lock says the same in a way that it sees, at the cost of a load and a
/// store.
package struct Guarded<Value>: ~Copyable, Sendable {
  private let mutex: Mutex<Value>
  private let handedOver = Atomic(false)

  package init(_ value: consuming sending Value) {
    mutex = Mutex(value)
  }

  /// Calls the closure while nobody else uses the value.
  package borrowing func withLock<Result, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    try mutex.withLock { value throws(Failure) in
      _ = handedOver.load(ordering: .acquiring)
      defer { handedOver.store(true, ordering: .releasing) }
      return try body(&value)
    }
  }
}
