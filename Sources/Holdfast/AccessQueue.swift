import Dispatch
import HoldfastSQLite

extension Configuration {
  /// Makes the queue on which the awaited accesses of a connection run.
  func makeQueue(for purpose: ConnectionPool.Purpose, number: Int) -> DispatchQueue {
    let target = purpose == .read || readonly ? targetQueue : writeTargetQueue ?? targetQueue
    let role = purpose == .read ? "reader.\(number)" : "writer"
    // A quality of service beside a target would override the target's own.
    return DispatchQueue(
      label: "\(label ?? "holdfast").\(role)", qos: target == nil ? qos : .unspecified,
      target: target)
  }
}
