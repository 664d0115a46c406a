import Holdfast

/// A builder of the index by which stops are found.
struct SearchIndexBuilder {
  private struct Key: Hashable {
    let name: ExactText
    let further: [UInt32]
  }

  private struct Name {
    let text: String
    let words: [UInt32]
    let own: Int
  }

  private struct Entry {
    let name: Int
    let sid: Int64
    let isStation: Bool
  }

  /// The sort key of a name: plain numbers, because there are many names to sort.
  private struct Place {
    let importance: Int
    let isStation: Bool
    let length: Int
    let sid: Int64
    let name: Int

    /// Returns whether the name comes before another one; `nil` if their texts decide.
    func precedes(_ other: Place) -> Bool? {
      if importance != other.importance { return importance > other.importance }
      if isStation != other.isStation { return isStation }
      return length == other.length ? nil : length < other.length
    }
  }

  private var numbers: [ExactText: UInt32] = [:]
  private var words: [String] = []
  private var wordsOfTexts: [ExactText: [UInt32]] = [:]
  private var names: [Name] = []
  private var last: (name: String, stationName: String?, number: Int)?
  private var namesByKey: [Key: Int] = [:]
  private var entries: [Entry] = []
  private var codes: [(text: String, sid: Int64)] = []
  private var parents: [(child: Int64, parent: Int64)] = []

  /// Adds a stop.
  mutating func add(_ place: SearchIndexWriter.Place) {
    addName(
      place.name, stationName: place.stationName, sid: place.sid, isStation: place.isStation)
    if let code = place.code { codes.append((code, place.sid)) }
    if let parent = place.parent { parents.append((place.sid, parent)) }
  }

  /// A name of a stop in another language.
  struct Translation {
    let name: String
    /// The name that is translated; `nil` if the translation is of one stop.
    let original: String?
    /// The stop's number; `nil` if the translation is of all stops with a name.
    let sid: Int64?
  }

  /// Adds names in other languages to stops that were added before.
  mutating func add(_ translations: [Translation]) {
    guard !translations.isEmpty else { return }
    var stops: [Int64: Entry] = [:]
    var byName: [ExactText: [Entry]] = [:]
    for entry in entries {
      stops[entry.sid] = entry
      byName[ExactText(names[entry.name].text), default: []].append(entry)
    }
    for translation in translations {
      let found =
        translation.sid.map { stops[$0].map { [$0] } ?? [] }
        ?? translation.original.flatMap { byName[ExactText($0)] }
      for entry in found ?? [] {
        addName(translation.name, stationName: nil, sid: entry.sid, isStation: entry.isStation)
      }
    }
  }

  private mutating func addName(
    _ name: String, stationName: String?, sid: Int64, isStation: Bool
  ) {
    entries.append(Entry(name: number(of: name, stationName), sid: sid, isStation: isStation))
  }

  private mutating func number(of name: String, _ stationName: String?) -> Int {
    // The platforms of a station mostly have one name, and consecutive numbers.
    if let last, last.name.hasSameBytes(as: name),
      last.stationName.map(ExactText.init) == stationName.map(ExactText.init)
    {
      return last.number
    }
    let number = number(ofNext: name, stationName)
    last = (name, stationName, number)
    return number
  }

  private mutating func number(ofNext name: String, _ stationName: String?) -> Int {
    guard let stationName else {
      return number(of: Key(name: ExactText(name), further: [])) { $0.words(of: name) }
    }
    let own = knownWords(of: name)
    let further = knownWords(of: stationName).filter { !own.contains($0) }
    return number(of: Key(name: ExactText(name), further: further)) { _ in own }
  }

  private mutating func number(of key: Key, _ own: (inout Self) -> [UInt32]) -> Int {
    if let known = namesByKey[key] { return known }
    let words = own(&self)
    namesByKey[key] = names.count
    names.append(Name(text: key.name.text, words: words + key.further, own: words.count))
    return names.count - 1
  }

