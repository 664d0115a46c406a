import Dispatch
import Synchronization

/// Returns what a closure makes of the numbers below a count, in their order.
///
/// The closure is called on all cores; the caller's thread waits.
func concurrentMap<Result: Sendable>(
  _ count: Int, _ transform: @Sendable (Int) -> Result
) -> [Result] {
  let results = Mutex([Result?](repeating: nil, count: count))
  DispatchQueue.concurrentPerform(iterations: count) { number in
    let result = transform(number)
    results.withLock { $0[number] = result }
  }
  return results.withLock { $0.compactMap(\.self) }
}
