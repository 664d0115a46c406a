import Foundation
package import Holdfast

/// The writer of the index by which stops are found.
///
/// The words of the stops' names are collected on another thread from the writer's creation, and the
/// index is built there as soon as it is known how often trips call at each stop.
package struct SearchIndexWriter {
  /// A stop to be found.
  package struct Place: Sendable {
    /// The stop's number.
    package var sid: Int64
    /// The stop's `stop_id`, which translations name.
    package var stopID: String
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
      sid: Int64, stopID: String = "", name: String, stationName: String? = nil,
      parent: Int64? = nil, code: String? = nil, isStation: Bool = false
    ) {
      (self.sid, self.stopID, self.name, self.stationName) = (sid, stopID, name, stationName)
      (self.parent, self.code, self.isStation) = (parent, code, isStation)
    }
  }

  /// The rows of the tables of the index.
  fileprivate struct Rows: Sendable {
    var words: [(first: Int, bytes: [UInt8])] = []
    var names: [(first: Int, bytes: [UInt8])] = []
    var codes: [(first: Int, least: String?, greatest: String?, bytes: [UInt8])] = []
    var letters: [(letter: String, bytes: [UInt8])] = []
  }

  private let count: Int
  private let place: @Sendable (Int) -> Place
  /// The builder with all stops.
  private let collected: ConcurrentMap<SearchIndexBuilder>
  private var rows: ConcurrentMap<Result<Rows, any Error>>?

  /// Creates a writer, which starts to collect words.
  ///
  /// - Parameters:
  ///   - count: The number of stops.
  ///   - place: Returns one of the stops, on any thread.
  package init(_ count: Int, _ place: @escaping @Sendable (Int) -> Place) {
    (self.count, self.place) = (count, place)
    collected = ConcurrentMap(1) { _ in
      var builder = SearchIndexBuilder()
      for number in 0..<count { builder.add(place(number)) }
      return builder
    }
  }

  /// Starts to build the index; called once.
  ///
  /// - Parameters:
  ///   - content: The trips. How often they call at a stop is its importance; a station's importance is
  ///     the sum over its stops.
  ///   - db: The connection, inside a transaction, after `gtfs_translations`.
  /// - Throws: `DatabaseError` with SQLite's code.
  package mutating func build(_ content: TimetableContent, _ db: Database) throws {
    let translations = try translations(db)
    rows = ConcurrentMap(1) { [collected, count] _ in
      var builder = collected.all()[0]
      builder.add(translations)
      // The numbers of stops that a newer feed has added are greater, though not twice as great.
      var departures = StopCounts(below: 2 * count)
      content.countDepartures(&departures)
      let (words, names, codes) = builder.build(departures: departures)
      return Result { try Rows(words, names, codes) }
    }
  }

  /// Returns the names in other languages from the feed's `translations.txt`.
  private func translations(_ db: Database) throws -> [SearchIndexBuilder.Translation] {
    guard try db.tableExists("gtfs_translations") else { return [] }
    let places = (0..<count).lazy.map(place)
    let sids = Dictionary(places.map { (ExactText($0.stopID), $0.sid) }) { first, _ in first }
    return try Row.fetchAll(
      db,
      sql: """
        SELECT DISTINCT translation, field_value, record_id FROM gtfs_translations
        WHERE table_name = 'stops' AND field_name = 'stop_name' AND translation IS NOT NULL
        ORDER BY translation, field_value, record_id
        """
    ).map { row in
      let stopID: String? = try row.decode(atIndex: 2)
      return SearchIndexBuilder.Translation(
        name: try row.decode(atIndex: 0), original: try row.decode(atIndex: 1),
        sid: stopID.flatMap { sids[ExactText($0)] })
    }
  }

  /// Writes the index into the tables of the schema, and fills the full-text index of the names; called
  /// once.
  ///
  /// - Parameter db: The connection, inside the same transaction.
  /// - Throws: `DatabaseError` with SQLite's code.
  package func write(_ db: Database) throws {
    var isWritten = false
    try rows?.forEach {
      try write(try $0.get(), db)
      isWritten = true
    }
    precondition(isWritten, "A search index is built and written once.")
  }

  private func write(_ rows: Rows, _ db: Database) throws {
    for row in rows.words {
      try db.execute(
        sql: "INSERT INTO search_words (first, words) VALUES (?, ?)",
        arguments: [row.first, Data(row.bytes)])
    }
    for row in rows.names {
      try db.execute(
        sql: "INSERT INTO search_names (first, names) VALUES (?, ?)",
        arguments: [row.first, Data(row.bytes)])
    }
    for row in rows.codes {
      try db.execute(
        sql: "INSERT INTO search_codes (first, least, greatest, codes) VALUES (?, ?, ?, ?)",
        arguments: [row.first, row.least, row.greatest, Data(row.bytes)])
    }
    for row in rows.letters {
      try db.execute(
        sql: "INSERT INTO search_letters (letter, stops) VALUES (?, ?)",
        arguments: [row.letter, Data(row.bytes)])
    }
    try db.execute(
      sql: """
        INSERT INTO stops_fts_names (stops_fts_names) VALUES ('rebuild');
        INSERT INTO stops_fts_names (stops_fts_names) VALUES ('optimize');
        """)
  }
}

extension SearchIndexWriter.Rows {
  /// Codes an index.
  fileprivate init(_ words: [String], _ names: StoredNames, _ codes: StoredCodes) throws {
    for start in stride(from: 0, to: words.count, by: StoredTexts.mostWords) {
      let some = words[start..<min(start + StoredTexts.mostWords, words.count)]
      self.words.append((start, StoredTexts(Array(some)).bytes))
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
      self.names.append((start, some.bytes))
    }
    for start in stride(from: 0, to: codes.words.count, by: StoredCodes.most) {
      let range = start..<min(start + StoredCodes.most, codes.words.count)
      let some = StoredCodes(
        words: Array(codes.words[range]), positions: Array(codes.positions[range]))
      self.codes.append((start, some.words.first, some.words.last, some.bytes))
    }
    let index = SearchIndex(words: WordList(words), names: names)
    try addLetters(of: words, IndexSearch(index: index, codes: .memory(codes)))
  }

  /// Adds the answers to searches of one letter, which no index makes quick: most names match.
  private mutating func addLetters(of words: [String], _ search: IndexSearch) throws {
    var letters: [String] = []
    for word in words {
      guard let letter = word.unicodeScalars.first.map({ String($0) }) else { continue }
      if letters.last.map(ExactText.init) != ExactText(letter) { letters.append(letter) }
    }
    for letter in letters {
      let stops = try search.stops(matching: [letter], limit: StoredLetter.most + 1)
      // Few are found in no time.
      guard stops.count > StoredLetter.most else { continue }
      self.letters.append((letter, StoredLetter(sids: stops.dropLast()).bytes))
    }
  }
}
