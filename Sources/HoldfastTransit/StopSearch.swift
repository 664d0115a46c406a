import Foundation
public import Holdfast

/// Finds stops by what a rider types.
///
/// Each word of the text must begin a word of the stop's name, of its code or of its station's
/// name; the order of the words, the case of letters and diacritics do not matter. So `circ`,
/// `quay circ`, `CIRCULAR` and `circular-q` find Circular Quay, and `lodz` finds Łódź. When
/// nothing is found so, stops are found that contain each of the words anywhere; in scripts that
/// put no blanks between words, these follow in any case.
///
/// Any text is allowed: none is an error, and no character has a meaning of its own.
///
/// The stops come in this order: whose name is the text, whose name begins with it, all others;
/// among these stations first, then short names before long ones.
public struct StopSearch: Hashable, Sendable {
  /// What was typed.
  public var text: String

  /// The largest number of stops to return; a negative one counts as 0.
  public var limit: Int

  // SQLite's time for a text grows with the square of its words, so that there is a limit. No
  // stop has so many; inside of words, where no index helps, the limit is lower.
  private static let mostWords = 1000
  private static let mostContainedWords = 16

  /// Prepares a search.
  ///
  /// - Parameters:
  ///   - text: What was typed, any text.
  ///   - limit: The largest number of stops to return; 50, as much as a list on a phone needs.
  public init(_ text: String, limit: Int = 50) {
    self.text = text
    self.limit = limit
  }

  /// Returns the stops found.
  ///
  /// - Parameter db: The connection of the current access, to a timetable database.
  /// - Returns: At most ``limit`` stops, the best first; none when the text is blank.
  /// - Throws: `DatabaseError` when the database cannot be read, never for the text.
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

  /// The stops whose name is the text: it begins with the text's words and has no further one.
  private func sidsOfStopsNamed(_ typed: FoldedText, _ db: Database) throws -> [Int64] {
    let letters = typed.letters
    // Where thousands of names begin so, most are plainly too long to be no more than the text:
    // nobody sets more marks than letters.
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

  /// The pattern for the columns that begin with a stop's name.
  private static func name(_ pattern: FTS5Pattern?) -> String? {
    pattern.map { "{name folded} : \($0.rawPattern)" }
  }

  // MARK: - Words that contain it

  private func fetchContaining(
    _ typed: FoldedText, limit: Int, _ db: Database
  ) throws -> [Stop] {
    // Characters are Unicode's scalars here: a NUL followed by a mark is one of Swift's.
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
