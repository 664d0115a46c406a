/// The words of a folded text.
struct SearchWords: Hashable, Sendable {
  /// The words in the order of the text.
  let list: [String]

  /// Whether the text has letters or digits.
  let hasLetters: Bool

  /// Splits a text.
  ///
  /// A word is a sequence of letters and digits. Of a text without any, such as the name `***`, the
  /// parts between spaces are the words.
  ///
  /// - Parameters:
  ///   - text: The folded text.
  ///   - limit: The largest number of words; the rest of the text has no effect.
  init(_ text: FoldedText, limit: Int = .max) {
    if let words = Self.words(ofASCII: text.text) {
      hasLetters = true
      list = Array(words.prefix(limit))
      return
    }
    let scalars = text.text.unicodeScalars
    var list = scalars.split { !Self.isPartOfWord($0) }
    hasLetters = !list.isEmpty
    if list.isEmpty { list = scalars.split { $0.properties.isWhitespace || $0.value == 0 } }
    self.list = list.prefix(limit).map(String.init)
  }

  /// Returns the words of a text as most are: of ASCII, with letters or digits; `nil` for any other.
  private static func words(ofASCII text: String) -> [String]? {
    var words: [String] = []
    var start: String.Index?
    for index in text.utf8.indices {
      let byte = text.utf8[index]
      guard byte < 0x80 else { return nil }
      if (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) {
        if start == nil { start = index }
      } else if let begun = start {
        words.append(String(text[begun..<index]))
        start = nil
      }
    }
    if let begun = start { words.append(String(text[begun...])) }
    return words.isEmpty ? nil : words
  }

  private static func isPartOfWord(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "0"..."9": true
    case "\0"..."\u{7F}": false
    default: scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    }
  }
}

/// Sorted different words, each of which has its position as its number.
struct WordList: Sendable {
  private var bytes: [UInt8] = []
  /// Where each word begins, and where the last one ends.
  private var starts: [Int] = [0]

  /// Creates a list.
  ///
  /// - Parameter words: Different words in the order of their bytes.
  init(_ words: some Sequence<String>) {
    for word in words { append(word) }
  }

  var count: Int { starts.count - 1 }

  mutating func append(_ word: String) {
    bytes.append(contentsOf: word.utf8)
    starts.append(bytes.count)
  }

  subscript(number: Int) -> ArraySlice<UInt8> { bytes[starts[number]..<starts[number + 1]] }

  /// Returns the number of a word; `nil` if it is none of them.
  func number(of word: String) -> Int? {
    let bytes = Array(word.utf8)
    let found = partition { $0.lexicographicallyPrecedes(bytes) }
    return found < count && self[found].elementsEqual(bytes) ? found : nil
  }

  /// Returns the numbers of the words that begin with a text.
  func numbers(beginningWith text: String) -> Range<Int> {
    let bytes = Array(text.utf8)
    let first = partition { $0.lexicographicallyPrecedes(bytes) }
    let end = partition { !bytes.lexicographicallyPrecedes($0.prefix(bytes.count)) }
    return first..<max(first, end)
  }

  /// Returns the first word for which a condition, which holds for all words before, does not hold.
  private func partition(_ condition: (ArraySlice<UInt8>) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if condition(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
