import Foundation
import HoldfastSQLite
import HoldfastTestSupport
import Testing

@Suite struct FTS5PatternTests {
  static let names = [
    "Circular Quay", "TORONTO", "NORTH SYDNEY", "VICTORIA CROSS", "CONCORD WEST", "SANDRINGHAM",
    "ORAN PARK", "ANDOVER", "LAND COVE", "NORTHMEAD", "O'Brien Street", "Central - Platform 4",
    "Central-Platform", "St: Leonards", "Bankstown (Stand A)", "NEAR Corner", "NOT Point",
    "C++ Avenue", "100% Lane", "a/b", "Móricz Zsigmond körtér", "東京駅", "university hospital",
    "International Terminal", "National Shopping Centre", "name:x", "sid:1",
  ]

  /// Pieces of text that mean something to a tokenizer, to a pattern or to SQL.
  static let pieces = [
    "\"", "*", "^", ":", "-", "+", "(", ")", "{", "}", ",", "'", "\\", "\0", " ", "\t", "\n",
    "AND",
    "OR", "NOT", "NEAR", "NEAR(", "name", "sid", "quay", "circ", "a", "é", "e\u{301}", "\u{301}",
    "\u{30D}", "🚋", "👨‍👩‍👧", "漢字", "ß", "İ", "\u{200B}", "\u{1A}", "\u{FFFD}", "\u{FEFF}",
    "\u{E000}", "\u{10FFFF}", "\u{1E900}", "\u{0378}", "%", "_", "=", "<", ">", "|", "~", "$",
    "`",
    "Ω", "١", "½", "\r\n", "\u{2028}", "\u{85}",
  ]

