import Synchronization

#if SQLCipher
  internal import CSQLCipher
#else
  internal import CSQLite
#endif

/// The thread that holds a connection, so that use by any other thread is detected.
package final class AccessToken: Sendable {
  // Relaxed ordering suffices: a thread compares only with its own number, which only it can have
  // written.
  private let holder = Atomic<UInt>(0)

  package init() {}

  package var isHeldByCurrentThread: Bool {
    holder.load(ordering: .relaxed) == UInt(holdfast_current_thread())
  }

  func hold() {
    holder.store(UInt(holdfast_current_thread()), ordering: .relaxed)
  }

  func release() {
    holder.store(0, ordering: .relaxed)
  }
}
