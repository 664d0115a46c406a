import Synchronization

#if SQLCipher
  internal import CSQLCipher
#else
  internal import CSQLite
#endif

/// The broker that is notifying observers of changes, on each thread.
///
/// `stopObservingDatabaseChangesUntilNextTransaction()` has no parameter that would identify it.
struct CurrentBroker: ~Copyable {
  // Sendable because a broker is read only by the thread that stored it, under its number.
  private struct Entry: @unchecked Sendable {
    let broker: ChangeBroker
  }

  private let brokers = Mutex<[UInt: Entry]>([:])

  /// The broker that is notifying observers on the current thread.
  var current: ChangeBroker? {
    brokers.withLock { $0[UInt(holdfast_current_thread())]?.broker }
  }

  func enter(_ broker: ChangeBroker) {
    let entry = Entry(broker: broker)
    brokers.withLock { $0[UInt(holdfast_current_thread())] = entry }
  }

  func leave() {
    _ = brokers.withLock { $0.removeValue(forKey: UInt(holdfast_current_thread())) }
  }
}