  /// Returns the words of a text that several stops may have in common.
  private mutating func knownWords(of text: String) -> [UInt32] {
    let exact = ExactText(text)
    if let name = namesByKey[Key(name: exact, further: [])] { return names[name].words }
    if let known = wordsOfTexts[exact] { return known }
    let numbers = words(of: text)
    wordsOfTexts[exact] = numbers
    return numbers
  }

  private mutating func words(of text: String) -> [UInt32] {
    SearchWords(FoldedText(text), limit: SearchIndex.mostWords).list.map { number(of: $0) }
  }

  private mutating func number(of word: String) -> UInt32 {
    let exact = ExactText(word)
    if let known = numbers[exact] { return known }
    let number = UInt32(words.count)
    numbers[exact] = number
    words.append(word)
    return number
  }

  // MARK: - Order

  /// Returns the index, and the words of the codes in their order.
  ///
  /// The order depends on the content only: the most important names and stops first; stations before
  /// others, short names before long ones, then by the bytes of the name and by number.
  ///
  /// - Parameter departures: How often trips call at each stop, which is its importance; a station's
  ///   importance is the sum over its stops.
  /// - Returns: The different words, the names, and the codes.
  func build(
    departures: StopCounts = StopCounts(below: 0)
  ) -> (words: [String], names: StoredNames, codes: StoredCodes) {
    let order = words.indices.sorted { ExactText(words[$0]) < ExactText(words[$1]) }
    var ranks = [UInt32](repeating: 0, count: words.count)
    for (rank, index) in order.enumerated() { ranks[index] = UInt32(rank) }

    var importance = departures
    for (child, parent) in parents { importance[parent] += departures[child] }
    let sorted = entries.map { (entry: $0, importance: importance[$0.sid]) }
      .sorted {
        ($0.entry.name, $1.importance, $0.entry.isStation ? 0 : 1, $0.entry.sid)
          < ($1.entry.name, $0.importance, $1.entry.isStation ? 0 : 1, $1.entry.sid)
      }
    var groups = [Range<Int>](repeating: 0..<0, count: names.count)
    for (index, element) in sorted.enumerated() {
      let name = element.entry.name
      groups[name] = (groups[name].isEmpty ? index : groups[name].lowerBound)..<(index + 1)
    }
    let places = names.indices.map { name in
      let first = sorted[groups[name].lowerBound]
      return Place(
        importance: first.importance, isStation: first.entry.isStation,
        length: names[name].text.unicodeScalars.count, sid: first.entry.sid, name: name)
    }.sorted { one, other in
      if let isBefore = one.precedes(other) { return isBefore }
      let (text, otherText) = (ExactText(names[one.name].text), ExactText(names[other.name].text))
      return text == otherText ? one.sid < other.sid : text < otherText
    }

    var stored = StoredNames()
    // One more than the position among the stops of all names; 0 for none.
    var positions = StopCounts(below: 2 * entries.count)
    for place in places {
      let index = place.name
      var sids: [Int64] = []
      for element in sorted[groups[index]] where sids.last != element.entry.sid {
        sids.append(element.entry.sid)
        if positions[element.entry.sid] == 0 {
          positions[element.entry.sid] = stored.sids.count + sids.count
        }
      }
      stored.append(
        words: names[index].words.map { ranks[Int($0)] }, own: names[index].own, sids: sids)
    }
    return (order.map { words[$0] }, stored, sortedCodes(positions))
  }

  private static func words(ofCode code: String) -> Set<String> {
    // Most codes are numbers.
    if !code.isEmpty, code.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) { return [code] }
    return Set(SearchWords(FoldedText(code), limit: SearchIndex.mostWords).list)
  }

  private func sortedCodes(_ positions: StopCounts) -> StoredCodes {
    var list: [(word: ExactText, position: Int)] = []
    for code in codes {
      let position = positions[code.sid] - 1
      if position < 0 { continue }
      for word in Self.words(ofCode: code.text) { list.append((ExactText(word), position)) }
    }
    list.sort { ($0.word, $0.position) < ($1.word, $1.position) }
    return StoredCodes(words: list.map(\.word.text), positions: list.map(\.position))
  }
}
