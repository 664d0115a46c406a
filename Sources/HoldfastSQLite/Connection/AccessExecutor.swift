package import Dispatch

/// The executor of a connection's awaited accesses, on a queue of threads that SQLite may block.
///
/// The closure of an access runs in the task that awaits it, so that it sees the task's local values and
/// its cancellation.
package actor AccessExecutor: SerialExecutor {
  private let queue: DispatchQueue

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe asUnownedSerialExecutor()
  }

  package init(queue: DispatchQueue) { self.queue = queue }

  /// Runs the closure on the queue.
  package func run<Value>(_ body: UncheckedTransfer<() -> Value>) -> UncheckedTransfer<Value> {
    UncheckedTransfer(body.take()())
  }

  package nonisolated func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
