import HoldfastTestSupport
import Testing

@testable import HoldfastFiles

@Suite struct LetterSearchTests {
  /// The places at which letters begin, as a plain loop finds them.
  private func places(of letters: [UInt8], in bytes: [UInt8], step: Int) -> [Int] {
    bytes.indices.filter { start in
      start + 2 * step < bytes.count
        && letters.indices.allSatisfy { bytes[start + $0 * step] == letters[$0] }
    }
  }

  /// Random bytes of few kinds have the letters, in a row and with a byte between, at any place of a block.
  @Test func noPlaceIsMissed() {
    var random = SeededRandom()
    let search = LetterSearch([(1, 2, 3), (3, 3, 1)])
    for _ in 0..<400 {
      let bytes = (0..<Int.random(in: 0...90, using: &random)).map { _ in
        UInt8.random(in: 0...4, using: &random)
      }
      var found = Set<Int>()
      var start = 0
      while start < bytes.count {
        let places = search.places(in: bytes.span, from: start)
        #expect(places.lowerBound >= start && places.upperBound > start)
        found.formUnion(places)
        start = places.upperBound
      }
      for letters: [UInt8] in [[1, 2, 3], [3, 3, 1]] {
        for step in 1...2 {
          let missed = Set(self.places(of: letters, in: bytes, step: step)).subtracting(found)
          #expect(missed.isEmpty, "\(letters) with step \(step) in \(bytes)")
        }
      }
    }
  }

  @Test func blocksWithoutTheLettersAreLeftOut() {
    let bytes = [UInt8](repeating: 7, count: 1000)
    let search = LetterSearch([(1, 2, 3)])
    // The last places are too few for a block.
    #expect(search.places(in: bytes.span, from: 0) == 992..<1000)
    #expect(search.places(in: bytes.span, from: 1000) == 1000..<1000)
  }
}