  /// Runs the closure with a full-text table of stops like that of a timetable.
  private func withStops<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try Connection.inMemory { db in
      try db.execute(
        sql: """
          CREATE VIRTUAL TABLE stops_fts
          USING fts5 (name, sid UNINDEXED, tokenize = 'unicode61 remove_diacritics 2')
          """)
      for (sid, name) in Self.names.enumerated() {
        try db.execute(sql: "INSERT INTO stops_fts VALUES (?, ?)", arguments: [name, sid])
      }
      return try body(db)
    }
  }

  private func search(_ text: String, _ db: Database) throws -> [String] {
    guard let pattern = FTS5Pattern(matchingAllPrefixesIn: text) else { return [] }
    return try String.fetchAll(
      db, sql: "SELECT name FROM stops_fts WHERE stops_fts MATCH ? ORDER BY rowid",
      arguments: [pattern])
  }

  @Test(arguments: [
    ("circ", "Circular Quay"), ("quay circ", "Circular Quay"), ("CIRCULAR", "Circular Quay"),
    ("circular-q", "Circular Quay"), ("TORONTO", "TORONTO"), ("VICTORIA", "VICTORIA CROSS"),
    ("NORTH SYDNEY", "NORTH SYDNEY"), ("CONCORD", "CONCORD WEST"), ("ORAN PARK", "ORAN PARK"),
    ("SANDRINGHAM", "SANDRINGHAM"), ("ANDOVER", "ANDOVER"), ("LAND", "LAND COVE"),
    ("O'Brien", "O'Brien Street"), ("St:", "St: Leonards"), ("(Stand", "Bankstown (Stand A)"),
    ("Bankstown (Stand A)", "Bankstown (Stand A)"), ("NOT Point", "NOT Point"),
    ("Point NOT", "NOT Point"), ("C++", "C++ Avenue"), ("100%", "100% Lane"), ("a/b", "a/b"),
    ("a&b", "a/b"), ("moricz kort", "Móricz Zsigmond körtér"), ("東京", "東京駅"),
    ("name:x", "name:x"), ("sid:1", "sid:1"), ("{name}:x", "name:x"),
    ("circular\0quay", "Circular Quay"), ("\u{1F68B} circ", "Circular Quay"),
    ("^quay", "Circular Quay"), ("\"quay", "Circular Quay"), ("quay*", "Circular Quay"),
    ("MÓRICZ", "Móricz Zsigmond körtér"), ("mo\u{301}ricz", "Móricz Zsigmond körtér"),
  ])
  func typedTextFindsItsStop(text: String, stop: String) throws {
    try withStops { db throws in
      #expect(try search(text, db).contains(stop))
    }
  }

  @Test func operatorsAreTreatedAsWords() throws {
    try withStops { db throws in
      #expect(try search("Central NOT Platform", db) == [])
      #expect(try search("circular OR toronto", db) == [])
      #expect(try search("circular AND quay", db) == [])
      #expect(try search("circular NOT quay", db) == [])
      #expect(try search("NEAR(circular quay)", db) == [])
      #expect(try search("sid:0", db) == [])
      #expect(try search("Central - Platform", db) == ["Central - Platform 4", "Central-Platform"])
      #expect(try search("Central-Platform", db) == ["Central - Platform 4", "Central-Platform"])
      #expect(try search("NOR", db) == ["NORTH SYDNEY", "NORTHMEAD"])
      #expect(try search("LAND", db) == ["LAND COVE"])
    }
  }

  @Test(arguments: [
    "", " ", "\0", "-", "+", ".", ",", ";", "=", "\\", "\"", "'", "*", "^", "()", "\u{301}", "🚋",
    "\" \"", "+ + +", "\u{200B}", "%",
  ])
  func textWithoutAWordHasNoPattern(text: String) {
    #expect(FTS5Pattern(matchingAllPrefixesIn: text) == nil)
  }

  @Test(arguments: [
    "OR", "AND", "AND street", "a AND", "NOT", "Central NOT", "NEAR(a b)", "NEAR(", "a=b", "a\"b",
    "a\"\u{301}b", "\"\u{301}a", "a NEAR b", "a + b", "a ^ b", "-name:a", "{a b}:c", "a\u{1A}b",
    "\u{FEFF}a", "\u{10FFFF}a", "a\u{0}\"b",
  ])
  func noTextCausesAnError(text: String) throws {
    try withStops { db in
      _ = try #require(FTS5Pattern(matchingAllPrefixesIn: text))
      _ = try search(text, db)
    }
  }

  @Test func everyPrefixOfEveryWordFindsItsStop() throws {
    try withStops { db throws in
      for name in Self.names {
        #expect(try search(name, db).contains(name))
        let words = name.split(separator: " ").map(String.init)
        #expect(try search(words.reversed().joined(separator: " "), db).contains(name))
        for word in words where FTS5Pattern(matchingAllPrefixesIn: word) != nil {
          for length in 1...word.count {
            let prefix = String(word.prefix(length))
            guard FTS5Pattern(matchingAllPrefixesIn: prefix) != nil else { continue }
            #expect(try search(prefix, db).contains(name), "\(prefix)")
          }
        }
      }
    }
  }

  @Test func hostileTextNeverFails() throws {
    var random = SeededRandom()
    try withStops { db in
      for number in 0..<10_000 {
        let length = number.isMultiple(of: 1000) ? 3000 : Int.random(in: 1...20, using: &random)
        var text = ""
        for _ in 0..<length {
          text += Self.pieces[Int.random(in: Self.pieces.indices, using: &random)]
        }
        _ = try search(text, db)
      }
    }
  }

  @Test(arguments: ["a", "a ", "\"a\" ", "quay\"", "AND ", "é-", "東"])
  func tenKilobytesOfTextAreAccepted(piece: String) throws {
    let text = String(repeating: piece, count: 10_000 / piece.utf8.count)
    try withStops { db in
      _ = try #require(FTS5Pattern(matchingAllPrefixesIn: text))
      _ = try search(text, db)
    }
  }

  @Test func eachWordIsQuoted() {
    #expect(FTS5Pattern(matchingAllPrefixesIn: "a\"b  c")?.rawPattern == #""a""b"* "c"*"#)
  }
}
