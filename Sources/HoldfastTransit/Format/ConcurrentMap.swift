import Foundation

/// The results of a closure for the numbers below a count, computed on several threads and taken in
/// order.
///
/// The work begins at once, and all outputs may be in memory before the first one is taken. The consumer
/// computes some of them while the next one is not ready, so that the work advances even where no
/// thread can be created. When a map is released, its threads end after the number that each works on.
final class ConcurrentMap<Output: Sendable>: Sendable {
  private let work: ConcurrentMapWork<Output>

  /// Starts the work.
  ///
  /// - Parameters:
  ///   - count: The number of outputs.
  ///   - available: The number of those that can be computed at once; the others when ``makeAvailable(_:)``
  ///     says so. All of them if it is `nil`.
  ///   - transform: A closure that is called once with each number, on any thread.
  init(
    _ count: Int, available: Int? = nil, _ transform: @escaping @Sendable (Int) -> Output
  ) {
    work = ConcurrentMapWork(count, available: available ?? count, transform)
    let cores = min(ProcessInfo.processInfo.activeProcessorCount, 8)
    for _ in 0..<min(max(1, cores - 1), count) {
      let thread = Thread { [work] in work.run() }
      thread.name = "holdfast.transit.map"
      // The caller waits for it.
      thread.qualityOfService = Thread.current.qualityOfService
      thread.start()
    }
  }

  deinit { work.stop() }

  /// Lets the first outputs be computed, up to a number.
  ///
  /// All must be available before the first one is taken.
  func makeAvailable(_ available: Int) { work.makeAvailable(available) }

  /// Takes each output, once, on the caller's thread.
  ///
  /// - Throws: Whatever `body` throws.
  func forEach(_ body: (Output) throws -> Void) rethrows {
    // Released earlier, it would begin no further output.
    try withExtendedLifetime(self) {
      while let output = work.next() { try body(output) }
    }
  }

  /// Takes all outputs.
  func all() -> [Output] {
    var outputs: [Output] = []
    forEach { outputs.append($0) }
    return outputs
  }
}

/// The state that the threads of a map share.
///
/// Sendable because `condition` guards all variables.
private final class ConcurrentMapWork<Output: Sendable>: @unchecked Sendable {
  private let condition = NSCondition()
  private let count: Int
  private let transform: @Sendable (Int) -> Output
  /// The number of outputs whose work can begin.
  private var available: Int
  /// The number of outputs whose work has begun.
  private var begun = 0
  /// The number of outputs that were taken.
  private var taken = 0
  /// The outputs that are ready, by their number.
  private var ready: [Int: Output] = [:]

  init(_ count: Int, available: Int, _ transform: @escaping @Sendable (Int) -> Output) {
    (self.count, self.available) = (count, available)
    self.transform = transform
  }

  /// Computes outputs until none is left to begin.
  func run() {
    condition.lock()
    while begun < count {
      if begun < available { compute() } else { condition.wait() }
    }
    condition.unlock()
  }

  /// Lets no further output begin.
  func stop() {
    condition.lock()
    begun = count
    condition.broadcast()
    condition.unlock()
  }

  /// Lets outputs begin, up to a number.
  func makeAvailable(_ available: Int) {
    condition.lock()
    self.available = available
    condition.broadcast()
    condition.unlock()
  }

  /// Takes the next output; `nil` after the last one.
  func next() -> Output? {
    condition.lock()
    defer { condition.unlock() }
    guard taken < count else { return nil }
    while true {
      if let output = ready.removeValue(forKey: taken) {
        taken += 1
        return output
      }
      if begun < count { compute() } else { condition.wait() }
    }
  }

  /// Computes one output; the condition is locked before and after, and not meanwhile.
  private func compute() {
    let number = begun
    begun += 1
    condition.unlock()
    let output = transform(number)
    condition.lock()
    ready[number] = output
    condition.signal()
  }
}
