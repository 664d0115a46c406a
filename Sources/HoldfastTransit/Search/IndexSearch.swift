import Foundation
import Holdfast

/// A search in the index of stops' names and codes.
struct IndexSearch {
  /// The words of the stops' codes.
  enum Codes {
    case memory(StoredCodes)
    /// Those of a database, from the least to the greatest one.
    case table(Database, ClosedRange<ExactText>)
  }

  let index: SearchIndex
  let codes: Codes

  /// The number of stops that are considered because of one word of their codes.
  private static let mostCodes = 2048
  /// So many codes begin with a word of fewer letters that it is sought in those of the stops that
  /// have all other words.
  private static let shortestCodePrefix = 3
  /// The number of stops in whose codes it is sought.
  private static let mostStops = 500

  /// A function that sorts stops of the same rank; `nil` for the order of importance.
  typealias Sorting = ([Int64]) -> [Int64]

  /// Returns the stops that have all words.
  ///
  /// - Parameters:
  ///   - typed: The typed words in their order.
  ///   - limit: The largest number of stops.
  ///   - exact: Sorts the stops with exactly these words.
  ///   - sorting: Sorts other stops of the same rank.
  /// - Returns: The stops, the best first.
  /// - Throws: ``TransitError`` with `.damaged`; `DatabaseError`; whatever `exact` throws.
  func stops(
    matching typed: [String], limit: Int, exact: ([Int64]) throws -> [Int64] = { $0 },
    sorting: Sorting? = nil
  ) throws -> [Int64] {
    let distinct = Self.distinct(typed)
    guard !distinct.isEmpty else { return [] }
    let mask = index.prefixes(distinct)
    let matches = index.matches(typed, mask)
    let coded = try codes(distinct, mask)
    var result = Ranking(limit: limit, sorting: sorting)
    result.add(try exact(matches.exact.flatMap { index.stops(named: $0) }))
    result.add(coded.exact)
    result.add(matches.beginning, index)
    result.add(matches.others, index)
    result.add(coded.others)
    return result.stops
  }

  /// Returns the stops that have all words inside of theirs.
  func stops(containing typed: [String], limit: Int, sorting: Sorting? = nil) -> [Int64] {
    let distinct = Self.distinct(typed)
    guard !distinct.isEmpty else { return [] }
    var result = Ranking(limit: limit, sorting: sorting)
    result.add(index.names(index.containing(distinct)), index)
    return result.stops
  }

  /// Returns the stops that have all words, apart from typing errors: first in the words that match
  /// nothing, then in all.
  func stops(similarTo typed: [String], limit: Int, sorting: Sorting? = nil) -> [Int64] {
    let distinct = Self.distinct(typed)
    guard !distinct.isEmpty else { return [] }
    var result = Ranking(limit: limit, sorting: sorting)
    for isForAll in [false, true] where result.stops.isEmpty {
      result.add(index.names(index.similar(distinct, isForAll: isForAll)), index)
    }
    return result.stops
  }

  private static func distinct(_ typed: [String]) -> [String] {
    var known: Set<ExactText> = []
    return typed.filter { known.insert(ExactText($0)).inserted }
  }

  // MARK: - Codes

  private func codes(
    _ typed: [String], _ mask: SearchIndex.Mask
  ) throws -> (exact: [Int64], others: [Int64]) {
    let isShort = typed.map { $0.unicodeScalars.count < Self.shortestCodePrefix }
    // In memory every code is looked at anyway.
    let areAllListed = if case .memory = codes { true } else { !isShort.contains(false) }
    var found: [Int: (whole: UInt64, begun: UInt64)] = [:]
    var sought: UInt64 = 0
    for (number, word) in typed.enumerated() {
      let bit: UInt64 = 1 << UInt64(number)
      guard areAllListed || !isShort[number] else {
        if mayBegin(word) { sought |= bit }
        continue
      }
      for (isWhole, position) in try positions(ofCodesBeginningWith: word) {
        found[position, default: (0, 0)].begun |= bit
        if isWhole { found[position]?.whole |= bit }
      }
    }
    if sought != 0 { try seek(sought, typed, mask, &found) }
    var (exact, others) = ([Int64](), [Int64]())
    // The positions are in the order of importance.
    for (position, bits) in found.sorted(by: { $0.key < $1.key }) {
      guard let stop = index.stop(at: position) else { continue }
      if bits.whole == mask.all {
        exact.append(stop.sid)
      } else if bits.begun | index.bits(ofName: stop.name, mask) == mask.all {
        others.append(stop.sid)
      }
    }
    return (exact, others)
  }

