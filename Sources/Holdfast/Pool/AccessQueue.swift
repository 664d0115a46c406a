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

/// The executor of a connection's awaited accesses, on a queue of threads that SQLite may block.
///
/// The closure of an access runs in the task that awaits it, so that it sees the task's local values and
/// its cancellation.
actor AccessExecutor {
  /// The jobs of the actor as items of the queue.
  private final class Jobs: SerialExecutor {
    let queue: DispatchQueue

    init(_ queue: DispatchQueue) { self.queue = queue }

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
  }

  private let jobs: Jobs

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe jobs.asUnownedSerialExecutor() }

  init(queue: DispatchQueue) { jobs = Jobs(queue) }

  /// Runs the closure on the queue.
  func run<Value>(_ body: UncheckedTransfer<() -> Value>) -> UncheckedTransfer<Value> {
    UncheckedTransfer(body.take()())
  }
}
