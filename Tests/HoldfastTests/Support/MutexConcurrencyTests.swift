import Foundation
import Synchronization
import Testing

/// Thread Sanitizer understands the lock that everything here is built on.
@Suite struct MutexConcurrencyTests {
  private final class Counter: Sendable {
    let value = Mutex(0)
  }

  @Test func aContendedMutexIsNoRace() {
    let counter = Counter()
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      for _ in 0..<10_000 { counter.value.withLock { $0 += 1 } }
    }
    #expect(counter.value.withLock { $0 } == 40_000)
  }

  @Test func aChildProcessIsWatchedToo() async {
    await #expect(processExitsWith: .success) {
      let counter = Counter()
      DispatchQueue.concurrentPerform(iterations: 4) { _ in
        for _ in 0..<1_000 { counter.value.withLock { $0 += 1 } }
      }
      exit(counter.value.withLock { $0 } == 4_000 ? EXIT_SUCCESS : EXIT_FAILURE)
    }
  }
}
