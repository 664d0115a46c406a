import HoldfastTestSupport
import Synchronization
import Testing

@testable import HoldfastFiles

@Suite struct OrderedPipelineConcurrencyTests {
  private struct Fault: Error {}

  @Test(arguments: [0, 1, 2, 7])
  func `Results come in the order of their parts`(threads: Int) {
    var random = SeededRandom()
    let pipeline = OrderedPipeline<Int, Int>(threads: threads, mostCost: 40) {
      { part in
        // Of very different lengths, so that later parts are ready first.
        (0..<(part % 7) * 2000).reduce(part) { $0 ^ $1 ^ $1 }
      }
    }
    var results: [Int] = []
    for part in 0..<500 {
      pipeline.add(part, cost: .random(in: 1...30, using: &random)) { results.append($0) }
    }
    pipeline.finish { results.append($0) }
    #expect(results == Array(0..<500))
    // It goes on after it was finished.
    pipeline.add(500, cost: 1) { results.append($0) }
    pipeline.finish { results.append($0) }
    #expect(results == Array(0...500))
  }

  @Test(arguments: [0, 1, 3])
  func `Parts wait as far as their cost allows`(threads: Int) {
    let waiting = Mutex((now: 0, most: 0))
    let pipeline = OrderedPipeline<Int, Int>(threads: threads, mostCost: 10) { { $0 } }
    for part in 0..<200 {
      waiting.withLock {
        $0.now += 1
        $0.most = max($0.most, $0.now)
      }
      pipeline.add(part, cost: 4) { _ in waiting.withLock { $0.now -= 1 } }
    }
    pipeline.finish { _ in waiting.withLock { $0.now -= 1 } }
    // Two parts of four, and the one that was added last.
    #expect(waiting.withLock { $0.most } <= 3)
    #expect(waiting.withLock { $0.now } == 0)
    // One part that costs more than all may is worked on alone.
    pipeline.add(1, cost: 1000) { _ in }
    pipeline.finish { #expect($0 == 1) }
  }

  @Test func `Each thread has work of its own, and none is done after the pipeline is released`()
    throws
  {
    let running = Mutex(0)
    let count = Mutex(0)
    for _ in 0..<50 {
      var pipeline: OrderedPipeline<Int, Int>? = OrderedPipeline(threads: 3, mostCost: 1000) {
        let own = Mutex(0)
        return { part in
          running.withLock { $0 += 1 }
          // Two threads that used one would meet here.
          own.withLock { $0 += 1 }
          count.withLock { $0 += 1 }
          running.withLock { $0 -= 1 }
          return part
        }
      }
      #expect(throws: Fault.self) {
        for part in 0..<40 {
          try pipeline?.add(part, cost: 1) { if $0 == 9 { throw Fault() } }
        }
        try pipeline?.finish { if $0 == 9 { throw Fault() } }
      }
      pipeline = nil
      #expect(running.withLock { $0 } == 0)
    }
    #expect(count.withLock { $0 } >= 500)
  }
}
