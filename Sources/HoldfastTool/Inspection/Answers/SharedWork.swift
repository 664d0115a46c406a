import Foundation
import Synchronization

/// Work that is done once for all who ask for it while it is done.
///
/// Several pages, and a page that is loaded again, ask for the same; what takes long and reads much is not done for
/// each of them.
final class SharedWork<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  // Sendable because every access is under its condition.
  private final class Run: @unchecked Sendable {
    private let condition = NSCondition()
    private var result: Result<Value, any Error>?

    func finish(_ result: Result<Value, any Error>) {
      condition.lock()
      self.result = result
      condition.broadcast()
      condition.unlock()
    }

    func wait() throws -> Value {
      condition.lock()
      defer { condition.unlock() }
      while true {
        if let result { return try result.get() }
        condition.wait()
      }
    }
  }

  private let runs = Mutex<[Key: Run]>([:])
  private let mostRuns: Int?

  /// Prepares to share work.
  ///
  /// - Parameter mostRuns: How much is done at a time; what is asked for beyond that is refused. `nil` for no limit.
  init(atMost mostRuns: Int? = nil) { self.mostRuns = mostRuns }

  /// Does some work, or waits for the same that is done already.
  ///
  /// - Parameters:
  ///   - key: What is asked for.
  ///   - work: Does it, on the thread of the first who asks.
  /// - Returns: What it returns.
  /// - Throws: ``InspectionError`` when too much is done already; whatever the work throws, to all who wait for it.
  func value(of key: Key, _ work: () throws -> Value) throws -> Value {
    let (run, isFirst) = try runs.withLock { runs in
      if let run = runs[key] { return (run, false) }
      if let mostRuns, runs.count >= mostRuns { throw InspectionError.tooMuch() }
      let run = Run()
      runs[key] = run
      return (run, true)
    }
    guard isFirst else { return try run.wait() }
    let result = Result { try work() }
    runs.withLock { $0[key] = nil }
    run.finish(result)
    return try result.get()
  }
}
