import Foundation
import HoldfastTestSupport
import Synchronization
import Testing

@testable import HoldfastTransit

@Suite struct ConcurrentMapConcurrencyTests {
  /// Tells when nothing uses a closure any longer.
  private final class Token: Sendable {
    let gone: Gate
    init(_ gone: Gate) { self.gone = gone }
    deinit { gone.open() }
  }

  @Test(arguments: [0, 1, 2, 1000])
  func `Each number is transformed once, and the outputs keep their order`(count: Int) {
    let calls = Mutex([Int](repeating: 0, count: count))
    let map = ConcurrentMap(count) { number in
      calls.withLock { $0[number] += 1 }
      return number * 3
    }
    #expect(map.all() == (0..<count).map { $0 * 3 })
    #expect(map.all().isEmpty)
    #expect(calls.withLock { $0.allSatisfy { $0 == 1 } })
  }

  @Test func `The work begins before an output is taken`() {
    let began = Gate()
    let map = ConcurrentMap(1) { _ in began.open() }
    began.wait()
    #expect(map.all().count == 1)
  }

  @Test func `A released map begins no further output`() throws {
    struct Stop: Error {}
    let calls = Mutex(0)
    let first = Mutex<ObjectIdentifier?>(nil)
    let (isFirstReady, released, gone) = (Gate(), Gate(), Gate())
    var map = Optional(
      ConcurrentMap(1000) { [token = Token(gone)] number in
        withExtendedLifetime(token) { calls.withLock { $0 += 1 } }
        let thread = ObjectIdentifier(Thread.current)
        guard number > 0 else { return first.withLock { $0 = thread } }
        // The thread that computed the first output has stored it by now.
        if first.withLock({ $0 == thread }) { isFirstReady.open() }
        released.wait()
      })
    // While the first output is not ready, this thread would compute others, and wait in one.
    isFirstReady.wait()
    #expect(throws: Stop.self) { try map?.forEach { _ in throw Stop() } }
    map = nil
    released.open()
    gone.wait()
    // As many as there are threads had begun.
    #expect(calls.withLock { $0 } <= 9)
  }

  @Test func `No output is computed before it is available`() {
    let available = Mutex(0)
    let calls = Mutex<[Int]>([])
    let map = ConcurrentMap(1000, available: 0) { number in
      #expect(available.withLock { $0 } > number)
      calls.withLock { $0.append(number) }
      return number
    }
    for count in stride(from: 10, through: 1000, by: 10) {
      available.withLock { $0 = count }
      map.makeAvailable(count)
    }
    #expect(map.all() == Array(0..<1000))
    #expect(calls.withLock { $0.sorted() } == Array(0..<1000))
  }

  @Test func `A released map waits for no output that is not available`() {
    let (isFirstReady, gone) = (Gate(), Gate())
    var map = Optional(
      ConcurrentMap(3, available: 1) { [token = Token(gone)] _ in
        withExtendedLifetime(token) { isFirstReady.open() }
      })
    isFirstReady.wait()
    withExtendedLifetime(map) {}
    map = nil
    gone.wait()
  }
}
