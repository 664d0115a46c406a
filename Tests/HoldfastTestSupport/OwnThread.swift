import Foundation
import Synchronization

/// A closure that runs on its own thread, so that it neither blocks tasks nor is blocked by them.
public final class OwnThread<Value: Sendable>: Sendable {
  private let result = Mutex<Result<Value, any Error>?>(nil)
  private let isDone = Gate()

  /// Starts the thread.
  ///
  /// - Parameter body: The closure.
  public init(_ body: @escaping @Sendable () throws -> Value) {
    Thread.detachNewThread {
      let result = Result { try body() }
      self.result.withLock { $0 = result }
      self.isDone.open()
    }
  }

  /// The result of the closure, once it is done.
  public var value: Value {
    get async throws {
      await withCheckedContinuation { continuation in
        Thread.detachNewThread {
          self.isDone.wait()
          continuation.resume()
        }
      }
      return try blockingValue()
    }
  }

  /// Blocks the calling thread until the closure is done.
  ///
  /// - Returns: What the closure returned.
  /// - Throws: What the closure threw.
  public func blockingValue() throws -> Value {
    isDone.wait()
    guard let result = result.withLock({ $0 }) else {
      fatalError("The thread is done and left no result.")
    }
    return try result.get()
  }
}

/// Runs a blocking closure on its own thread.
///
/// - Parameter body: The closure.
/// - Returns: What `body` returns.
/// - Throws: What `body` throws.
public func onOwnThread<Value: Sendable>(
  _ body: @escaping @Sendable () throws -> Value
) async throws -> Value {
  try await OwnThread(body).value
}

/// Suspends the task until the condition holds; ends the process after a minute.
///
/// - Parameters:
///   - file: The file of the call, for the message at the end of the process.
///   - line: The line of the call.
///   - condition: Evaluated repeatedly, while other tasks run in between.
public func until(
  file: StaticString = #fileID, line: UInt = #line, _ condition: @Sendable () -> Bool
) async {
  let start = ContinuousClock.now
  while !condition() {
    guard ContinuousClock.now - start < .seconds(60) else {
      fatalError("What was waited for did not happen within a minute.", file: file, line: line)
    }
    await Task.yield()
  }
}
