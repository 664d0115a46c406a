/// The words of all stops' names in memory, the most important names first.
///
/// A name is a list of the numbers of its words, and words are numbered in the order of their bytes,
/// so that a typed prefix is a range of numbers: a search passes over the list once, and needs some
/// hundred microseconds for the names of a large city.
struct SearchIndex: Sendable {
  /// The numbers of the names that match, in the order of their importance.
  struct Matches {
    /// The names that have exactly the typed words.
    var exact: [Int] = []
    /// The names that begin with the typed words.
    var beginning: [Int] = []
    /// All others.
    var others: [Int] = []
  }

  /// The largest number of words of a search; no name has as many.
  static let mostWords = 64

  /// The different words of all names.
  let words: WordList
  /// The words of the names, one name after the other.
  private let nameWords: [UInt32]
  /// Where the words of each name begin, and where the words of the last name end.
  private let wordStarts: [Int]
  /// How many of its words are the stop's own; further ones are its station's.
  private let ownCounts: [Int]
  /// The stops with each name, the most important ones first.
  private let stops: [Int64]
  private let stopStarts: [Int]

  /// Creates an index of names.
  init(words: WordList, names: StoredNames) {
    self.words = words
    nameWords = names.words
    ownCounts = names.ownCounts
    stops = names.sids
    wordStarts = names.wordCounts.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1) }
    stopStarts = names.stopCounts.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1) }
  }

  var nameCount: Int { ownCounts.count }

  /// Returns the stops with a name.
  func stops(named name: Int) -> ArraySlice<Int64> {
    stops[stopStarts[name]..<stopStarts[name + 1]]
  }

  /// Returns the positions of the stops with a name among the stops of all names.
  func positions(named name: Int) -> Range<Int> {
    stopStarts[name]..<stopStarts[name + 1]
  }

  /// Returns a stop by its position among the stops of all names, and the number of its name.
  func stop(at position: Int) -> (sid: Int64, name: Int)? {
    guard stops.indices.contains(position) else { return nil }
    var (low, high) = (0, nameCount)
    while low < high {
      let middle = (low + high) / 2
      if stopStarts[middle + 1] <= position { low = middle + 1 } else { high = middle }
    }
    return (stops[position], low)
  }

  // MARK: - Finding

  /// The typed words that each word of the index stands for, as bits.
  struct Mask {
    fileprivate(set) var bits: [UInt64]
    /// The bits of the typed words that any word stands for.
    private(set) var found: UInt64 = 0
    /// The bits of all typed words.
    let all: UInt64

    init(_ wordCount: Int, typed: Int) {
      bits = [UInt64](repeating: 0, count: wordCount)
      all = typed >= 64 ? .max : 1 << UInt64(typed) - 1
    }

    mutating func add(_ typed: Int, _ numbers: some Sequence<Int>) {
      for number in numbers {
        bits[number] |= 1 << UInt64(typed)
        found |= 1 << UInt64(typed)
      }
    }
  }

  /// Returns the words that begin with each of the typed ones.
  func prefixes(_ typed: [String]) -> Mask {
    var mask = Mask(words.count, typed: typed.count)
    for (index, word) in typed.enumerated() { mask.add(index, words.numbers(beginningWith: word)) }
    return mask
  }

  /// Returns the words that contain each of the typed ones.
  func containing(_ typed: [String]) -> Mask {
    var mask = Mask(words.count, typed: typed.count)
    for (index, word) in typed.enumerated() {
      let bytes = Array(word.utf8)
      mask.add(index, words.indices(where: { $0.contains(bytes) }))
    }
    return mask
  }

  /// Returns the words that begin with each of the typed ones, apart from a typing error.
  ///
  /// - Parameters:
  ///   - typed: The typed words.
  ///   - isForAll: Whether an error is tolerated in all of them, and not only in those with which
  ///     no word begins.
  /// - Returns: For each word of the names, which of the typed ones it may be.
  func similar(_ typed: [String], isForAll: Bool) -> Mask {
    var mask = prefixes(typed)
    for (index, word) in typed.enumerated() {
      guard isForAll || words.numbers(beginningWith: word).isEmpty,
        let similarity = SimilarPrefix(of: word)
      else { continue }
      mask.add(index, words.indices(where: similarity.matches))
    }
    return mask
  }

  /// Returns the bits of the typed words that a name has.
  func bits(ofName name: Int, _ mask: Mask) -> UInt64 {
    var found: UInt64 = 0
    for index in wordStarts[name]..<wordStarts[name + 1] {
      found |= mask.bits[Int(nameWords[index])]
    }
    return found
  }

  /// Returns the names that have all typed words, in the order of their importance.
  func names(_ mask: Mask) -> [Int] {
    mask.found == mask.all ? names(mask) { $0 == mask.all } : []
  }

  /// Returns the names that have all typed words but some, and not all.
  func names(_ mask: Mask, without some: UInt64) -> [Int] {
    guard mask.found | some == mask.all, some != mask.all else { return [] }
    return names(mask) { $0 | some == mask.all && $0 != mask.all }
  }

  @inline(__always)
  private func names(_ mask: Mask, where isMatch: (UInt64) -> Bool) -> [Int] {
    var names: [Int] = []
    let bits = mask.bits
    var start = 0
    for name in 0..<nameCount {
      let end = wordStarts[name + 1]
      var found: UInt64 = 0
      for index in start..<end { found |= bits[Int(nameWords[index])] }
      if isMatch(found) { names.append(name) }
      start = end
    }
    return names
  }

  /// Returns the names with the typed words, by how they match.
  ///
  /// - Parameters:
  ///   - typed: The typed words in their order.
  ///   - mask: The words that begin with each of them.
  /// - Returns: The names in three groups, each in the order of importance.
  func matches(_ typed: [String], _ mask: Mask) -> Matches {
    var matches = Matches()
    guard let last = typed.last else { return matches }
    let complete = typed.dropLast().map { words.number(of: $0).map(UInt32.init) }
    let lastRange = words.numbers(beginningWith: last)
    let lastNumber = words.number(of: last)
    let mayBegin = complete.allSatisfy { $0 != nil }
    for name in names(mask) {
      let start = wordStarts[name]
      guard mayBegin, ownCounts[name] >= typed.count,
        complete.indices.allSatisfy({ nameWords[start + $0] == complete[$0] }),
        lastRange.contains(Int(nameWords[start + typed.count - 1]))
      else {
        matches.others.append(name)
        continue
      }
      if ownCounts[name] == typed.count, Int(nameWords[start + typed.count - 1]) == lastNumber {
        matches.exact.append(name)
      } else {
        matches.beginning.append(name)
      }
    }
    return matches
  }
}

extension WordList {
  /// Returns the numbers of the words for which a condition holds.
  func indices(where condition: (ArraySlice<UInt8>) -> Bool) -> [Int] {
    (0..<count).filter { condition(self[$0]) }
  }
}

extension ArraySlice<UInt8> {
  /// Returns whether these bytes contain others.
  fileprivate func contains(_ bytes: [UInt8]) -> Bool {
    guard let first = bytes.first, count >= bytes.count else { return bytes.isEmpty }
    for start in startIndex...(endIndex - bytes.count)
    where self[start] == first && self[start...].starts(with: bytes) {
      return true
    }
    return false
  }
}
