import HoldfastTestSupport
import Testing

@testable import HoldfastTransit

@Suite struct PlaceQueueTests {
  @Test func `The nearest place is removed first`() {
    var random = SeededRandom()
    for _ in 0..<200 {
      var queue = PlaceQueue()
      var expected: [(place: Int32, seconds: Double)] = []
      for _ in 0..<Int.random(in: 1...60, using: &random) {
        if Int.random(in: 0..<3, using: &random) > 0 {
          // Few values, so that many places are equally far.
          let place = Int32.random(in: 0..<20, using: &random)
          let seconds = Double(Int.random(in: 0..<10, using: &random))
          queue.insert(place, at: seconds)
          expected.append((place, seconds))
        } else {
          expected.sort { ($0.seconds, $0.place) < ($1.seconds, $1.place) }
          let nearest = expected.isEmpty ? nil : expected.removeFirst()
          let removed = queue.removeNearest()
          #expect(removed?.place == nearest?.place && removed?.seconds == nearest?.seconds)
        }
      }
    }
  }
}
