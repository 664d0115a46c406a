/// The words that begin with a typed word, apart from typing errors.
///
/// An error is a letter too many, one too few, a wrong one, or two in the wrong order: the distance of
/// Damerau and Levenshtein, in the form in which no letters are edited twice. One error is tolerated
/// from four letters on, two from eight letters on; the work for a word is bounded by the length of
/// the typed one.
struct SimilarPrefix {
  private static let lengths = 4...40

  private let typed: [UInt32]
  private let limit: Int

  /// Creates the condition; `nil` for a word that is too short, or as long as none is.
  init?(of word: String) {
    typed = word.unicodeScalars.map(\.value)
    guard Self.lengths.contains(typed.count) else { return nil }
    limit = typed.count < 8 ? 1 : 2
  }

  /// Returns whether a word begins with a text that differs by at most the tolerated errors.
  func matches(_ word: ArraySlice<UInt8>) -> Bool {
    var scalars: [UInt32] = []
    scalars.reserveCapacity(typed.count + limit)
    for scalar in String(decoding: word, as: UTF8.self).unicodeScalars {
      guard scalars.count < typed.count + limit else { break }
      scalars.append(scalar.value)
    }
    guard scalars.count >= typed.count - limit else { return false }
    // The distances of the typed word's beginnings, one column for each letter of the word.
    var (before, last) = ([Int](), Array(0...typed.count))
    if last[typed.count] <= limit { return true }
    for (column, scalar) in scalars.enumerated() {
      var next = [column + 1]
      next.reserveCapacity(typed.count + 1)
      var least = column + 1
      for row in 1...typed.count {
        var distance = min(last[row], next[row - 1]) + 1
        distance = min(distance, last[row - 1] + (typed[row - 1] == scalar ? 0 : 1))
        if row > 1, column > 0, typed[row - 1] == scalars[column - 1], typed[row - 2] == scalar {
          distance = min(distance, before[row - 2] + 1)
        }
        next.append(distance)
        least = min(least, distance)
      }
      if next[typed.count] <= limit { return true }
      // Two columns decide the next one, because of exchanged letters.
      if least > limit + 1 { return false }
      (before, last) = (last, next)
    }
    return false
  }
}
