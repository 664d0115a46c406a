import Foundation

/// Work on parts that is done on several threads, whose results are taken in the order of the parts.
///
/// One thread adds the parts and takes the results. It works itself while the next result is not ready, so that a
/// pipeline advances even where no thread can be created. The parts that wait are limited by their cost, and with it
/// the memory.
///
/// When a pipeline is released, no thread works on its parts any longer; a thread may end a moment later.
package final class OrderedPipeline<Input: Sendable, Output: Sendable> {
  /// Work that one thread does for one part after the other.
  package typealias Worker = (Input) -> Output

  private let shared: PipelineState<Input, Output>
  private let makeWorker: @Sendable () -> Worker
  private let mostThreads: Int
  private let mostCost: Int
  private var threadCount = 0
  private var costs: [Int] = []
  private var cost = 0
  private lazy var worker = makeWorker()

  /// Prepares to work; threads are created when there is work for them.
  ///
  /// - Parameters:
  ///   - threads: The number of threads besides the caller's.
  ///   - mostCost: The cost of the parts that are not taken yet, beyond which results are waited for.
  ///   - makeWorker: Called by each thread, for work that only this thread does.
  package init(
    threads: Int = usualThreadCount, mostCost: Int,
    makeWorker: @escaping @Sendable () -> Worker
  ) {
    (mostThreads, self.mostCost, self.makeWorker) = (threads, mostCost, makeWorker)
    shared = PipelineState()
  }

  deinit { shared.stop() }

  /// The number of threads besides the caller's, for work that only computes.
  package static var usualThreadCount: Int {
    min(ProcessInfo.processInfo.activeProcessorCount, 8) - 1
  }

  /// Adds a part, and takes the results that are ready.
  ///
  /// - Parameters:
  ///   - input: The part.
  ///   - cost: How much of the limit it takes, as its number of bytes.
  ///   - body: Called with each result, in the order of the parts.
  /// - Throws: Whatever `body` throws.
  package func add(_ input: Input, cost: Int, _ body: (Output) throws -> Void) rethrows {
    shared.add(input)
    costs.append(cost)
    self.cost += cost
    // The first part alone is done here.
    if costs.count > 1, threadCount < mostThreads { startThread() }
    while let output = shared.takeReady() { try take(output, body) }
    while self.cost > mostCost, costs.count > 1 { try take(next(), body) }
  }

  /// Takes the results of all parts that were added.
  ///
  /// - Parameter body: Called with each result, in the order of the parts.
  /// - Throws: Whatever `body` throws.
  package func finish(_ body: (Output) throws -> Void) rethrows {
    while !costs.isEmpty { try take(next(), body) }
  }

  private func take(_ output: Output, _ body: (Output) throws -> Void) rethrows {
    cost -= costs.removeFirst()
    try body(output)
  }

  private func next() -> Output {
    while true {
      switch shared.turn() {
      case .output(let output): return output
      case .input(let number, let input): shared.finish(number, worker(input))
      }
    }
  }

  private func startThread() {
    threadCount += 1
    let thread = Thread { [shared, makeWorker] in
      shared.begin()
      let worker = makeWorker()
      while let (number, input) = shared.nextInput() { shared.finish(number, worker(input)) }
      shared.end()
    }
    thread.name = "holdfast.pipeline"
    // As much as a main thread has: 512 KiB on Apple's systems are few for SQLite and deep JSON.
    thread.stackSize = 8 << 20
    thread.start()
  }
}

/// The state that the threads of a pipeline share.
///
/// Sendable because `condition` guards all variables.
private final class PipelineState<Input: Sendable, Output: Sendable>: @unchecked Sendable {
  /// The next step of the caller's thread.
  enum Turn {
    case output(Output)
    case input(Int, Input)
  }

  private let condition = NSCondition()
  /// The parts on which nothing works yet, in their order.
  private var waiting: [(number: Int, input: Input)] = []
  private var addedCount = 0
  private var takenCount = 0
  /// The results that are ready, by the numbers of their parts.
  private var outputs: [Int: Output] = [:]
  private var isStopped = false
  private var runningCount = 0

  func add(_ input: Input) {
    condition.withLock {
      waiting.append((addedCount, input))
      addedCount += 1
      condition.broadcast()
    }
  }

  func finish(_ number: Int, _ output: Output) {
    condition.withLock {
      outputs[number] = output
      condition.broadcast()
    }
  }

  /// Returns the next result if it is ready.
  func takeReady() -> Output? { condition.withLock { takeOutput() } }

  private func takeOutput() -> Output? {
    guard let output = outputs.removeValue(forKey: takenCount) else { return nil }
    takenCount += 1
    return output
  }

  /// Returns the next result, or a part to be worked on while the result is not ready.
  func turn() -> Turn {
    condition.withLock {
      while true {
        if let output = takeOutput() { return .output(output) }
        if let (number, input) = takeInput() { return .input(number, input) }
        condition.wait()
      }
    }
  }

  /// Waits for a part; returns `nil` when there will be none.
  func nextInput() -> (Int, Input)? {
    condition.withLock {
      while !isStopped {
        if let next = takeInput() { return next }
        condition.wait()
      }
      return nil
    }
  }

  private func takeInput() -> (Int, Input)? {
    waiting.isEmpty ? nil : waiting.removeFirst()
  }

  func begin() { condition.withLock { runningCount += 1 } }

  func end() {
    condition.withLock {
      runningCount -= 1
      condition.broadcast()
    }
  }

  /// Tells all threads to end, and returns when none works any longer.
  func stop() {
    condition.withLock {
      isStopped = true
      waiting = []
      condition.broadcast()
      while runningCount > 0 { condition.wait() }
    }
  }
}
