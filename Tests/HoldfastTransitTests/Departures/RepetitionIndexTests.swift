import HoldfastTestSupport
import Testing

@testable import HoldfastTransit

/// When vehicles of `frequencies.txt` start, found without looking at each row.
@Suite struct RepetitionIndexTests {
  @Test func `The index finds what looking at each row finds`() {
    var random = SeededRandom(unprinted: 5)
    for _ in 0..<100 {
      let rows = (0..<Int.random(in: 0...12, using: &random)).map { number in
        let start = Int.random(in: 0...100, using: &random)
        return TripTables.Headway(
          hid: Int64(number), tid: 1, start: start,
          end: start + Int.random(in: 0...60, using: &random),
          headway: Int.random(in: 1...9, using: &random),
          exactTimes: [nil, 0, 1][Int.random(in: 0...2, using: &random)], others: 0)
      }
      let index = RepetitionIndex(rows.enumerated().map { ($1, $0) })
      for time in -10...170 {
        let within = rows.indices.filter { rows[$0].start <= time && time < rows[$0].end }
        let starting = within.filter { (time - rows[$0].start).isMultiple(of: rows[$0].headway) }
        #expect(index.contains(time) == !within.isEmpty)
        #expect(index.hasStart(at: time) == !starting.isEmpty)
        #expect(
          index.mayStart(at: time)
            == within.contains { rows[$0].exactTimes != 1 || starting.contains($0) })
        var found: [Int] = []
        index.forEach(startingAt: time) { number in
          found.append(number)
          return true
        }
        #expect(found.sorted() == starting)
      }
    }
  }
}
