/// A set of small numbers, as one bit each, whose elements are visited in their order.
///
/// What a search reads for the elements lies in memory in the same order.
struct BitSet: Sequence {
  private var words: [UInt64]

  /// Creates an empty set.
  ///
  /// - Parameter count: The number that all elements are less than.
  init(upTo count: Int) {
    words = [UInt64](repeating: 0, count: (count + 63) / 64)
  }

  var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

  func contains(_ index: Int) -> Bool {
    words[index >> 6] >> UInt64(index & 63) & 1 != 0
  }

  // For each call that a search looks at.
  @inline(__always)
  mutating func insert(_ index: Int) {
    words[index >> 6] |= 1 << UInt64(index & 63)
  }

  mutating func removeAll() {
    for index in words.indices { words[index] = 0 }
  }

  /// The elements, as they were when the iteration began.
  func makeIterator() -> Iterator {
    Iterator(words: words)
  }

  struct Iterator: IteratorProtocol {
    fileprivate let words: [UInt64]
    private var position = 0
    private var word: UInt64 = 0

    fileprivate init(words: [UInt64]) {
      self.words = words
      word = words.first ?? 0
    }

    mutating func next() -> Int? {
      while word == 0 {
        position += 1
        guard position < words.count else { return nil }
        word = words[position]
      }
      defer { word &= word - 1 }
      return position << 6 + word.trailingZeroBitCount
    }
  }
}
