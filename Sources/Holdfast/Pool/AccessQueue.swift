import Dispatch
import HoldfastSQLite

extension Configuration {
  /// Makes the queue on which the awaited accesses of a connection run.
  func makeQueue(for purpose: ConnectionPool.Purpose, number: Int) -> DispatchQueue {
    let target = purpose == .read || readonly ? targetQueue : writeTargetQueue ?? targetQueue
    let role = purpose == .read ? "reader.\(number)" : "writer"
    // A quality of service beside a target would override the target's own.
    return DispatchQueue(
      label: "\(label ?? "holdfast").\(role)", qos: target == nil ? queueQoS : .unspecified,
      target: target)
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
