internal import CSQLite
import Synchronization

/// Says on each thread which broker tells of changes there.
///
/// `stopObservingDatabaseChangesUntilNextTransaction()` has no parameter that would say it.
struct CurrentBroker: ~Copyable {
  // Sendable because the broker is taken out by the thread only under whose number it was put in.
  private struct Entry: @unchecked Sendable {
    let broker: ChangeBroker
  }

  private let brokers = Mutex<[UInt: Entry]>([:])

  /// The broker that tells of changes on this thread.
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
