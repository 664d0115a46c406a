import Dispatch
import Foundation
import Synchronization

/// Lends the threads on which Swift's tasks run to awaited accesses.
///
/// On a queue of its own an access costs two wake-ups of a thread: one for itself, and one for the
/// task that goes on. On Linux that is 20 microseconds, and most accesses take less. There Dispatch
/// gives its global queues and Swift's tasks the same threads: an access on such a queue runs on the
/// thread that the awaiting task has just given up, and the task goes on there.
///
/// An access may block its thread. So at most half as many are lent as there are processors; the
/// tasks keep the others, and the accesses that come meanwhile run on their connection's queue.
struct TaskThreads: ~Copyable {
  static let shared = TaskThreads(limit: ProcessInfo.processInfo.activeProcessorCount / 2)

  private let limit: Int
  private let lentCount = Atomic(0)

  init(limit: Int) {
    self.limit = limit
  }

  /// Returns where to run one access, `nil` when no thread can be spared.
  func borrow() -> DispatchQueue? {
    guard lentCount.wrappingAdd(1, ordering: .relaxed).newValue <= limit else {
      giveBack()
      return nil
    }
    return .global(qos: qualityOfService(of: Task.currentPriority))
  }

  /// Called when the access is over.
  func giveBack() {
    lentCount.wrappingSubtract(1, ordering: .relaxed)
  }

  private func qualityOfService(of priority: TaskPriority) -> DispatchQoS.QoSClass {
    switch priority {
    case .high: .userInitiated
    case .low: .utility
    case .background: .background
    default: .default
    }
  }
}
