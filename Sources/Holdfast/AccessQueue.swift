import Dispatch
import HoldfastSQLite

extension Configuration {
  /// Makes the queue on which the awaited accesses of a connection run.
  func makeQueue(for purpose: ConnectionPool.Purpose, number: Int) -> DispatchQueue {
    let target = target(for: purpose)
    let role = purpose == .read ? "reader.\(number)" : "writer"
    // A quality of service beside a target would override the target's own.
    return DispatchQueue(
      label: "\(label ?? "holdfast").\(role)", qos: target == nil ? queueQoS : .unspecified,
      target: target)
  }

  /// Whether nothing was said of the threads on which awaited accesses run.
  func leavesThreadsOpen(for purpose: ConnectionPool.Purpose) -> Bool {
    target(for: purpose) == nil && qos == Configuration().qos
  }

  private func target(for purpose: ConnectionPool.Purpose) -> DispatchQueue? {
    purpose == .read || readonly ? targetQueue : writeTargetQueue ?? targetQueue
  }

  private var queueQoS: DispatchQoS {
    #if os(Linux)
      // Threads have none here. A queue that asks for one gets threads apart from those of other
      // queues, and whatever goes on there, as values of observations do, wakes another thread.
      qos == Configuration().qos ? .unspecified : qos
    #else
      qos
    #endif
  }
}
