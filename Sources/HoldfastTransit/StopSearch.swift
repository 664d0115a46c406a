import Foundation
public import Holdfast

/// Finds stops by what a rider types.
///
/// Each word of the text must begin a word of the stop's name, of its code or of its station's
/// name; the order of the words, the case of letters and diacritics do not matter. So `circ`,
/// `quay circ`, `CIRCULAR` and `circular-q` find Circular Quay. When nothing is found so, stops
/// are found that contain each of the words anywhere, which serves scripts without blanks.
///
/// Any text is allowed: none is an error, and no character has a meaning of its own.
///
/// The stops come in this order: whose name is the text, whose name begins with it, all others;
/// among these stations first, then short names before long ones.
public struct StopSearch: Hashable, Sendable {
  /// What was typed.
  public var text: String

  /// The largest number of stops to return; at least 0.
  public var limit: Int

  /// More words than that are not looked for inside of words: it would take long, and no stop has
  /// so many.
  private static let mostContainedWords = 16

  /// Prepares a search.
  ///
  /// - Parameters:
  ///   - text: What was typed, any text.
  ///   - limit: The largest number of stops to return; 50, as much as a list on a phone needs.
  public init(_ text: String, limit: Int = 50) {
    self.text = text
    self.limit = max(0, limit)
  }

  /// Returns the stops found.
  ///
  /// - Parameter db: The connection of the current access, to a timetable database.
  /// - Returns: At most ``limit`` stops, the best first; none when the text is blank.
  /// - Throws: `DatabaseError` when the database cannot be read, never for the text.
  public func fetchAll(_ db: Database) throws -> [Stop] {
    let byPrefix = try fetchByPrefixes(db)
    return try byPrefix.isEmpty ? fetchContaining(db) : byPrefix
  }

  private func fetchByPrefixes(_ db: Database) throws -> [Stop] {
    guard let pattern = FTS5Pattern(matchingAllPrefixesIn: text) else { return [] }
    return try Stop.fetchAll(
      db,
      sql: """
        \(Stop.selection)
        WHERE stops.sid IN (SELECT rowid FROM stops_fts WHERE stops_fts MATCH :pattern)
        ORDER BY
          stops.sid IN (SELECT rowid FROM stops_fts WHERE name MATCH :name) DESC,
          stops.sid IN (SELECT rowid FROM stops_fts WHERE name MATCH :beginning) DESC,
          \(Self.importance)
        LIMIT :limit
        """,
      arguments: [
        "pattern": pattern,
        "name": FTS5Pattern(matchingBeginning: text, isComplete: true),
        "beginning": FTS5Pattern(matchingBeginning: text),
        "limit": limit,
      ])
  }

  private func fetchContaining(_ db: Database) throws -> [Stop] {
    // Characters are Unicode's scalars here: a NUL followed by a mark is one of Swift's.
    let words = Set(
      text.unicodeScalars.split { $0.properties.isWhitespace || $0.value == 0 }.map(String.init))
    guard !words.isEmpty, words.count <= Self.mostContainedWords else { return [] }
    let list = String(decoding: try JSONEncoder().encode(words.sorted()), as: UTF8.self)
    return try Stop.fetchAll(
      db,
      sql: """
        \(Stop.selection)
        WHERE NOT EXISTS (
          SELECT 1 FROM json_each(:words)
          WHERE instr(lower(stops.stop_name), lower(value)) = 0
            AND instr(lower(ifnull(stops.stop_code, '')), lower(value)) = 0)
        ORDER BY \(Self.importance)
        LIMIT :limit
        """,
      arguments: ["words": list, "limit": limit])
  }

  private static let importance =
    "stops.location_type = 1 DESC, length(stops.stop_name), stops.stop_name, stops.sid"
}
