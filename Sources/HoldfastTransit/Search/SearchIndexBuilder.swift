import Foundation
package import Holdfast

/// A builder of the index by which stops are found.
package struct SearchIndexBuilder {
  /// A stop to be found.
  package struct Place: Sendable {
    /// The stop's number.
    package var sid: Int64
    /// The stop's name.
    package var name: String
    /// The name of the station that the stop belongs to.
    package var stationName: String?
    /// The number of that station.
    package var parent: Int64?
    /// The code that riders see.
    package var code: String?
    /// Whether it is a station.
    package var isStation: Bool

    /// Creates a stop to be found.
    package init(
      sid: Int64, name: String, stationName: String? = nil, parent: Int64? = nil,
      code: String? = nil, isStation: Bool = false
    ) {
      (self.sid, self.name, self.stationName, self.parent) = (sid, name, stationName, parent)
      (self.code, self.isStation) = (code, isStation)
    }
  }

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

  private var numbers: [ExactText: UInt32] = [:]
  private var words: [String] = []
  private var wordsOfTexts: [ExactText: [UInt32]] = [:]
  private var names: [Name] = []
  private var namesByKey: [Key: Int] = [:]
  private var entries: [Entry] = []
  private var codes: [(text: String, sid: Int64)] = []
  private var departures: [Int64: Int]
  private var parents: [(child: Int64, parent: Int64)] = []

  /// Creates a builder.
  ///
  /// - Parameter departures: How often trips call at each stop, which is its importance; that of a
  ///   station is the sum of what belongs to it.
  package init(departures: [Int64: Int] = [:]) {
    self.departures = departures
  }

  /// Adds a stop.
  package mutating func add(_ place: Place) {
    addName(
      place.name, stationName: place.stationName, sid: place.sid, isStation: place.isStation)
    if let code = place.code { codes.append((code, place.sid)) }
    if let parent = place.parent { parents.append((place.sid, parent)) }
  }

  /// Adds the names in other languages from the feed's `translations.txt`.
  private mutating func addTranslations(_ db: Database) throws {
    guard try db.tableExists("gtfs_translations") else { return }
    var stops: [Int64: Entry] = [:]
    var byName: [ExactText: [Entry]] = [:]
    for entry in entries {
      stops[entry.sid] = entry
      byName[ExactText(names[entry.name].text), default: []].append(entry)
    }
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT DISTINCT translation, field_value, sid
        FROM gtfs_translations LEFT JOIN dict_stop ON dict_stop.stop_id = record_id
        WHERE table_name = 'stops' AND field_name = 'stop_name' AND translation IS NOT NULL
        ORDER BY translation, field_value, sid
        """)
    while let row = try rows.next() {
      let name: String = try row.decode(atIndex: 0)
      let (value, sid): (String?, Int64?) = (
        try row.decode(atIndex: 1), try row.decode(atIndex: 2)
      )
      let found =
        sid.map { stops[$0].map { [$0] } ?? [] } ?? value.flatMap { byName[ExactText($0)] }
      for entry in found ?? [] {
        addName(name, stationName: nil, sid: entry.sid, isStation: entry.isStation)
      }
    }
  }

  private mutating func addName(
    _ name: String, stationName: String?, sid: Int64, isStation: Bool
  ) {
    let own = words(of: name)
    let further = stationName.map { words(of: $0) }?.filter { !own.contains($0) } ?? []
    let key = Key(name: ExactText(name), further: further)
    let number: Int
    if let known = namesByKey[key] {
      number = known
    } else {
      number = names.count
      namesByKey[key] = number
      names.append(Name(text: name, words: own + further, own: own.count))
    }
    entries.append(Entry(name: number, sid: sid, isStation: isStation))
  }

  private mutating func words(of text: String) -> [UInt32] {
    let exact = ExactText(text)
    if let known = wordsOfTexts[exact] { return known }
    let numbers = SearchWords(FoldedText(text), limit: SearchIndex.mostWords).list.map {
      number(of: $0)
    }
    wordsOfTexts[exact] = numbers
    return numbers
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
  func build() -> (words: [String], names: StoredNames, codes: StoredCodes) {
    let order = words.indices.sorted { ExactText(words[$0]) < ExactText(words[$1]) }
    var ranks = [UInt32](repeating: 0, count: words.count)
    for (rank, index) in order.enumerated() { ranks[index] = UInt32(rank) }

    var importance = departures
    for (child, parent) in parents { importance[parent, default: 0] += departures[child] ?? 0 }
    let sorted = entries.map { (entry: $0, importance: importance[$0.sid] ?? 0) }
      .sorted {
        ($0.entry.name, $1.importance, $0.entry.isStation ? 0 : 1, $0.entry.sid)
          < ($1.entry.name, $0.importance, $1.entry.isStation ? 0 : 1, $1.entry.sid)
      }
    var groups = [Range<Int>](repeating: 0..<0, count: names.count)
    for (index, element) in sorted.enumerated() {
      let name = element.entry.name
      groups[name] = (groups[name].isEmpty ? index : groups[name].lowerBound)..<(index + 1)
    }
    let lengths = names.map(\.text.unicodeScalars.count)
    let nameOrder = names.indices.sorted { one, other in
      let (first, second) = (sorted[groups[one].lowerBound], sorted[groups[other].lowerBound])
      let (left, right) = (
        (second.importance, first.entry.isStation ? 0 : 1, lengths[one]),
        (first.importance, second.entry.isStation ? 0 : 1, lengths[other])
      )
      if left != right { return left < right }
      let (text, otherText) = (ExactText(names[one].text), ExactText(names[other].text))
      return text == otherText ? first.entry.sid < second.entry.sid : text < otherText
    }

    var stored = StoredNames()
    var positions: [Int64: Int] = [:]
    positions.reserveCapacity(codes.count)
    for index in nameOrder {
      var sids: [Int64] = []
      for element in sorted[groups[index]] where sids.last != element.entry.sid {
        let position = stored.sids.count + sids.count
        if positions[element.entry.sid] == nil { positions[element.entry.sid] = position }
        sids.append(element.entry.sid)
      }
      stored.append(
        words: names[index].words.map { ranks[Int($0)] }, own: names[index].own, sids: sids)
    }
    return (order.map { words[$0] }, stored, sortedCodes(positions))
  }

  private func sortedCodes(_ positions: [Int64: Int]) -> StoredCodes {
    var list: [(word: ExactText, position: Int)] = []
    for code in codes {
      guard let position = positions[code.sid] else { continue }
      for word in Set(SearchWords(FoldedText(code.text), limit: SearchIndex.mostWords).list) {
        list.append((ExactText(word), position))
      }
    }
    list.sort { ($0.word, $0.position) < ($1.word, $1.position) }
    return StoredCodes(words: list.map(\.word.text), positions: list.map(\.position))
  }

  // MARK: - Database

  /// Writes the index into the tables of the schema, and fills the full-text index of the names.
  ///
  /// - Parameter db: The connection, inside a transaction, after the stops and `gtfs_translations`.
  /// - Throws: `DatabaseError` with SQLite's code.
  package func write(_ db: Database) throws {
    var builder = self
    try builder.addTranslations(db)
    let (words, names, codes) = builder.build()
    for start in stride(from: 0, to: words.count, by: StoredWords.most) {
      let some = words[start..<min(start + StoredWords.most, words.count)]
      try db.execute(
        sql: "INSERT INTO search_words (first, words) VALUES (?, ?)",
        arguments: [start, Data(StoredWords(Array(some)).bytes)])
    }
    var (word, stop) = (0, 0)
    for start in stride(from: 0, to: names.wordCounts.count, by: StoredNames.most) {
      var some = StoredNames()
      for name in start..<min(start + StoredNames.most, names.wordCounts.count) {
        some.append(
          words: Array(names.words[word..<word + names.wordCounts[name]]),
          own: names.ownCounts[name],
          sids: Array(names.sids[stop..<stop + names.stopCounts[name]]))
        (word, stop) = (word + names.wordCounts[name], stop + names.stopCounts[name])
      }
      try db.execute(
        sql: "INSERT INTO search_names (first, names) VALUES (?, ?)",
        arguments: [start, Data(some.bytes)])
    }
    for start in stride(from: 0, to: codes.words.count, by: StoredCodes.most) {
      let range = start..<min(start + StoredCodes.most, codes.words.count)
      let some = StoredCodes(
        words: Array(codes.words[range]), positions: Array(codes.positions[range]))
      try db.execute(
        sql: "INSERT INTO search_codes (first, least, greatest, codes) VALUES (?, ?, ?, ?)",
        arguments: [start, some.words.first, some.words.last, Data(some.bytes)])
    }
    let index = SearchIndex(words: WordList(words), names: names)
    let search = IndexSearch(index: index, codes: .memory(codes))
    try writeLetters(of: words, search, db)
    try db.execute(
      sql: """
        INSERT INTO stops_fts_names (stops_fts_names) VALUES ('rebuild');
        INSERT INTO stops_fts_names (stops_fts_names) VALUES ('optimize');
        """)
  }

  /// Writes the answers to searches of one letter, which no index makes quick: most names match.
  private func writeLetters(of words: [String], _ search: IndexSearch, _ db: Database) throws {
    var letters: [String] = []
    for word in words {
      guard let letter = word.unicodeScalars.first.map({ String($0) }) else { continue }
      if letters.last.map(ExactText.init) != ExactText(letter) { letters.append(letter) }
    }
    for letter in letters {
      let stops = try search.stops(matching: [letter], limit: StoredLetter.most + 1)
      // Few are found in no time.
      guard stops.count > StoredLetter.most else { continue }
      try db.execute(
        sql: "INSERT INTO search_letters (letter, stops) VALUES (?, ?)",
        arguments: [letter, Data(StoredLetter(sids: stops.dropLast()).bytes)])
    }
  }
}

/// The best stops for a typed letter, as the database stores them in one blob.
struct StoredLetter {
  /// The number of stops: twice as many as a search returns without another limit.
  static let most = 100

  /// The stops, the best first.
  var sids: [Int64]

  init(sids: [Int64]) {
    self.sids = sids
  }

  var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.append(count: sids.count)
    IntegerColumn.append(sids, to: &writer)
    return writer.bytes
  }

  init(_ bytes: [UInt8]) throws(DamagedBytes) {
    var reader = ByteReader(bytes)
    sids = try IntegerColumn.read(try reader.count(upTo: Self.most), from: &reader)
    try reader.end()
  }
}
