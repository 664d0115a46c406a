import Dispatch
import HoldfastSQLite

extension Configuration {
  /// Creates the queue on which the awaited accesses of a connection run.
  func makeQueue(for purpose: ConnectionPool.Purpose, number: Int) -> DispatchQueue {
    let target = purpose == .read || readonly ? targetQueue : writeTargetQueue ?? targetQueue
    let role = purpose == .read ? "reader.\(number)" : "writer"
    // A quality of service next to a target would override the target's own.
    return DispatchQueue(
      label: "\(label ?? "holdfast").\(role)", qos: target == nil ? queueQoS : .unspecified,
      target: target)
  }

  private var queueQoS: DispatchQoS {
    #if os(Linux)
      // Threads have none here. A queue that requests one gets threads separate from those of other
      // queues, so that each hop between them, as for values of observations, wakes another thread.
      qos == Configuration().qos ? .unspecified : qos
    #else
      qos
    #endif
  }
}
