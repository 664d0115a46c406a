/// A search for three ASCII letters in a row, as they are stored in UTF-8 and in UTF-16, sixteen places at a time.
///
/// The whole loop is here: a member of a `package` type is called from another module, and never inlined.
package struct LetterSearch: Sendable {
  private let letters: [(UInt8, UInt8, UInt8)]

  /// Creates a search.
  ///
  /// - Parameter letters: What is looked for.
  package init(_ letters: [(UInt8, UInt8, UInt8)]) { self.letters = letters }

  /// Returns the next places at which some of the letters may begin.
  ///
  /// They begin at none of the places before. The last places, too few to be compared at once, are always returned.
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - start: The first place, at most the number of bytes.
  /// - Returns: The places, which are empty only at the end of the bytes.
  package func places(in bytes: Span<UInt8>, from start: Int) -> Range<Int> {
    var start = start
    // The last of the bytes that are compared are four behind the block.
    while start + ByteBlock.byteCount + 4 <= bytes.count {
      let end = start + ByteBlock.byteCount
      if mayBegin(in: bytes, at: start) { return start..<end }
      start = end
    }
    return start..<bytes.count
  }

  /// Returns whether some of the letters may begin in a block; `false` is certain.
  private func mayBegin(in bytes: Span<UInt8>, at start: Int) -> Bool {
    let first = ByteBlock(bytes, at: start)
    let second = ByteBlock(bytes, at: start + 1)
    let third = ByteBlock(bytes, at: start + 2)
    let fifth = ByteBlock(bytes, at: start + 4)
    var places = ByteBlock.Places()
    for letters in letters {
      let begin = first.places(of: letters.0)
      let last = third.places(of: letters.2)
      // In UTF-16 every other byte is zero.
      places = places.union(begin.intersection(second.places(of: letters.1)).intersection(last))
        .union(
          begin.intersection(third.places(of: letters.1)).intersection(fifth.places(of: letters.2)))
    }
    return !places.isEmpty
  }
}
