import Foundation
package import Holdfast

/// The writer of the index by which stops are found.
///
/// The index is built on another thread from the writer's creation.
package struct SearchIndexWriter {
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

  private typealias Index = (words: [String], names: StoredNames, codes: StoredCodes)

  private let index: ConcurrentMap<Index>

  /// Creates a writer.
  ///
  /// - Parameters:
  ///   - places: The stops.
  ///   - departures: How often trips call at each stop, which is its importance; that of a station is
  ///     the sum of what belongs to it.
  ///   - db: The connection, inside a transaction, after the stops and `gtfs_translations`.
  /// - Throws: `DatabaseError` with SQLite's code.
  package init(_ places: [Place], departures: [Int64: Int] = [:], _ db: Database) throws {
    let translations = try Self.translations(db)
    index = ConcurrentMap(1) { _ in
      var builder = SearchIndexBuilder(departures: departures)
      for place in places { builder.add(place) }
      builder.add(translations)
      return builder.build()
    }
  }

  /// Returns the names in other languages from the feed's `translations.txt`.
  private static func translations(
    _ db: Database
  ) throws -> [SearchIndexBuilder.Translation] {
    guard try db.tableExists("gtfs_translations") else { return [] }
    return try Row.fetchAll(
      db,
      sql: """
        SELECT DISTINCT translation, field_value, sid
        FROM gtfs_translations LEFT JOIN dict_stop ON dict_stop.stop_id = record_id
        WHERE table_name = 'stops' AND field_name = 'stop_name' AND translation IS NOT NULL
        ORDER BY translation, field_value, sid
        """
    ).map { row in
      SearchIndexBuilder.Translation(
        name: try row.decode(atIndex: 0), original: try row.decode(atIndex: 1),
        sid: try row.decode(atIndex: 2))
    }
  }

  /// Writes the index into the tables of the schema, and fills the full-text index of the names; called
  /// once.
  ///
  /// - Parameter db: The connection, inside the same transaction.
  /// - Throws: `DatabaseError` with SQLite's code.
  package func write(_ db: Database) throws {
    var isWritten = false
    try index.forEach {
      try write($0, db)
      isWritten = true
    }
    precondition(isWritten, "A search index is written once.")
  }

  private func write(_ index: Index, _ db: Database) throws {
    let (words, names, codes) = index
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
