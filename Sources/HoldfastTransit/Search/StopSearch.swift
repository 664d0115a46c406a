import Foundation
public import Holdfast

/// A search for stops by a text that a rider types.
///
/// Each word of the text must be the beginning of a word of the stop's name, of its code or of its
/// station's name; the order of the words, letter case and diacritics do not matter. So `circ`,
/// `quay circ`, `CIRCULAR` and `circular-q` find Circular Quay, and `lodz` finds Łódź. Names in other
/// languages, from the feed's `translations.txt`, find a stop too. Hiragana also finds names in
/// katakana, and the reverse, after those in the kana that was typed.
///
/// If this finds nothing, stops are returned that contain each of the words anywhere; in scripts
/// without spaces between words, such stops are always added at the end. If there are none either, a
/// typing error is tolerated in words of four letters or more, and two in words of eight or more.
///
/// Any text is allowed: none is an error, and no character has a special meaning. Of a text of more
/// than 64 words, the first 64 are searched.
///
/// The stops are sorted in this order: those with exactly this name or code, those with names that
/// begin with it, all others by name, all others by code. Within each group the nearest ones are
/// first if the search has a ``position``; else those at which most trips call, then stations, then
/// short names.
///
/// The first search on a connection reads the words of all names, and the connection keeps them until
/// the database changes: about 40 bytes for each name.
public struct StopSearch: Hashable, Sendable {
  /// The typed text.
  public var text: String

  /// The largest number of stops to return; a negative one counts as 0.
  public var limit: Int

  /// The position from which distances are measured, such as the rider's; `nil` if the distance does
  /// not matter.
  public var position: Position?

  /// The languages in which the names are returned, as BCP 47 tags, the most preferred one first.
  ///
  /// Without any, the names are those that the feed has. Names in all languages are searched.
  public var languages: [String] = []

  /// The number of names among which the one that is spelled as typed is sought.
  private static let mostSpellings = 100

  /// Prepares a search.
  ///
  /// - Parameters:
  ///   - text: The typed text; any text is allowed.
  ///   - limit: The largest number of stops to return; the default of 50 is enough for a list on a
  ///     phone.
  ///   - position: The position from which distances are measured; `nil` if the distance does not
  ///     matter.
  public init(_ text: String, limit: Int = 50, near position: Position? = nil) {
    self.text = text
    self.limit = limit
    self.position = position
  }

  /// Returns the stops that match.
  ///
  /// - Parameter db: The connection of the current access, to a timetable database.
  /// - Returns: At most ``limit`` stops, the best first; none when the text is blank.
  /// - Throws: ``TransitError`` with `.damaged` when the index cannot be decoded; `DatabaseError`
  ///   when the database cannot be read; `CancellationError` when the current task is canceled
  ///   before a search for parts of words or for typing errors; never because of the text.
  public func fetchAll(_ db: Database) throws -> [Stop] {
    let start = ContinuousClock.now
    let stops = try db.deferringTemporaryObjects {
      let stops = try fetchUntranslated(db)
      guard !languages.isEmpty else { return stops }
      let translations = Translations(languages)
      return try stops.map { try translations.translating($0, db) }
    }
    TransitLog.searched(in: start.duration(to: .now), stopCount: stops.count)
    return stops
  }

