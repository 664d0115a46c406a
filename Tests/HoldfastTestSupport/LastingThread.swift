import Foundation
import Synchronization

/// A thread that never ends, for work that leaves a run loop behind, such as starting a `Process`.
///
/// A run loop allocates memory again when its thread ends, after Thread Sanitizer has finished with
/// the thread: a run under the sanitizer would crash there.
public enum LastingThread {
  private static let work = Mutex<[@Sendable () -> Void]>([])
  private static let arrivals = DispatchSemaphore(value: 0)

  private static let isRunning: Bool = {
    Thread.detachNewThread {
      while true {
        arrivals.wait()
        let next = work.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        next?()
      }
    }
    return true
  }()

  /// Runs the closure on the thread and blocks the calling thread until it ends.
  ///
  /// - Parameter body: The work.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws.
  public static func run<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) throws -> Value {
    precondition(isRunning)
    let outcome = Outcome<Value>()
    let isDone = Gate()
    work.withLock { work in
      work.append {
        outcome.set(Result { try body() })
        isDone.open()
      }
    }
    arrivals.signal()
    isDone.wait()
    return try outcome.value
  }

  private final class Outcome<Value: Sendable>: Sendable {
    private let result = Mutex<Result<Value, any Error>?>(nil)

    func set(_ value: Result<Value, any Error>) {
      result.withLock { $0 = value }
    }

    var value: Value {
      get throws {
        guard let result = result.withLock({ $0 }) else {
          fatalError("The work is done and left no result.")
        }
        return try result.get()
      }
    }
  }
}
