import Dispatch
import Synchronization

/// One who stands in line for a slot: a parked thread or a suspended task.
final class Waiter: Sendable, Equatable {
  /// How the waiting ended.
  enum Outcome: Sendable {
    case granted(slot: Int)
    case refused
    case suspended
    case cancelled
  }

  private let resume: @Sendable (Outcome) -> Void

  init(resume: @escaping @Sendable (Outcome) -> Void) {
    self.resume = resume
  }

  /// Ends the waiting; called once.
  func end(_ outcome: Outcome) {
    resume(outcome)
  }

  static func == (lhs: Waiter, rhs: Waiter) -> Bool { lhs === rhs }
}

/// Holds a blocking caller's thread until its outcome is there.
final class ParkedThread: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)
  private let outcome = Mutex<Waiter.Outcome?>(nil)

  func wake(_ outcome: Waiter.Outcome) {
    self.outcome.withLock { $0 = outcome }
    semaphore.signal()
  }

  func wait() -> Waiter.Outcome {
    while true {
      semaphore.wait()
      if let outcome = outcome.withLock({ $0 }) { return outcome }
    }
  }
}
