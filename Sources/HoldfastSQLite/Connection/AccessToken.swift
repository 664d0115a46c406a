internal import CSQLite
import Synchronization

/// Says which thread a connection is lent to, so that use by any other is noticed.
package final class AccessToken: Sendable {
  // The order of memory does not matter: a thread looks only for its own number, and only it can
  // have written that.
  private let holder = Atomic<UInt>(0)

  package init() {}

  package var isHeldByCurrentThread: Bool {
    holder.load(ordering: .relaxed) == UInt(holdfast_current_thread())
  }

  func hold() {
    holder.store(UInt(holdfast_current_thread()), ordering: .relaxed)
  }

  func letGo() {
    holder.store(0, ordering: .relaxed)
  }
}
