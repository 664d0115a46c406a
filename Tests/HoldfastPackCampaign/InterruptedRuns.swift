import Foundation
import Synchronization

/// The runs of a process that is ended at each of its system calls, or at some of them.
struct InterruptedRuns {
  /// One run, and what was found afterwards.
  struct Run {
    /// The number of calls that the process made.
    var calls: Int64
    /// Whether it was ended before its work was complete.
    var wasEnded: Bool
    /// The number of states that were examined.
    var states = 1
    /// What is wrong in one of them; `nil` when all are sound.
    var problem: String?
  }

  /// The number of examined states of runs that were ended.
  private(set) var stateCount = 0

  /// The number of runs after which something was wrong.
  private(set) var violationCount = 0

  private var next: Int64 = 1
  private var completions = 0
  private var enough: Int
  private var failure: (any Error)?

  /// Runs the process once to its end, and then until a run came to its end before the call to be
  /// ended at; if each call counts, several in a row: their number is not the same each time.
  ///
  /// - Parameters:
  ///   - name: The name of the work, for the lines about problems on the standard error.
  ///   - count: The number of calls to end it at, evenly distributed; `nil` for each one.
  ///   - run: Runs the process with a number of its own, and ends it at a call.
  /// - Throws: The first error of `run`.
  init(
    _ name: String, count: Int?,
    run: @escaping @Sendable (_ number: Int64, _ call: Int64) throws -> Run
  ) throws {
    enough = count == nil ? 3 : 1
    let whole = try run(0, .max)
    if let problem = whole.problem {
      Self.report("\(name), completed: \(problem)")
      violationCount += 1
    }
    let step = count.map { max(1, whole.calls / Int64($0)) } ?? 1
    let runs = Mutex(self)
    DispatchQueue.concurrentPerform(iterations: 2) { _ in
      while let number = runs.withLock({ $0.takeNumber(step: step) }) {
        let result = Result { try run(number, number) }
        runs.withLock { $0.add(result, number, name) }
      }
    }
    self = runs.withLock { $0 }
    if let failure { throw failure }
  }

  private mutating func takeNumber(step: Int64) -> Int64? {
    guard completions < enough, failure == nil else { return nil }
    defer { next += step }
    return next
  }

  private mutating func add(_ result: Result<Run, any Error>, _ number: Int64, _ name: String) {
    switch result {
    case .success(let run):
      stateCount += run.wasEnded ? run.states : 0
      completions = run.wasEnded ? 0 : completions + 1
      guard let problem = run.problem else { return }
      violationCount += 1
      Self.report("\(name), call \(number): \(problem)")
    case .failure(let error): failure = error
    }
  }

  private static func report(_ problem: String) {
    FileHandle.standardError.write(Data("\(problem)\n".utf8))
  }
}
