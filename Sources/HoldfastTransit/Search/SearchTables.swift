import Foundation
import Holdfast

/// A connection's cache for searches: the index of names, and the stops of the last answers.
///
/// It is dropped when the database changes.
// Sendable because only the thread that holds the connection uses the tables that are kept with it.
final class SearchTables: @unchecked Sendable {
  private let index: SearchIndex
  private let codes: StoredCodes?
  private let codeRange: ClosedRange<ExactText>?
  private var recentStops = RecentValues<Int64, Stop>(limit: 5_000)
  private var positions: [Int64: Position]?

  /// Returns the tables of a connection, which are kept from its last access if nothing has changed.
  static func of(_ db: Database) throws -> SearchTables {
    // An observation depends on what is cached too, which no statement reads.
    try db.registerAccess(to: DatabaseRegion.fullDatabase)
    return try db.cached { try SearchTables($0) }
  }

  private init(_ db: Database) throws {
    guard try db.headerNumber(.userVersion) >= TimetableSchema.firstVersionWithTrips else {
      let (words, names, codes) = try Self.builder(ofOlder: db).build()
      index = SearchIndex(words: WordList(words), names: names)
      (self.codes, codeRange) = (codes, nil)
      return
    }
    index = try Self.index(db)
    codes = nil
    let least = try String.fetchOne(db, sql: "SELECT min(least) FROM search_codes")
    let greatest = try String.fetchOne(
      db, sql: "SELECT greatest FROM search_codes ORDER BY least DESC, first DESC LIMIT 1")
    if let least, let greatest, ExactText(least) <= ExactText(greatest) {
      codeRange = ExactText(least)...ExactText(greatest)
    } else {
      codeRange = nil
    }
  }

  /// Returns the search in the index.
  func search(_ db: Database) -> IndexSearch {
    let stored = codeRange.map { IndexSearch.Codes.table(db, $0) }
    return IndexSearch(
      index: index,
      codes: stored ?? .memory(codes ?? StoredCodes(words: [], positions: [])))
  }

  // MARK: - Stops

  /// Returns stops in the order of their numbers in a list.
  func stops(_ sids: [Int64], _ db: Database) throws -> [Stop] {
    var found: [Int64: Stop] = [:]
    var missing: [Int64] = []
    for sid in sids {
      if let stop = recentStops.value(sid) { found[sid] = stop } else { missing.append(sid) }
    }
    if !missing.isEmpty {
      for (sid, stop) in try Stop.fetchAll(db, sids: missing) {
        recentStops.insert(stop, for: sid)
        found[sid] = stop
      }
    }
    return sids.compactMap { found[$0] }
  }

  /// Returns the positions of all stops that have one.
  func positions(_ db: Database) throws -> [Int64: Position] {
    if let positions { return positions }
    let all = try StopIndex.ofStops(in: db).positions
    positions = all
    return all
  }

  // MARK: - Reading

  private static func index(_ db: Database) throws -> SearchIndex {
    var (words, names) = (WordList(EmptyCollection()), StoredNames())
    let wordRows = try Row.fetchCursor(
      db, sql: "SELECT first, words FROM search_words ORDER BY first")
    while let row = try wordRows.next() {
      let first: Int64 = try row.decode(atIndex: 0)
      let bytes = [UInt8](try row.decode(Data.self, atIndex: 1))
      try decoding(db, "search_words", first) { () throws(DamagedBytes) in
        guard first == words.count else { throw DamagedBytes() }
        for word in try StoredTexts(bytes, upTo: StoredTexts.mostWords).texts { words.append(word) }
      }
    }
    let nameRows = try Row.fetchCursor(
      db, sql: "SELECT first, names FROM search_names ORDER BY first")
    while let row = try nameRows.next() {
      let first: Int64 = try row.decode(atIndex: 0)
      let bytes = [UInt8](try row.decode(Data.self, atIndex: 1))
      try decoding(db, "search_names", first) { () throws(DamagedBytes) in
        let more = try StoredNames(bytes)
        guard more.words.allSatisfy({ $0 < words.count }) else { throw DamagedBytes() }
        names.append(more)
      }
    }
    return SearchIndex(words: words, names: names)
  }

  /// Runs a decoding, and names the row in the error of one that fails.
  static func decoding<Value>(
    _ db: Database, _ table: String, _ row: Int64, _ body: () throws(DamagedBytes) -> Value
  ) throws -> Value {
    do {
      return try body()
    } catch {
      throw TransitError.damaged(path: db.path, table: table, row: row)
    }
  }

  /// Reads the stops of a database of version 1, which has no such index.
  private static func builder(ofOlder db: Database) throws -> SearchIndexBuilder {
    var builder = SearchIndexBuilder()
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT stops.sid, stops.stop_name, station.stop_name, stops.stop_code, stops.location_type
        FROM main.stops LEFT JOIN main.stops AS station ON station.sid = stops.parent_sid
        ORDER BY stops.sid
        """)
    while let row = try rows.next() {
      let type: Int = try row.decode(atIndex: 4)
      builder.add(
        SearchIndexWriter.Place(
          sid: try row.decode(atIndex: 0), name: try row.decode(atIndex: 1),
          stationName: try row.decode(atIndex: 2), code: try row.decode(atIndex: 3),
          isStation: type == 1))
    }
    return builder
  }
}
