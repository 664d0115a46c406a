import HoldfastTestSupport
import Testing

@testable import HoldfastFeeds

@Suite struct InternTableTests {
  @Test func `equal sequences have one number and others their own`() {
    var table = InternTable<UInt8>()
    var numbers: [[UInt8]: Int] = [:]
    var random = SeededRandom(seed: 3)
    for _ in 0..<20_000 {
      let length = Int.random(in: 0..<12, using: &random)
      let bytes = (0..<length).map { _ in UInt8.random(in: 0..<3, using: &random) }
      let found = table.insert(bytes)
      #expect(found.isNew == (numbers[bytes] == nil))
      #expect(numbers[bytes, default: found.number] == found.number)
      numbers[bytes] = found.number
    }
    #expect(table.count == numbers.count)
    for (bytes, number) in numbers {
      #expect(Array(table[number]) == bytes)
      #expect(table.number(of: bytes) == number)
      let isEqual = [bytes, bytes + [0]].map {
        unsafe $0.withUnsafeBufferPointer { unsafe table.isEqual(number, all: $0) }
      }
      #expect(isEqual == [true, false])
    }
    #expect(table.number(of: [9, 9]) == nil)
  }

  @Test func `zeros at the end distinguish sequences`() {
    var table = InternTable<UInt32>()
    let numbers = (0..<40).map { table.insert([UInt32](repeating: 0, count: $0)).number }
    #expect(numbers == Array(0..<40))
  }
}

@Suite struct ScatteredCallsTests {
  @Test func `a row has 32 bytes`() {
    #expect(MemoryLayout<ScatteredCalls.Row>.stride == 32)
  }

  /// More rows than one chunk has.
  @Test func `the rows of each trip are brought together in place`() {
    var calls = ScatteredCalls()
    var random = SeededRandom(seed: 5)
    var sums = [Int](repeating: 0, count: 1000)
    var counts = sums
    for number in 0..<70_000 {
      let trip = Int.random(in: 0..<1000, using: &random)
      calls.append(
        .init(
          trip: UInt32(trip), stop: 0, sequence: Int32(number), arrival: 0, departure: 0, detail: 0,
          distanceBits: 0))
      sums[trip] += number
      counts[trip] += 1
    }
    let starts = calls.groupByTrip(1001)
    #expect(starts.last == 70_000 && starts[1000] == 70_000)
    for trip in 0..<1000 {
      let rows = (starts[trip]..<starts[trip + 1]).map { calls[$0] }
      #expect(rows.count == counts[trip] && rows.allSatisfy { $0.trip == trip })
      #expect(rows.reduce(0) { $0 + Int($1.sequence) } == sums[trip])
    }
  }
}
