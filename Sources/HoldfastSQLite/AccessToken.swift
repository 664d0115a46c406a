internal import CSQLite
import Synchronization

/// Says which thread a connection is lent to, so that use by any other is noticed.
package final class AccessToken: Sendable {
  // The order of memory does not matter: a thread looks only for its own number, and only it can
  // have written that.
  private let holder = Atomic<UInt>(0)

  package init() {}

  package var isHeldByCurrentThread: Bool { isHeld(by: Self.currentThread) }

  /// The number of the thread that asks.
  package static var currentThread: UInt { UInt(holdfast_current_thread()) }

  /// Whether the connection is lent to the thread of that number.
  package func isHeld(by thread: UInt) -> Bool {
    holder.load(ordering: .relaxed) == thread
  }

  func hold() {
    holder.store(Self.currentThread, ordering: .relaxed)
  }

  func letGo() {
    holder.store(0, ordering: .relaxed)
  }
}