  private func fetchUntranslated(_ db: Database) throws -> [Stop] {
    guard limit > 0 else { return [] }
    let folded = FoldedText(text)
    let typed = SearchWords(folded, limit: SearchIndex.mostWords)
    let words = typed.list
    guard !words.isEmpty else { return [] }
    if let stops = try listed(words, db) { return stops }
    let tables = try SearchTables.of(db)
    let search = tables.search(db)
    let sorting = try position.map { position in
      let positions = try tables.positions(db)
      return { (sids: [Int64]) in Self.sorted(sids, by: position, positions) }
    }

    func stops(with words: [String]) throws -> [Int64] {
      let sids = try search.stops(
        matching: words, limit: limit,
        exact: { exact in
          let near = sorting.map { $0(exact) } ?? exact
          return try spelledAsTypedFirst(near, tables, db)
        }, sorting: sorting)
      guard sids.isEmpty || (folded.hasScriptWithoutBlanks && sids.count < limit) else {
        return sids
      }
      // The rest looks at all words, and runs no statement that an interruption would end.
      try Task.checkCancellation()
      let more = search.stops(
        containing: words, limit: min(limit, .max - sids.count) + sids.count, sorting: sorting)
      return added(more, to: sids)
    }

    var sids = try stops(with: words)
    if sids.count < limit, let other = folded.inOtherKana {
      let words = SearchWords(other, limit: SearchIndex.mostWords).list
      sids = added(try stops(with: words), to: sids)
    }
    if sids.isEmpty {
      try Task.checkCancellation()
      sids = search.stops(similarTo: words, limit: limit, sorting: sorting)
    }
    if sids.isEmpty, !typed.hasLetters { return try fetchContaining(symbols: words, db) }
    return try tables.stops(sids, db)
  }

  /// Returns stops and those after them that are not among them, at most ``limit``.
  private func added(_ more: [Int64], to sids: [Int64]) -> [Int64] {
    let known = Set(sids)
    return Array((sids + more.filter { !known.contains($0) }).prefix(limit))
  }

  /// Returns the stops whose names contain symbols, which the index leaves out of names with letters.
  private func fetchContaining(symbols: [String], _ db: Database) throws -> [Stop] {
    try Stop.fetchAll(
      db,
      sql: """
        \(try Stop.selection(db))
        WHERE NOT EXISTS (SELECT 1 FROM json_each(?1) WHERE instr(stop_name, value) = 0)
        ORDER BY location_type = 1 DESC, length(stop_name), stop_name, stops.sid
        LIMIT ?2
        """,
      arguments: [String(decoding: try JSONEncoder().encode(symbols), as: UTF8.self), limit])
  }

  /// Returns the stops for a single letter from the list that the import made.
  ///
  /// Half of all names match then, and it is the first search after the file was opened.
  private func listed(_ words: [String], _ db: Database) throws -> [Stop]? {
    guard position == nil, limit <= StoredLetter.most, words.count == 1,
      let letter = words.first, letter.unicodeScalars.count == 1,
      try db.headerNumber(.userVersion) >= TimetableSchema.firstVersionWithTrips,
      let bytes = try Data.fetchOne(
        db, sql: "SELECT stops FROM search_letters WHERE letter = ?", arguments: [letter])
    else { return nil }
    let list = try SearchTables.decoding(
      db, "search_letters", Int64(letter.unicodeScalars.first?.value ?? 0)
    ) {
      () throws(DamagedBytes) in try StoredLetter([UInt8](bytes))
    }
    let sids = Array(list.sids.prefix(limit))
    let stops = try Stop.fetchAll(db, sids: sids)
    return sids.compactMap { stops[$0] }
  }

  /// Returns the stops whose name has the typed punctuation too before the others.
  private func spelledAsTypedFirst(
    _ sids: [Int64], _ tables: SearchTables, _ db: Database
  ) throws -> [Int64] {
    guard sids.count > 1 else { return sids }
    let typed = text.trimmingCharacters(in: .whitespacesAndNewlines).lowercased()
    let stops = try tables.stops(Array(sids.prefix(Self.mostSpellings)), db)
    let same = stops.filter { $0.stopName.lowercased() == typed }.map(\.sid)
    guard !same.isEmpty, same.count < sids.count else { return sids }
    let known = Set(same)
    return same + sids.filter { !known.contains($0) }
  }

  private static func sorted(
    _ sids: [Int64], by position: Position, _ positions: [Int64: Position]
  ) -> [Int64] {
    // The sort is stable: equal distances stay in the order of importance.
    sids.map { sid in (sid, positions[sid].map { position.haversine(to: $0) } ?? .infinity) }
      .sorted { $0.1 < $1.1 }.map(\.0)
  }
}