  /// Seeks short words in the codes of the stops that have all other words.
  private func seek(
    _ sought: UInt64, _ typed: [String], _ mask: SearchIndex.Mask,
    _ found: inout [Int: (whole: UInt64, begun: UInt64)]
  ) throws {
    var positions: [Int64: Int] = [:]
    for (position, bits) in found {
      guard let stop = index.stop(at: position),
        bits.begun | sought | index.bits(ofName: stop.name, mask) == mask.all
      else { continue }
      positions[stop.sid] = position
    }
    for name in index.names(mask, without: sought) where positions.count < Self.mostStops {
      for position in index.positions(named: name) {
        if let stop = index.stop(at: position) { positions[stop.sid] = position }
      }
    }
    guard !positions.isEmpty, case .table(let db, _) = codes else { return }
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT sid, stop_code FROM main.stops
        WHERE sid IN (SELECT value FROM json_each(?)) AND stop_code IS NOT NULL
        """,
      arguments: [positions.keys.jsonArray])
    while let row = try rows.next() {
      guard let position = positions[try row.decode(atIndex: 0)] else { continue }
      let words = SearchWords(FoldedText(try row.decode(atIndex: 1))).list
      for (number, word) in typed.enumerated() where sought & 1 << UInt64(number) != 0 {
        let bit: UInt64 = 1 << UInt64(number)
        if words.contains(where: { $0.utf8.starts(with: word.utf8) }) {
          found[position, default: (0, 0)].begun |= bit
        }
        if words.contains(where: { $0.utf8.elementsEqual(word.utf8) }) {
          found[position]?.whole |= bit
        }
      }
    }
  }

  private func positions(
    ofCodesBeginningWith word: String
  ) throws -> [(isWhole: Bool, position: Int)] {
    let bytes = Array(word.utf8)
    var found: [(Bool, Int)] = []
    try forEachBlock(from: word) { block in
      let start = block.words.partitioningIndex { !$0.utf8.lexicographicallyPrecedes(bytes) }
      for index in start..<block.words.count {
        let code = block.words[index].utf8
        guard code.starts(with: bytes), found.count < Self.mostCodes else { return false }
        found.append((code.count == bytes.count, block.positions[index]))
      }
      return true
    }
    return found
  }

  /// Whether a code may begin with a word.
  private func mayBegin(_ word: String) -> Bool {
    guard case .table(_, let range) = codes else { return true }
    // The words that begin with the text are less than it with the last letter of Unicode.
    return ExactText(word) <= range.upperBound
      && range.lowerBound <= ExactText(word + "\u{10FFFF}")
  }

  /// Calls a closure with the blocks from the one that may contain a word on, until it returns
  /// `false`.
  private func forEachBlock(from word: String, _ body: (StoredCodes) -> Bool) throws {
    switch codes {
    case .memory(let codes): _ = body(codes)
    case .table(let db, _):
      guard mayBegin(word) else { return }
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT codes, first FROM (
            SELECT codes, first, greatest FROM search_codes WHERE least < ?1
            ORDER BY least DESC, first DESC LIMIT 1)
          WHERE greatest >= ?1
          UNION ALL
          SELECT codes, first FROM (
            SELECT codes, first FROM search_codes
            WHERE least >= ?1 AND least < ?1 || char(0x10FFFF) ORDER BY least, first LIMIT 9)
          """,
        arguments: [word])
      while let row = try rows.next() {
        let bytes = [UInt8](try row.decode(Data.self, atIndex: 0))
        let block = try SearchTables.decoding(db, "search_codes", row.decode(atIndex: 1)) {
          () throws(DamagedBytes) in try StoredCodes(bytes)
        }
        guard body(block) else { return }
      }
    }
  }
}

/// Stops in the order of their rank, each once.
private struct Ranking {
  let limit: Int
  let sorting: IndexSearch.Sorting?
  private(set) var stops: [Int64] = []
  private var known: Set<Int64> = []

  init(limit: Int, sorting: IndexSearch.Sorting?) {
    (self.limit, self.sorting) = (max(0, limit), sorting)
  }

  mutating func add(_ names: [Int], _ index: SearchIndex) {
    if let sorting {
      add(sorting(names.flatMap { index.stops(named: $0) }))
    } else {
      for name in names where stops.count < limit { add(index.stops(named: name)) }
    }
  }

  mutating func add(_ more: some Sequence<Int64>) {
    for sid in more {
      guard stops.count < limit else { return }
      if known.insert(sid).inserted { stops.append(sid) }
    }
  }
}
