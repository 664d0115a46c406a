import Synchronization

#if SQLCipher
  internal import CSQLCipher
#else
  internal import CSQLite
#endif

/// The brokers that are notifying observers of changes, on each thread.
///
/// `stopObservingDatabaseChangesUntilNextTransaction()` has no parameter that would identify one. There are
/// several on a thread where an observer of one connection changes another one.
struct CurrentBrokers: ~Copyable {
  // Sendable because a broker is read only by the thread that stored it, under its number.
  private struct Entry: @unchecked Sendable {
    let thread: UInt
    let broker: ChangeBroker
  }

  private let entries = Mutex<[Entry]>([])

  /// The brokers that are notifying observers on the current thread, the latest first.
  var current: [ChangeBroker] {
    let thread = UInt(holdfast_current_thread())
    return entries.withLock { entries in
      entries.reversed().filter { $0.thread == thread }
    }.map(\.broker)
  }

  func enter(_ broker: ChangeBroker) {
    let entry = Entry(thread: UInt(holdfast_current_thread()), broker: broker)
    entries.withLock { entries in
      let isKnown = entries.contains { $0.broker === broker && $0.thread == entry.thread }
      if !isKnown { entries.append(entry) }
    }
  }

  func leave(_ broker: ChangeBroker) {
    let thread = UInt(holdfast_current_thread())
    entries.withLock { entries in
      let index = entries.lastIndex { $0.broker === broker && $0.thread == thread }
      if let index { entries.remove(at: index) }
    }
  }
}
