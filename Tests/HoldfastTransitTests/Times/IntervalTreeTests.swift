import HoldfastTestSupport
import Testing

@testable import HoldfastTransit

/// Spans that contain a number, found without looking at each of them.
@Suite struct IntervalTreeTests {
  @Test func `The index finds what looking at each span finds`() {
    var random = SeededRandom(unprinted: 9)
    for _ in 0..<100 {
      let spans = (0..<Int.random(in: 0...20, using: &random)).map { _ in
        let first = Int.random(in: 0...50, using: &random)
        return first...first + Int.random(in: 0...30, using: &random)
      }
      let index = IntervalTree(spans.enumerated().map { ($1, $0) })
      for number in -2...82 {
        var found: [Int] = []
        let isWhole = index.forEach(with: number) { span in
          found.append(span)
          return true
        }
        let expected = spans.indices.filter { spans[$0].contains(number) }
        #expect(isWhole && found.sorted() == expected)
        #expect(found.map { spans[$0].lowerBound } == found.map { spans[$0].lowerBound }.sorted())
        #expect(index.contains(number) == !expected.isEmpty)
      }
    }
  }

  @Test func `A closure that returns false ends the search`() {
    let index = IntervalTree((0..<100).map { ($0...200, $0) })
    var found: [Int] = []
    let isWhole = index.forEach(with: 150) { number in
      found.append(number)
      return found.count < 2
    }
    #expect(!isWhole && found == [0, 1])
  }
}
