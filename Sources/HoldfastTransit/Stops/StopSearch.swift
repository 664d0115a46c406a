import Foundation
public import Holdfast

/// A search for stops by a text that a rider types.
///
/// Each word of the text must be the beginning of a word of the stop's name, of its code or of its
/// station's name; the order of the words, letter case and diacritics do not matter. So `circ`,
/// `quay circ`, `CIRCULAR` and `circular-q` find Circular Quay, and `lodz` finds Łódź. If this
/// finds nothing, stops are returned that contain each of the words anywhere; in scripts without
/// spaces between words, such stops are always added at the end.
///
/// Any text is allowed: none is an error, and no character has a special meaning.
///
/// The stops are sorted in this order: those with exactly this name, those with names that begin
/// with it, all others; within each group stations first, then short names before long ones.
public struct StopSearch: Hashable, Sendable {
  /// The typed text.
  public var text: String

  /// The largest number of stops to return; a negative one counts as 0.
  public var limit: Int

  // SQLite's time for a text grows with the square of its number of words, hence a limit. No stop
  // has that many words. The limit is lower for a search inside words, which uses no index.
  private static let mostWords = 1000
  private static let mostContainedWords = 16

  /// Prepares a search.
  ///
  /// - Parameters:
  ///   - text: The typed text; any text is allowed.
  ///   - limit: The largest number of stops to return; the default of 50 is enough for a list on a
  ///     phone.
  public init(_ text: String, limit: Int = 50) {
    self.text = text
    self.limit = limit
  }

  /// Returns the stops that match.
  ///
  /// - Parameter db: The connection of the current access, to a timetable database.
  /// - Returns: At most ``limit`` stops, the best first; none when the text is blank.
  /// - Throws: `DatabaseError` when the database cannot be read, never because of the text.
  public func fetchAll(_ db: Database) throws -> [Stop] {
    guard limit > 0 else { return [] }
    let typed = FoldedText(text)
    let stops = try fetchByPrefixes(of: typed, db)
    guard stops.isEmpty || typed.hasScriptWithoutBlanks, stops.count < limit else { return stops }
    let known = Set(stops.map(\.sid))
    let others = try fetchContaining(typed, limit: limit + stops.count, db)
    return Array((stops + others.filter { !known.contains($0.sid) }).prefix(limit))
  }

  // MARK: - Words that begin so

  private func fetchByPrefixes(of typed: FoldedText, _ db: Database) throws -> [Stop] {
    guard Set(FTS5Pattern.words(in: typed.text)).count <= Self.mostWords,
      let pattern = FTS5Pattern(matchingAllPrefixesIn: typed.text)
    else { return [] }
    return try Stop.fetchAll(
      db,
      sql: """
        \(Stop.selection)
        WHERE stops.sid IN (SELECT rowid FROM stops_fts WHERE stops_fts MATCH :pattern)
        ORDER BY
          stops.stop_name = :text COLLATE NOCASE DESC,
          stops.sid IN (SELECT value FROM json_each(:same)) DESC,
          stops.sid IN (SELECT rowid FROM stops_fts WHERE stops_fts MATCH :beginning) DESC,
          \(Self.importance)
        LIMIT :limit
        """,
      arguments: [
        "pattern": pattern,
        "text": text.trimmingCharacters(in: .whitespacesAndNewlines),
        "same": try Self.list(sidsOfStopsNamed(typed, db)),
        "beginning": Self.name(FTS5Pattern(matchingBeginning: typed.text)),
        "limit": limit,
      ])
  }

  /// Returns the stops with exactly this name: it begins with the text's words and has no others.
  private func sidsOfStopsNamed(_ typed: FoldedText, _ db: Database) throws -> [Int64] {
    let letters = typed.letters
    // If thousands of names begin with the text, most are clearly too long to be equal to it: no
    // name has more punctuation than letters.
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT sid, stop_name FROM stops
        WHERE sid IN (SELECT rowid FROM stops_fts WHERE stops_fts MATCH ?1)
          AND (folded IS NOT NULL OR length(stop_name) <= 2 * ?2 + 8)
        """,
      arguments: [
        Self.name(FTS5Pattern(matchingBeginning: typed.text, isComplete: true)),
        letters.unicodeScalars.count,
      ])
    var sids: [Int64] = []
    while let row = try rows.next() {
      let name: String = try row.decode(atIndex: 1)
      if FoldedText(name).letters == letters { sids.append(try row.decode(atIndex: 0)) }
    }
    return sids
  }

  /// Returns the pattern for the columns that begin with a stop's name.
  private static func name(_ pattern: FTS5Pattern?) -> String? {
    pattern.map { "{name folded} : \($0.rawPattern)" }
  }

  // MARK: - Words that contain it

  private func fetchContaining(
    _ typed: FoldedText, limit: Int, _ db: Database
  ) throws -> [Stop] {
    // Unicode scalars are used here: a NUL followed by a combining mark is one Swift `Character`.
    let words = Set(
      typed.text.unicodeScalars.split { $0.properties.isWhitespace || $0.value == 0 }
        .map(String.init))
    guard !words.isEmpty, words.count <= Self.mostContainedWords else { return [] }
    return try Stop.fetchAll(
      db,
      sql: """
        \(Stop.selection)
        WHERE stops.sid IN (
          SELECT sid FROM stops_text WHERE NOT EXISTS (
            SELECT 1 FROM json_each(:words)
            WHERE instr(
              ifnull(folded, lower(name || ' ' || ifnull(code, '') || ' ' || ifnull(station, ''))),
              value) = 0))
        ORDER BY \(Self.importance)
        LIMIT :limit
        """,
      arguments: ["words": try Self.list(words.sorted()), "limit": limit])
  }

  private static func list(_ values: some Encodable) throws -> String {
    String(decoding: try JSONEncoder().encode(values), as: UTF8.self)
  }

  private static let importance =
    "stops.location_type = 1 DESC, length(stops.stop_name), stops.stop_name, stops.sid"
}
